import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';

it('docs/points.md: the numbers of the example are those of the engine', async () => {
  const page = readFileSync(new URL('../../docs/points.md', import.meta.url), 'utf8');
  const rows = page
    .split('## An example')[1]!
    .split('\n')
    .filter((line) => /\d \|$/.test(line))
    .map((line) => line.split('|').slice(1, -1))
    .map(([what = '', ...numbers]) => [what.trim(), ...numbers.map(Number)]);

  const { engine, clock, apiKey } = await createTestEngine();
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const keys = new Map<string, string>();
  for (const name of ['Corner Shop', 'Book Shop', 'New Shop']) {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified: name !== 'New Shop' }));
    keys.set(name, unwrap(await engine.issueKey({ reporterId })).apiKey);
  }
  // The sentence below the table.
  const { kinds, precision } = LINK_CLAIM_CONSTANTS;
  const { weight } = kinds['email']!;
  const right = precision.established;
  expect(page).toContain(`${weight} · ${right} · 0.6 = ${(weight * right * 0.6).toFixed(2)}, or 41 points`);
  let reports = 0;
  let reportId = '';
  const happens: Readonly<Record<string, () => Promise<unknown>>> = {
    'A year passes': async () => (clock.nowMs += 365 * 86_400_000),
    'opens a dispute': () => engine.openDispute({ reportId, reason: 'r', by: 'Ada' }),
    'finds this report wrong': () => engine.decideDispute({ reportId, upheld: true, by: 'Ada' }),
  };
  let severity = 0;
  for (const [what, ...numbers] of rows) {
    const text = String(what);
    const reporter = /^(\w+ Shop).* reports /.exec(text)?.[1];
    if (reporter !== undefined) {
      severity = Number(/severity (\d+)/.exec(text)?.[1] ?? severity);
      const draft = { type: 'fraud', severity, text: `Report ${++reports}`, identifiers };
      ({ reportId } = unwrap(await engine.report({ apiKey: keys.get(reporter)!, ...draft })));
    } else await Object.entries(happens).find(([part]) => text.includes(part))![1]();
    const { points, reported, reliability } = unwrap(await engine.query({ apiKey, identifiers }));
    expect([what, points, reported, reliability]).toEqual([what, ...numbers]);
  }
  expect(rows).toHaveLength(7);
});
