import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../../src/core/scoring/model.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { hashOf, START } from './setup.ts';

const REPORTS = 12_000;
const REPORTERS = 3;
const ASKED = [{ kind: 'domain', hash: hashOf(1) }];

/** A store with very many reports of one domain. */
async function filled() {
  const store = await createSqljsStore();
  const open = (model: ScoringModel) =>
    createEngine({
      store,
      model,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
    });
  const engine = open(createLinkClaimModel());
  const reporterIds: string[] = [];
  for (let n = 0; n < REPORTERS; n++)
    reporterIds.push(unwrap(await engine.createReporter({ name: `Shop ${n}` })).reporterId);
  const { apiKey } = unwrap(await engine.issueKey({ reporterId: reporterIds[0]! }));
  const rows = Array.from({ length: REPORTS }, (_, n) => ({
    report_id: (n + 1).toString(16).padStart(16, '0'),
    reporter_id: reporterIds[n % REPORTERS]!,
    type: 'fraud',
    severity: 1 + (n % 10),
    created_at: START - n * 60_000,
  }));
  await store.putRows(
    'report',
    rows.map((row) => {
      return { ...row, nonce: row.report_id, fingerprint: row.report_id.repeat(2), text: 'a text', removed_at: null };
    }),
  );
  await store.putRows(
    'identifier',
    rows.map((row) => ({ ...row, ...ASKED[0], position: 0, disputed: 0, generation: 0 })),
  );
  return { store, open, apiKey };
}

describe('a query that very many reports match', () => {
  it('has the same answer with a model that adds reports one at a time, and lets other work run meanwhile', async () => {
    const { open, apiKey } = await filled();
    const model = createLinkClaimModel();
    const { begin: _, ...inOnePiece } = model;
    const whole = unwrap(await open(inOnePiece).query({ apiKey, identifiers: ASKED }));
    expect(whole.reported).toBe(REPORTS);

    const turns = { taken: 0, asking: true };
    const countTurn = (): void => {
      turns.taken++;
      if (turns.asking) setTimeout(countTurn);
    };
    setTimeout(countTurn);
    expect(unwrap(await open(model).query({ apiKey, identifiers: ASKED }))).toEqual(whole);
    turns.asking = false;
    // Pages of the store, then slices of the facts, of the evidence and of the score: two turns each at least.
    expect(turns.taken).toBeGreaterThanOrEqual(6 + 6);
  });

  it('is answered by a model that needs all reports at once', async () => {
    const { open, apiKey } = await filled();
    const { reported } = unwrap(await open(createReportCountModel()).query({ apiKey, identifiers: ASKED }));
    expect(reported).toBe(REPORTS);
  });
});
