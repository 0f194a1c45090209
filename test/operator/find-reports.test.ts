import { expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';

it('finds live reports by their ids, newest first, without codes and identifiers', async () => {
  const { engine, apiKey, otherKey, clock } = await createTestEngine();
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const file = async (key: string, text: string) =>
    unwrap(await engine.report({ apiKey: key, type: 'fraud', severity: 5, text, identifiers }));
  const first = await file(apiKey, 'First');
  clock.nowMs += 1;
  const second = await file(otherKey, 'Second');
  clock.nowMs += 1;
  const deleted = await file(apiKey, 'Deleted');
  unwrap(await engine.remove({ apiKey, deletionCode: deleted.deletionCode }));
  const reportIds = [first.reportId, second.reportId, deleted.reportId, 'f'.repeat(16), 'not an id', first.reportId];
  const found = await engine.findReports({ reportIds });
  expect(found.map(({ text, reporter }) => [text, reporter])).toEqual([
    ['Second', 'Second Shop'],
    ['First', 'First Shop'],
  ]);
  expect(Object.keys(found[0]!).sort()).toEqual(['createdAt', 'reportId', 'reporter', 'severity', 'text', 'type']);
  expect(await engine.findReports({ reportIds: [] })).toEqual([]);
  await expect(engine.findReports({ reportIds: Array<string>(1_001).fill('') })).rejects.toBeInstanceOf(RangeError);
});
