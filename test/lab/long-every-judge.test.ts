import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { readLists } from '../../scripts/scoring/dated-lists.ts';
import { figuresOf, rankingOf } from '../../scripts/scoring/figures.ts';
import { intervalOf, type Interval } from '../../scripts/scoring/intervals.ts';
import { CUT_DAYS, listTasks } from '../../scripts/scoring/list-tasks.ts';
import { answersOf, type Candidate, type TableCache, type Task } from '../../scripts/scoring/task.ts';

// Every list in turn judges the others, on each of ten days. A single judge and day can mislead: decision 83.
const DATA = fileURLToPath(new URL('../data', import.meta.url));
const MODEL: Candidate = { name: 'model', model: createLinkClaimModel(), standings: 'default' };
const COUNT: Candidate = { name: 'count', model: createReportCountModel(), standings: 'none' };

/** Returns the figures of a task, and as `wrong pr` how well low scores find the listed domains that are no frauds. */
function measure(candidate: Candidate, task: Task): Readonly<Record<string, number>> {
  const cache: TableCache = new Map();
  const matched = task.epochs
    .flatMap((epoch) => answersOf(candidate, epoch, cache))
    .filter(({ reports }) => reports.length > 0);
  const wrong = rankingOf(matched.map(({ label, points }) => ({ label: label === 0 ? 1 : 0, score: 1000 - points })));
  return { ...figuresOf(candidate, task, cache), ...(wrong['pr'] === undefined ? {} : { 'wrong pr': wrong['pr'] }) };
}

let differences: (figure: string) => Interval;
let calibrationError: number;
beforeAll(async () => {
  const lists = await readLists(DATA);
  // One task at a time: all of them need much memory.
  const rows = Array.from(listTasks(lists, CUT_DAYS, true), (task) => ({
    group: task.group,
    unit: task.unit,
    model: measure(MODEL, task),
    count: measure(COUNT, task),
  }));
  differences = (figure) => {
    const cells = rows.flatMap(({ group, unit, model, count }) => {
      const value = model[figure]! - count[figure]!;
      return Number.isFinite(value) ? [{ group, unit, value }] : [];
    });
    return intervalOf(cells, true);
  };
  const errors = rows.flatMap(({ group, unit, model }) => {
    const value = model['ece'];
    return value === undefined ? [] : [{ group, unit, value }];
  });
  calibrationError = intervalOf(errors, true).value;
});

describe('dated lists with every list as the judge, against the count of reports', () => {
  it('are ranked as well over all labels', () => {
    expect(differences('auc').value).toBeGreaterThan(-0.002);
    expect(differences('pr').value).toBeGreaterThan(0);
  });

  it('are ranked better if the judge listed them only later', () => {
    expect(differences('later auc').low).toBeGreaterThan(0.02);
    expect(differences('later pr').low).toBeGreaterThan(0.02);
    expect(differences('later pr').value).toBeGreaterThan(0.07);
  });

  it('have a Reliability near the share that is right, without a map', () => {
    // With the fading of Points, and without its least value, it is .24 (decision 83).
    expect(calibrationError).toBeLessThan(0.19);
  });

  it('show wrongly listed domains better', () => {
    expect(differences('wrong pr').value).toBeGreaterThan(0.05);
    expect(differences('wrong pr').low).toBeGreaterThan(0);
  });
});
