import type { StoredTable, StoreProblem } from '../store.ts';
import { problemsOf, rowWalks, walkOn } from './check-rows.ts';
import { sql, type SqlWork } from './statement.ts';
import { TABLES } from './tables.ts';
import type { StoreWork } from './work.ts';

/** Proofs that what is stored fits together, and that each row is as it was written. */
export const CHECK_WORK: Pick<StoreWork, 'check'> = {
  *check() {
    const problems: StoreProblem[] = [];
    for (const invariant of INVARIANTS) problems.push(...(yield* prove(invariant)));
    for (let walk of rowWalks()) {
      while (!walk.isDone) walk = yield* walkOn(walk);
      problems.push(...problemsOf(walk));
    }
    return problems;
  },
};

/** The counts of the check, each right by itself. */
export const checkParts = (): readonly SqlWork<StoreProblem[]>[] => INVARIANTS.map((invariant) => prove(invariant));

/** The same on an engine that runs work at once: others get their turn after each count and each page of rows. */
export async function checkInTurns(run: <T>(work: SqlWork<T>) => T): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for (const part of checkParts()) {
    problems.push(...run(part));
    await giveTurn();
  }
  for (let walk of rowWalks()) {
    while (!walk.isDone) {
      walk = run(walkOn(walk));
      await giveTurn();
    }
    problems.push(...problemsOf(walk));
  }
  return problems;
}

/** Lets everything that waits for this thread have its turn. */
export const giveTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function* prove([problem, counted]: (typeof INVARIANTS)[number]): SqlWork<StoreProblem[]> {
  const [row] = yield* sql(`SELECT count(*) FROM ${counted}`);
  const count = Number(row![0]);
  return count > 0 ? [{ problem, count }] : [];
}

/** What must never be, in words and as what is counted. */
const INVARIANTS: readonly (readonly [problem: string, count: string])[] = [
  [
    'identifiers whose report is missing',
    'identifier i WHERE NOT EXISTS (SELECT 1 FROM report r WHERE r.report_id = i.report_id)',
  ],
  [
    'identifiers of deleted reports',
    'identifier i JOIN report r ON r.report_id = i.report_id WHERE r.removed_at IS NOT NULL',
  ],
  [
    'identifiers that differ from their report',
    `identifier i JOIN report r ON r.report_id = i.report_id WHERE r.removed_at IS NULL
      AND (i.reporter_id <> r.reporter_id OR i.type <> r.type OR i.severity <> r.severity OR i.created_at <> r.created_at)`,
  ],
  [
    'reports without identifiers',
    'report r WHERE r.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM identifier i WHERE i.report_id = r.report_id)',
  ],
  [
    'reports that are not whole',
    'report WHERE removed_at IS NULL AND (nonce IS NULL OR fingerprint IS NULL OR type IS NULL OR severity IS NULL OR text IS NULL OR created_at IS NULL)',
  ],
  [
    'deleted reports that are not erased',
    'report WHERE removed_at IS NOT NULL AND (nonce IS NOT NULL OR fingerprint IS NOT NULL OR type IS NOT NULL OR severity IS NOT NULL OR text IS NOT NULL OR created_at IS NOT NULL)',
  ],
  [
    'disputes of deleted reports with their reason',
    "dispute d JOIN report r ON r.report_id = d.report_id WHERE r.removed_at IS NOT NULL AND d.reason <> ''",
  ],
  [
    'keys without their reporter',
    'api_key k WHERE NOT EXISTS (SELECT 1 FROM reporter r WHERE r.reporter_id = k.reporter_id)',
  ],
  [
    'reports without their reporter',
    'report p WHERE NOT EXISTS (SELECT 1 FROM reporter r WHERE r.reporter_id = p.reporter_id)',
  ],
  [
    'identifiers in links that nobody reports',
    'link_identifier l WHERE NOT EXISTS (SELECT 1 FROM identifier i WHERE i.hash = l.hash)',
  ],
  [
    'disputes whose report is missing',
    'dispute d WHERE NOT EXISTS (SELECT 1 FROM report r WHERE r.report_id = d.report_id)',
  ],
  [
    'disputes with another reporter than their report',
    'dispute d JOIN report r ON r.report_id = d.report_id WHERE d.reporter_id <> r.reporter_id',
  ],
  [
    'reports with more than one open dispute',
    '(SELECT report_id FROM dispute WHERE decided_at IS NULL GROUP BY report_id HAVING count(*) > 1) several',
  ],
  [
    'disputes that are half decided',
    'dispute WHERE (decided_at IS NULL) <> (upheld IS NULL) OR (decided_at IS NULL) <> (decided_by IS NULL)',
  ],
  [
    'identifiers marked as disputed without a dispute',
    'identifier i WHERE i.disputed <> 0 AND NOT EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = i.report_id)',
  ],
  [
    'identifiers with a dispute and without its mark',
    'identifier i WHERE i.disputed = 0 AND EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = i.report_id)',
  ],
  ['reports of a severity outside 1 to 10', 'report WHERE severity < 1 OR severity > 10'],
  ['identifiers of a severity outside 1 to 10', 'identifier WHERE severity < 1 OR severity > 10'],
  ...['identifier', 'protection'].flatMap((table) => [
    [
      `rows of ${table} under more peppers than there are`,
      `${table} WHERE generation < 0 OR generation > (SELECT count(*) FROM pepper)`,
    ] as const,
    [
      `rows of ${table} that were left behind under earlier peppers`,
      `${table} WHERE generation < (SELECT count(*) FROM pepper) AND NOT EXISTS (SELECT 1 FROM pepper WHERE finished_at IS NULL)`,
    ] as const,
  ]),
  ['peppers out of their order', 'pepper WHERE generation < 1 OR generation > (SELECT count(*) FROM pepper)'],
  ...TABLES.map(
    (table) =>
      [
        `rows of ${table.name} with an id, hash or digest of a wrong length`,
        `${table.name} WHERE ${wrongLengths(table)}`,
      ] as const,
  ),
];

function wrongLengths({ columns }: StoredTable): string {
  return columns
    .filter(({ type }) => type === 'bytes')
    .map(({ name, bytes }) => `length(${name}) <> ${bytes}`)
    .join(' OR ');
}
