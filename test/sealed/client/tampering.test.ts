import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { fromBase64Url, toBase64Url } from '../../../src/sealed/encoding.ts';
import { headAfter, markOf } from '../../../src/sealed/history.ts';
import { joinBytes } from '../../../src/sealed/group/hash-to-group.ts';
import { createOperatorKey, operatorPublicKey, signManifest, signMark } from '../../../src/sealed/manifest.ts';
import { toReply } from '../../../src/sealed/evaluation.ts';
import { evaluate, publicKeyOf, randomScalar } from '../../../src/sealed/group/voprf.ts';
import { seededRandom } from '../group-samples.ts';
import { BEGIN, hashFor, HOUR, plainReport, type PlainReport } from './operator.ts';
import { openSetting, refusal, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };
const report = (id: number): PlainReport => plainReport(id, [EMAIL, { kind: 'phone', hash: hashFor(`phone ${id}`) }]);

function open(): Setting {
  const setting = openSetting();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  setting.operator.reports = [report(1), report(2)];
  setting.operator.publish();
  return setting;
}

/** Publishes one report more, an hour later. */
function publishMore({ operator, advance }: Setting): void {
  advance(HOUR);
  operator.reports.push(report(operator.reports.length + 1));
  operator.publish();
}

const flip = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

describe('what was changed on its way is refused', () => {
  it.each<[string, RegExp, string, RegExp]>([
    ['a snapshot', /snapshot$/, 'wrong-snapshot', /^the snapshot has another SHA-256/],
    ['a manifest', /^manifest$/, 'bad-signature', /^the signature is not of these bytes/],
  ])('%s, whichever bit it is, with an error of its own', async (_, path, code, message) => {
    const setting = open();
    const { client } = setting;
    await setting.another().prepare([EMAIL]);
    publishMore(setting);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(7), async (at, bit) => {
        setting.service.tamper = (asked, bytes) =>
          path.test(asked)
            ? bytes.map((byte, index) => (index === at % bytes.length ? byte ^ (1 << bit) : byte))
            : undefined;
        const failed = client.query([EMAIL]).then(() => client.refresh());
        await expect(failed).rejects.toThrow(message);
        await expect(failed).rejects.toMatchObject({ code });
      }),
      { numRuns: 20 },
    );
    setting.service.tamper = undefined;
    expect(await setting.another().query([EMAIL])).toMatchObject({ answer: 'score', reported: 3 });
  });

  it('a file that is whole, but of another publication', async () => {
    const setting = open();
    publishMore(setting);
    setting.operator.files.set('1/2', setting.operator.files.get('1/1')!);
    expect(await refusalOf(setting.another().refresh())).toBe('wrong-snapshot');
  });

  it('a snapshot', async () => {
    const setting = open();
    setting.service.tamper = (path, bytes) => (path.endsWith('snapshot') ? flip(bytes, 30) : undefined);
    expect(await refusalOf(setting.client.refresh())).toBe('wrong-snapshot');
    expect(await refusalOf(setting.client.query([EMAIL]))).toBe('wrong-snapshot');
    setting.service.tamper = (path, bytes) => (path.endsWith('snapshot') ? bytes.slice(24) : undefined);
    expect(await refusalOf(setting.client.refresh())).toBe('wrong-snapshot');
  });

  it('a manifest, its signature, and a missing one', async () => {
    const setting = open();
    for (const at of [0, 50, 400]) {
      setting.service.tamper = (path, bytes) => (path === 'manifest' ? flip(bytes, at) : undefined);
      expect(await refusalOf(setting.client.refresh())).toBe('bad-signature');
    }
    const { bytes, signature } = setting.operator.signed!;
    for (const text of [toBase64Url(flip(signature, 5)), '?', undefined]) {
      const headers = text === undefined ? undefined : { 'Redflag-Signature': text };
      setting.service.tamper = () => new Response(bytes.slice(), headers && { headers });
      expect(await refusalOf(setting.client.refresh())).toBe('bad-signature');
    }
  });

  it('a proof, an evaluated element, and one under another key', async () => {
    const setting = open();
    const { client, operator, service } = setting;
    await client.refresh();
    const evaluation = (change: (json: { evaluated: string[]; proof: string }) => void) => {
      service.tamper = (path, bytes) => {
        if (path !== 'evaluate') return undefined;
        const json = JSON.parse(new TextDecoder().decode(bytes)) as { evaluated: string[]; proof: string };
        change(json);
        return new TextEncoder().encode(JSON.stringify(json));
      };
    };
    evaluation((json) => (json.proof = toBase64Url(flip(fromBase64Url(json.proof)!, 7))));
    expect(await refusalOf(client.prepare([EMAIL]))).toBe('invalid-proof');
    const other = toBase64Url(operator.elementOf(1, hashFor('other')));
    evaluation((json) => (json.evaluated = [other]));
    expect(await refusalOf(client.query([EMAIL]))).toBe('invalid-proof');
    evaluation((json) => (json.evaluated = [toBase64Url(new Uint8Array(32))]));
    expect(await refusalOf(client.query([EMAIL]))).toBe('invalid-element');
    evaluation((json) => (json.evaluated = []));
    expect(await refusalOf(client.query([EMAIL]))).toBe('unexpected-reply');

    // A key made for this client, with a proof that holds under it.
    const own = randomScalar(seededRandom('own'));
    const asked = service.count(/evaluate/);
    service.tamper = (path) => {
      if (path !== 'evaluate') return undefined;
      const { blinded } = JSON.parse(service.seen.at(-1)!.body) as { blinded: string[] };
      const reply = operator.evaluate(1, blinded);
      const elements = reply.evaluator.evaluated.map((text) => fromBase64Url(text)!);
      return Response.json({ ...reply, ...toReply(evaluate(own, publicKeyOf(own), elements, operator.random)) });
    };
    expect(await refusalOf(client.query([EMAIL]))).toBe('invalid-proof');
    expect(service.count(/evaluate/)).toBe(asked + 1);
    service.tamper = undefined;
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
  });
});

describe('a manifest that is whole but wrong is refused', () => {
  it('of another operator', async () => {
    const setting = open();
    const stranger = createOperatorKey(seededRandom('stranger'));
    const { operatorKey: _, ...content } = setting.operator.manifest!;
    const { access, secrets } = setting.operator.evaluator;
    const signed = signManifest(content, stranger);
    const mark = markOf(headAfter(content, signed.bytes));
    const signature = joinBytes([signed.signature, signMark(secrets.signingKey, access.publicKey, mark)]);
    setting.operator.signed = { ...signed, signature };
    expect(await refusalOf(setting.client.refresh())).toBe('wrong-operator-key');
    const trusting = setting.another({ operatorKey: toBase64Url(operatorPublicKey(stranger)) });
    expect(await refusalOf(trusting.refresh())).toBe('none');
  });

  it('that goes back, or replaces one of the same sequence', async () => {
    const setting = open();
    const first = setting.operator.signed!;
    publishMore(setting);
    await setting.client.refresh();
    const second = setting.operator.signed!;
    setting.operator.signed = first;
    expect(await refusalOf(setting.client.refresh())).toBe('rollback');
    setting.operator.sequence--;
    setting.operator.history = {
      ...setting.operator.history,
      manifests: setting.operator.history.manifests.slice(0, -1),
    };
    setting.operator.reports.pop();
    setting.operator.publish();
    expect(await refusalOf(setting.client.refresh())).toBe('fork');
    setting.operator.signed = second;
    expect(await setting.client.refresh()).toMatchObject({ how: 'unchanged' });
  });

  it('that goes back after a restart', async () => {
    const setting = open();
    const first = setting.operator.signed!;
    publishMore(setting);
    const folder = new ClientFolder();
    await setting.another({ folder }).refresh();
    setting.operator.signed = first;
    expect(await refusalOf(setting.another({ folder }).refresh())).toBe('rollback');
  });

  it('that stays the same: its answers become stale, and are never clean', async () => {
    const setting = open();
    const client = setting.another({ maxAgeSeconds: 7200 });
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    setting.advance(2 * HOUR);
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    setting.advance(1);
    expect(await client.query([EMAIL])).toEqual({ answer: 'stale', asOf: BEGIN });
    expect(await refusalOf(client.refresh())).toBe('expired');
  });

  it('that is too old, from the future, or of an ended epoch', async () => {
    const setting = open();
    await setting.client.refresh();
    setting.advance(48 * HOUR - 1);
    expect(await refusalOf(setting.client.refresh())).toBe('none');
    setting.advance(1);
    expect(await refusalOf(setting.client.refresh())).toBe('expired');
    setting.operator.changes = { epoch: { ...setting.operator.manifest!.epoch, endsAt: setting.operator.now } };
    setting.operator.publish();
    expect(await refusalOf(setting.another().refresh())).toBe('expired');
    setting.operator.changes = {};
    setting.operator.publish();
    await setting.client.refresh();
    const { now } = setting.operator;
    const early = setting.another({ clock: () => now - 6 * 60_000 });
    expect(await refusalOf(early.refresh())).toBe('issued-in-future');
    expect(await refusalOf(early.query([EMAIL]))).toBe('issued-in-future');
    // A clock that is set back after the refresh is wrong, too.
    setting.advance(-6 * 60_000);
    expect(await refusalOf(setting.client.query([EMAIL]))).toBe('issued-in-future');
  });

  it('with a model or constants that this version does not know', async () => {
    const setting = open();
    const { model } = setting.operator.manifest!;
    const wrong: [object, string][] = [
      [{ ...model, name: 'link-claim/8' }, 'unknown-model'],
      [{ ...model, name: 'link-claim/6' }, 'unknown-model'],
      [{ ...model, name: 'severity-sum' }, 'unknown-model'],
      [{ ...model, constants: { ...model.constants, version: 5 } }, 'invalid-constants'],
      [{ ...model, constants: { ...model.constants, voices: 1 } }, 'invalid-constants'],
      [{ ...model, constants: { ...model.constants, precision: {} } }, 'invalid-constants'],
    ];
    for (const [changed, code] of wrong) {
      setting.operator.changes = { model: changed as typeof model };
      setting.operator.publish();
      expect(await refusalOf(setting.client.refresh())).toBe(code);
    }
  });
});

describe('a refusal of the service', () => {
  it.each([
    [400, 'invalid-request', 'invalid-request'],
    [400, 'invalid-element', 'invalid-element'],
    [401, 'unauthorised', 'unauthorised'],
    [403, 'x', 'unauthorised'],
    [404, 'x', 'not-found'],
    [409, 'unknown-epoch', 'unknown-epoch'],
    [410, 'epoch-ended', 'epoch-ended'],
    [413, 'too-many', 'too-many'],
    [418, 'x', 'unexpected-reply'],
    [302, 'x', 'unexpected-reply'],
  ])('with the status %d and the error %s is %s', async (status, error, code) => {
    const setting = open();
    await setting.client.refresh();
    setting.service.before = (path) => (path === 'evaluate' ? refusal(status, error) : undefined);
    expect(await refusalOf(setting.client.prepare([EMAIL]))).toBe(code);
    const failed = setting.client.query([EMAIL]);
    await expect(failed).rejects.not.toThrow(/a text of the service|x-/);
  });
});
