import { describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { BEGIN, EPOCH_MS, hashFor, HOUR, plainReport, type PlainReport } from './operator.ts';
import { openSetting, refusal, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };
const PHONE = { kind: 'phone', hash: hashFor('phone') };
const CLEAN = { kind: 'email', hash: hashFor('clean') };
const report = (id: number, more?: Partial<PlainReport>): PlainReport => plainReport(id, [EMAIL], more);

function stock({ operator }: Setting): void {
  operator.reporters = [
    { number: 1, precision: 0.8, established: true, verified: true },
    { number: 2, precision: 0.5, established: true, verified: true },
  ];
  operator.reports = [report(1, { identifiers: [EMAIL, PHONE] }), report(2, { reporter: 2, disputed: true })];
}

describe('a query from a replica', () => {
  it('is answered as from the published rows, and the service sees no more of it', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    const { client, service } = setting;
    expect(await client.refresh()).toEqual({
      epoch: 1,
      sequence: 1,
      link: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      asOf: BEGIN,
      how: 'snapshot',
    });
    expect(await client.prepare([EMAIL, PHONE, CLEAN])).toEqual({ epoch: 1, prepared: 3, evaluated: 3 });
    expect(await client.prepare([EMAIL.hash])).toEqual({ epoch: 1, prepared: 1, evaluated: 0 });
    const before = service.seen.length;
    const answer = await client.query([EMAIL, PHONE]);
    expect(answer).toMatchObject({ answer: 'score', reported: 2, asOf: BEGIN });
    expect((answer as { points: number }).points).toBeGreaterThan(20);
    expect(await client.query([CLEAN])).toMatchObject({ answer: 'score', points: 0, reported: 0, reliability: 0 });
    expect(service.seen.length).toBe(before);
  });

  it('downloads no snapshot of more rows than the client takes', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    await setting.client.refresh();
    const before = setting.service.seen.length;
    expect(await refusalOf(setting.another({ maxRows: 1 }).refresh())).toBe('too-many-rows');
    expect(setting.service.seen.slice(before)).toHaveLength(1);
    expect((await setting.another({ maxRows: 1_000 }).refresh()).how).toBe('snapshot');
    for (const maxRows of [0, 2 ** 32, '1'])
      expect(() => setting.another({ maxRows: maxRows as number })).toThrow('"maxRows" expected a');
  });

  it('evaluates each hash once per epoch, also when calls run together', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    const hashes = Array.from({ length: 70 }, (_, at) => hashFor(`many ${at}`));
    await Promise.all([setting.client.prepare(hashes), setting.client.prepare(hashes)]);
    const sizes = setting.service.seen
      .filter(({ path }) => path === 'evaluate')
      .map(({ body }) => (JSON.parse(body) as { blinded: string[] }).blinded.length);
    expect(sizes).toEqual([32, 32, 6]);
    expect(await setting.client.prepare(hashes)).toMatchObject({ evaluated: 0 });
  });

  it('takes identifiers as the service does, and refuses others without repeating them', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    const { client } = setting;
    const doubled = [EMAIL, { kind: 'email2', hash: EMAIL.hash.toUpperCase() }];
    expect(await client.query(doubled)).toEqual(await client.query([EMAIL]));
    for (const wrong of [[], Array.from({ length: 33 }, (_, at) => ({ kind: 'ip', hash: hashFor(`${at}`) }))])
      await expect(async () => client.query(wrong)).rejects.toThrow(RangeError);
    const odd = [{ kind: 'email', hash: 'client@example.com' }];
    await expect(async () => client.query(odd)).rejects.toThrow(/^"identifiers" expected a kind and a hash of 40 hex/);
  });
});

describe('a query without what it needs', () => {
  it('is unknown when nothing was ever fetched', async () => {
    const setting = openSetting();
    setting.service.isAway = true;
    expect(await setting.client.query([EMAIL])).toEqual({
      answer: 'unknown',
      why: 'no-manifest',
      retryAfterSeconds: null,
    });
  });

  it('is unknown for a new identifier, and answered for a prepared one, when the evaluator is away', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    await setting.client.refresh();
    await setting.client.prepare([EMAIL]);
    setting.service.isAway = true;
    expect(await setting.client.query([CLEAN])).toMatchObject({ answer: 'unknown', why: 'no-evaluation' });
    expect(await setting.client.query([EMAIL, CLEAN])).toMatchObject({ answer: 'unknown', why: 'no-evaluation' });
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
  });

  it('is unknown for a new identifier when the epoch was destroyed and nothing is published yet', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    await setting.client.refresh();
    await setting.client.prepare([EMAIL]);
    setting.service.before = (path) => {
      if (path === 'evaluate') return refusal(410, 'epoch-ended');
      return path === 'manifest' ? refusal(503, 'unavailable') : undefined;
    };
    expect(await setting.client.query([CLEAN])).toMatchObject({ answer: 'unknown', why: 'no-evaluation' });
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
  });

  it('is unknown when the limit of evaluations is used up', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    const seconds = { 'Retry-After': '3600' };
    setting.service.before = (path) => (path === 'evaluate' ? refusal(429, 'rate-limited', seconds) : undefined);
    expect(await setting.client.query([EMAIL])).toEqual({
      answer: 'unknown',
      why: 'rate-limited',
      retryAfterSeconds: 3600,
    });
    expect(await refusalOf(setting.client.prepare([EMAIL]))).toBe('rate-limited');
  });

  it('is stale when the rows are too old and no newer ones come', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    await setting.client.query([EMAIL]);
    setting.advance(48 * HOUR - 1);
    setting.service.isAway = true;
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score' });
    setting.advance(1);
    expect(await setting.client.query([EMAIL])).toEqual({ answer: 'stale', asOf: BEGIN });
    // A failed refresh is not repeated for each query of a checkout.
    const asked = setting.service.seen.length;
    expect(await setting.client.query([EMAIL])).toEqual({ answer: 'stale', asOf: BEGIN });
    expect(setting.service.seen.length).toBe(asked);
    setting.service.isAway = false;
    setting.advance(30_000);
    setting.operator.publish();
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', asOf: setting.operator.now });
  });

  it('is stale when the operator goes on serving an old manifest', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    await setting.client.query([EMAIL]);
    setting.advance(48 * HOUR);
    expect(await refusalOf(setting.client.refresh())).toBe('expired');
    expect(await setting.client.query([EMAIL])).toEqual({ answer: 'stale', asOf: BEGIN });
  });
});

describe('epochs', () => {
  it('end with all that was evaluated in them, and are prepared for ahead', async () => {
    const folder = new ClientFolder();
    const setting = openSetting({ folder });
    stock(setting);
    const { operator, client, service } = setting;
    operator.addEpoch();
    const { epoch, next } = operator.publish();
    const first = await client.query([EMAIL, PHONE]);
    const old = await folder.read(epoch.publicKey, [EMAIL.hash]);
    expect(old.get(EMAIL.hash)).toHaveLength(32);
    setting.advance(next!.startsAt - operator.now);
    expect(await refusalOf(client.prepare([EMAIL]))).toBe('expired');
    operator.publish();
    await client.refresh();
    expect(await client.prepare([EMAIL], { epoch: 'next' })).toEqual({ epoch: 2, prepared: 1, evaluated: 1 });
    expect(await client.query([EMAIL, PHONE])).toMatchObject({ answer: 'score', reported: 2 });

    setting.advance(EPOCH_MS);
    // The epoch has ended, and the service is away: nothing answers, and nothing is deleted by the clock alone.
    operator.now = epoch.endsAt;
    service.isAway = true;
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'stale' });
    expect((await folder.state(operator.manifest!.operatorKey)).manifest).toEqual(operator.manifest);
    expect(await folder.read(epoch.publicKey, [EMAIL.hash])).toEqual(old);
    service.isAway = false;
    setting.advance(30_000);
    operator.addEpoch();
    operator.publish();
    const asked = service.count(/evaluate/);
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    expect(service.count(/evaluate/)).toBe(asked);
    expect((await folder.read(epoch.publicKey, [EMAIL.hash])).size).toBe(0);
    const again = await client.query([EMAIL, PHONE]);
    expect(again).toMatchObject({ answer: 'score', reported: 2 });
    expect(first).toMatchObject({ answer: 'score', reported: 2 });
    await expect(async () => client.prepare([EMAIL], { epoch: 'last' as 'next' })).rejects.toThrow(TypeError);
  });

  it('that the service has left are noticed by its refusal', async () => {
    const setting = openSetting();
    stock(setting);
    const { operator, service } = setting;
    operator.addEpoch();
    operator.now = operator.keys.epochs[0]!.endsAt - 1000;
    operator.publish();
    // The client's own clock is behind by a minute: it does not know that the epoch ends.
    const late = setting.another({ clock: () => operator.now - 60_000 });
    expect(await late.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    operator.now += 1000;
    operator.publish();
    const asked = service.count(/manifest/);
    expect(await late.query([PHONE])).toMatchObject({ answer: 'score', reported: 1, asOf: operator.now });
    expect(service.count(/manifest/)).toBe(asked + 1);
    expect(await late.refresh()).toMatchObject({ epoch: 2, how: 'unchanged' });
  });
});

describe('what needs no rows', () => {
  it('downloads none: evaluations and reports need the manifest alone', async () => {
    const setting = openSetting();
    stock(setting);
    const { client, service, operator } = setting;
    operator.addEpoch();
    operator.publish();
    await client.prepare([EMAIL]);
    await client.report({ type: 'spam', severity: 3, text: 'A text.', identifiers: [EMAIL, CLEAN] });
    expect(service.seen.map(({ path }) => path)).toEqual(['manifest', 'evaluate', 'evaluate', 'report']);
    // Of an epoch that the service has left, too.
    operator.now = operator.keys.epochs[0]!.endsAt;
    operator.publish();
    const late = setting.another({ clock: () => operator.now - 60_000 });
    await late.prepare([EMAIL]);
    expect(service.count(/snapshot/)).toBe(0);
    expect(await late.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
  });

  it('removes evaluations of ended epochs without rows, too', async () => {
    const folder = new ClientFolder();
    const setting = openSetting({ folder });
    const { client, operator } = setting;
    const { epoch } = operator.publish();
    await client.prepare([EMAIL]);
    operator.addEpoch();
    operator.now = epoch.endsAt;
    operator.publish();
    await client.prepare([PHONE]);
    expect((await folder.read(epoch.publicKey, [EMAIL.hash])).size).toBe(0);
  });

  it('shares one request for the manifest, and never takes an older one for a rollback', async () => {
    const setting = openSetting();
    stock(setting);
    setting.operator.publish();
    const { client, service } = setting;
    await Promise.all([client.prepare([EMAIL]), client.refresh(), client.prepare([PHONE]), client.query([CLEAN])]);
    expect(service.count(/manifest/)).toBe(1);
  });
});

describe('a report', () => {
  it('is sent sealed, and counts from the next publication on', async () => {
    const setting = openSetting();
    stock(setting);
    const { operator, client, service } = setting;
    operator.publish();
    const draft = { type: 'spam', severity: 3, text: 'A text.', identifiers: [CLEAN, PHONE] };
    expect(await client.query([CLEAN])).toMatchObject({ reported: 0 });
    expect(await client.report(draft)).toEqual({ deletionCode: 'fedcba9876543210' });
    const { body } = service.seen.find(({ path }) => path === 'report')!;
    expect(body).not.toContain(CLEAN.hash);
    expect(JSON.parse(body)).toMatchObject({ epoch: 1, type: 'spam', severity: 3, text: 'A text.' });
    expect(await client.query([CLEAN])).toMatchObject({ reported: 0 });
    operator.reports.push(report(9, { ...draft, seconds: BEGIN / 1000, reporter: 2 }));
    setting.advance(60_000);
    operator.publish();
    await client.refresh();
    expect(await client.query([CLEAN])).toMatchObject({ reported: 1 });
    expect(await client.query([CLEAN, PHONE])).toMatchObject({ reported: 2 });
  });

  it('whose reply has no deletion code is an error', async () => {
    const setting = openSetting();
    setting.operator.publish();
    const draft = { type: 'spam', severity: 3, text: 'A text.', identifiers: [CLEAN] };
    for (const reply of [null, {}, { code: 'x' }, { code: 7 }]) {
      setting.service.before = (path) => (path === 'report' ? Response.json(reply) : undefined);
      expect(await refusalOf(setting.client.report(draft))).toBe('unexpected-reply');
    }
  });
});
