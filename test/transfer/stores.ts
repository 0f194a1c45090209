import fc from 'fast-check';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { pepperFingerprint } from '../../src/core/engine/peppers.ts';
import { secretFingerprint } from '../../src/core/engine/secrets.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { TargetKeys } from '../../src/stores/transfer/copy-rows.ts';
import { readSnapshot } from '../../src/stores/transfer/row-source.ts';
import { writeExport } from '../../src/stores/transfer/write-export.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

export const SECRET = 'a secret of more than sixteen bytes';
export const PEPPER = 'a pepper of more than sixteen bytes';
export const KEYS: TargetKeys = { secret: secretFingerprint(SECRET), peppers: [pepperFingerprint(PEPPER)] };

/** Text of any script, with characters that JSON escapes or that end lines elsewhere. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom('a\nb', 'a\u2028b', '"\\', '日本語 👩‍💻'),
  )
  .filter((one) => /\S/.test(one) && !/\p{Cc}/u.test(one.replaceAll('\n', '')));
const people = fc.array(fc.nat(4), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      by: fc.nat(1),
      of: people,
      severity: fc.integer({ min: 1, max: 10 }),
      text,
    }),
  },
  fc.record({ do: fc.constant('remove' as const), nth: fc.nat(5) }),
  fc.record({ do: fc.constant('open' as const), nth: fc.nat(5), reason: text }),
  fc.record({ do: fc.constant('decide' as const), nth: fc.nat(5), upheld: fc.boolean() }),
  fc.record({ do: fc.constant('protect' as const), of: fc.nat(4) }),
  fc.record({ do: fc.constant('query' as const), of: people }),
);

/** Histories of a store. */
export const histories = fc.array(step, { minLength: 3, maxLength: 15 });
export type History = typeof histories extends fc.Arbitrary<infer Steps> ? Steps : never;

const identifiers = (of: readonly number[]) =>
  [...new Set(of)].map((n) => ({ kind: n % 2 === 0 ? 'email' : 'ip', hash: hashOf(n) }));

/** Returns a store under {@link PEPPER} after a history, with a key of the first reporter. */
export async function live(history: History): Promise<{ store: Store; apiKey: string; deletionCodes: string[] }> {
  const store = await createMemoryStore();
  const { engine, apiKey, otherKey, clock } = await createTestEngine({ store, secret: SECRET, peppers: [PEPPER] });
  // The first call adopts the pepper.
  await engine.pepperStatus();
  const receipts: { apiKey: string; reportId: string; deletionCode: string }[] = [];
  for (const [n, taken] of history.entries()) {
    clock.nowMs += 3_600_000;
    const receipt = 'nth' in taken ? receipts[taken.nth] : undefined;
    if (taken.do === 'report') {
      const by = taken.by === 0 ? apiKey : otherKey;
      receipts.push({
        apiKey: by,
        ...unwrap(
          await engine.report({
            apiKey: by,
            type: 'fraud',
            severity: taken.severity,
            text: `${n} ${taken.text}`,
            identifiers: identifiers(taken.of),
          }),
        ),
      });
    } else if (taken.do === 'query') unwrap(await engine.query({ apiKey, identifiers: identifiers(taken.of) }));
    else if (taken.do === 'protect') await engine.protect({ hash: hashOf(taken.of), reason: 'r', by: 'Ada' });
    else if (receipt && taken.do === 'remove') await engine.remove(receipt);
    else if (receipt && taken.do === 'open')
      await engine.openDispute({ reportId: receipt.reportId, reason: taken.reason, by: 'Ada' });
    else if (receipt && taken.do === 'decide')
      await engine.decideDispute({ reportId: receipt.reportId, upheld: taken.upheld, by: 'Bob' });
  }
  await engine.listStandings();
  return {
    store,
    apiKey,
    deletionCodes: receipts.filter((receipt) => receipt.apiKey === apiKey).map(({ deletionCode }) => deletionCode),
  };
}

/** Returns the lines of an export. */
export async function exportOf(store: Store): Promise<string[]> {
  const snapshot = await store.snapshot();
  const lines: string[] = [];
  for await (const line of writeExport(readSnapshot(snapshot, { secret: KEYS.secret, at: '2026-01-02T03:04:05.678Z' })))
    lines.push(line);
  await snapshot.close();
  return lines;
}

/** Returns all answers of an engine over a store. */
export async function answersOf(store: Store, apiKey: string, deletionCodes: readonly string[]): Promise<unknown> {
  const engine: Engine = createEngine({
    store,
    secret: SECRET,
    peppers: [PEPPER],
    publicUrl: 'https://reports.example',
    clock: () => START + 1e9,
    trustEpoch: 'on-demand',
  });
  await engine.recomputeTrust();
  const queries = [];
  for (const of of [[0], [1], [2], [3], [4], [0, 1, 2], [0, 1, 2, 3, 4]]) {
    const told = unwrap(await engine.explainQuery({ apiKey, identifiers: identifiers(of) }));
    queries.push(told, await engine.view({ linkHash: told.link.slice(-40) }));
  }
  return {
    queries,
    standings: await engine.listStandings(),
    keys: await engine.listKeys(),
    disputes: await engine.listDisputes(),
    protections: await engine.listProtected(),
    peppers: await engine.pepperStatus(),
    removed: await Promise.all(deletionCodes.map((deletionCode) => engine.remove({ apiKey, deletionCode }))),
  };
}
