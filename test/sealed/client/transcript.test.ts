import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../../src/sealed/encoding.ts';
import { seededRandom } from '../group-samples.ts';
import { BEGIN, hashFor } from './operator.ts';
import { API_KEY, openSetting, type Seen, type Setting } from './service.ts';

const LISTED = hashFor('listed');
const IDENTIFIERS = ['clean', 'another', 'listed'].map((name) => ({ kind: 'email', hash: hashFor(name) }));

function open(): Setting {
  const setting = openSetting();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  const seconds = BEGIN / 1000;
  const identifiers = [{ kind: 'email', hash: LISTED }];
  setting.operator.reports = [
    { id: 1, reporter: 1, type: 'fraud', severity: 8, seconds, disputed: false, identifiers },
  ];
  setting.operator.publish();
  return setting;
}

/** Returns what the operator sees of one query by a new client. */
async function transcriptOf(setting: Setting, hash: string, seed: string): Promise<readonly Seen[]> {
  setting.service.seen.length = 0;
  const client = setting.another({ random: seededRandom(seed) });
  await client.query([{ kind: 'email', hash }]);
  return [...setting.service.seen];
}

describe('what the operator sees of a query with a replica', () => {
  it('has neither hash nor element', async () => {
    const setting = open();
    for (const { hash } of IDENTIFIERS) {
      const seen = JSON.stringify(await transcriptOf(setting, hash, hash));
      const element = setting.operator.elementOf(1, hash);
      const forms = [element, hashBytes(hash)].flatMap((bytes) => [
        toBase64Url(bytes),
        Buffer.from(bytes).toString('hex'),
      ]);
      for (const secret of [hash, ...forms]) expect(seen.toLowerCase()).not.toContain(secret.toLowerCase());
      expect(seen).not.toContain('email');
    }
  });

  it('shares nothing between two runs about one identifier', async () => {
    const setting = open();
    const bodies = async (seed: string) =>
      (await transcriptOf(setting, LISTED, seed)).map(({ body }) => body).filter((body) => body !== '');
    const [first, second] = [await bodies('first'), await bodies('second')];
    expect([first.length, second.length]).toEqual([1, 1]);
    const textOf = (body: string): string => (JSON.parse(body) as { blinded: string[] }).blinded[0]!;
    const [left, right] = [textOf(first[0]!), textOf(second[0]!)];
    // Chance of a common run of 6 characters in 43: 1 in 50 million.
    for (let at = 0; at + 6 <= left.length; at++) expect(right).not.toContain(left.slice(at, at + 6));
  });

  it('has the same size and order for each identifier, whether it is reported or not', async () => {
    const setting = open();
    const shapeOf = (seen: readonly Seen[]) =>
      seen.map(({ method, path, headers, body }) => [method, path, Object.entries(headers), body.length]);
    const [first, ...others] = await Promise.all(
      IDENTIFIERS.map(async ({ hash }, at) => {
        const own = open();
        return shapeOf(await transcriptOf(own, hash, `seed ${at}`));
      }),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(setting.service.seen).toEqual([]);
  });

  it('is the same, byte for byte, under a fixed clock and randomness', async () => {
    const [first, second] = [open(), open()];
    const left = await transcriptOf(first, LISTED, 'fixed');
    expect(left).toEqual(await transcriptOf(second, LISTED, 'fixed'));
    expect(left.map(({ path }) => path)).toEqual(['manifest', '1/1/snapshot', 'evaluate']);
  });

  it('has the key only where it is needed', async () => {
    const seen = await transcriptOf(open(), LISTED, 'key');
    for (const { path, headers } of seen)
      expect(headers['authorization']).toBe(path === 'manifest' ? undefined : `Bearer ${API_KEY}`);
  });
});

function hashBytes(hash: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hash, 'hex'));
}
