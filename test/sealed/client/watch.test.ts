import { beforeEach, describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import type { SealedWatch, WatchAnswer, WatchedCustomer } from '../../../src/sealed/client/watch.ts';
import { hashFor, HOUR, plainReport } from './operator.ts';
import { openSetting, refusal, type Seen, type Setting } from './service.ts';

const customer = (name: string): WatchedCustomer => ({
  name,
  identifiers: ['email', 'phone'].map((kind) => ({ kind, hash: hashFor(`${kind} of ${name}`) })),
});
const ALL = ['ada', 'bea', 'cleo'].map(customer);

let setting: Setting;
let folder: ClientFolder;

/** Publishes reports about these customers, an hour later. */
function publish({ operator, advance }: Setting, names: readonly string[]): void {
  advance(HOUR);
  operator.reports = names.map((name, id) => plainReport(id, customer(name).identifiers));
  operator.publish();
}

/** What another run tells. */
async function run(customers = ALL, threshold = 20): Promise<string> {
  const answer = await setting.another({ folder }).watch(customers, { threshold });
  if ('keep' in answer) await answer.keep();
  return wordsOf(answer);
}

function wordsOf(answer: WatchAnswer): string {
  if (!('rose' in answer)) return answer.answer;
  const of = (list: SealedWatch['rose']): string => list.map(({ name }) => name).join(' ');
  return `${answer.answer}, rose ${of(answer.rose)}, fell ${of(answer.fell)}`;
}

/** A service without publications, and an empty folder. */
function begin(): void {
  setting = openSetting();
  folder = new ClientFolder();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
}

beforeEach(() => {
  begin();
  publish(setting, ['bea']);
});

describe('a watch', () => {
  it('tells who rose above the threshold and who fell, each once', async () => {
    expect(await run()).toBe('complete, rose bea, fell ');
    expect(await run()).toBe('complete, rose , fell ');
    publish(setting, ['ada', 'bea']);
    expect(await run()).toBe('complete, rose ada, fell ');
    publish(setting, ['cleo']);
    expect(await run()).toBe('complete, rose cleo, fell ada bea');
    // Another threshold, and other lists.
    expect(await run(ALL, 1000)).toBe('complete, rose , fell cleo');
    expect(await run(ALL.slice(2))).toBe('complete, rose cleo, fell ');
    expect(await run(ALL.slice(0, 2))).toBe('complete, rose , fell ');
    expect(await run()).toBe('complete, rose cleo, fell ');
  });

  it('tells the same again if it was not kept, with the scores of queries', async () => {
    const client = setting.another({ folder });
    const query = await client.query(ALL[1]!.identifiers);
    for (let turn = 0; turn < 2; turn++) {
      const answer = (await client.watch(ALL, { threshold: 20 })) as SealedWatch;
      expect(wordsOf(answer)).toBe('complete, rose bea, fell ');
      const [{ name, ...score } = { name: '' }] = answer.rose;
      expect(name).toBe('bea');
      expect(query).toMatchObject({ ...score, asOf: answer.asOf });
    }
  });

  it('scores what a limit let it evaluate, leaves the others where they were, and goes on', async () => {
    const many = Array.from({ length: 40 }, (_, at) => customer(`many ${at}`));
    publish(setting, ['many 0', 'many 39']);
    let left = 1;
    setting.service.before = (asked) =>
      asked === 'evaluate' && left-- <= 0 ? refusal(429, 'rate-limited', { 'Retry-After': '3600' }) : undefined;
    const answer = await setting.another({ folder }).watch(many, { threshold: 20 });
    expect(answer).toMatchObject({ unscored: 24, unknown: { why: 'rate-limited', retryAfterSeconds: 3600 } });
    expect(wordsOf(answer)).toBe('partial, rose many 0, fell ');
    left = 2;
    expect(await run(many)).toBe('complete, rose many 0 many 39, fell ');
    // Of a new epoch, nothing is evaluated: nobody falls.
    const { operator } = setting;
    operator.addEpoch();
    operator.now = operator.keys.epochs[0]!.endsAt;
    publish(setting, []);
    expect(await run(many)).toBe('unknown');
    left = 1;
    expect(await run(many)).toBe('partial, rose , fell many 0');
    left = 2;
    expect(await run(many)).toBe('complete, rose , fell many 39');
  });

  it('evaluates ahead for the next epoch', async () => {
    const { operator, service } = setting;
    operator.addEpoch();
    operator.now = operator.keys.epochs[1]!.startsAt;
    publish(setting, ['bea']);
    expect(await run()).toBe('complete, rose bea, fell ');
    expect(service.count(/evaluate/)).toBe(2);
    operator.now = operator.keys.epochs[0]!.endsAt;
    publish(setting, ['ada']);
    expect(await run()).toBe('complete, rose ada, fell bea');
    expect(service.count(/evaluate/)).toBe(2);
  });

  it('is unknown or stale without new rows', async () => {
    setting.service.isAway = true;
    expect(await run()).toBe('unknown');
    setting.service.isAway = false;
    expect(await run()).toBe('complete, rose bea, fell ');
    setting.service.isAway = true;
    setting.advance(HOUR);
    expect(await run()).toBe('complete, rose , fell ');
    setting.advance(48 * HOUR);
    expect(await run()).toBe('stale');
  });

  it('refuses two customers of one name, and no threshold', async () => {
    expect(() => setting.client.watch([ALL[0]!, ALL[0]!], { threshold: 1 })).toThrow('another name for each');
    expect(() => setting.client.watch(ALL, { threshold: 0 })).toThrow('"threshold" expected');
    expect(() => setting.client.watch([{ name: 'x', identifiers: [] }], { threshold: 1 })).toThrow(RangeError);
  });
});

describe('what the operator sees of a watch', () => {
  /** Three runs: with evaluations, again, and after another publication. Half of the list is reported, or none. */
  async function transcriptOf(prefix: string, isReported: boolean): Promise<readonly unknown[]> {
    begin();
    const list = Array.from({ length: 50 }, (_, at) => customer(`${prefix} ${at}`));
    const reported = Array.from({ length: 25 }, (_, at) => `${isReported ? prefix : 'nobody'} ${at}`);
    publish(setting, reported);
    const told = [await run(list), await run(list)];
    publish(setting, []);
    told.push(await run(list));
    expect(told.map((words) => words.length > 100)).toEqual([isReported, false, isReported]);
    return setting.service.seen.map((one: Seen) => [
      one.method,
      one.path,
      Object.entries(one.headers),
      one.body.length,
    ]);
  }

  it('is the same in order, length and headers for any two lists of one size', async () => {
    const clean = await transcriptOf('clean', false);
    expect(await transcriptOf('listed', true)).toEqual(clean);
    expect(clean.map((one) => (one as string[])[1])).toEqual([
      'manifest',
      '1/1/snapshot',
      'evaluate',
      'evaluate',
      'evaluate',
      'evaluate',
      'manifest',
      'manifest',
      '1/2/snapshot',
    ]);
  });
});
