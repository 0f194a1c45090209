import { isStorable, type StoreProblem } from '../upkeep.ts';
import { AUDIT_WORK } from './audit.ts';
import { elementName } from '../../crypto/crypto.ts';
import { CHECKED_TABLES, EMPTIED, HASHED_TABLES } from './catalogue.ts';
import { hex, sqlName, toBytes, WHOLE, type RowOf } from './columns.ts';
import { walkTable } from './pages.ts';
import { ask, countOf } from './rows.ts';
import type { SqlRow, SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { shape, type Table } from './table.ts';

const ELEMENT_COUNT_COLUMNS = { hash: hex(20), element: hex(32), count: WHOLE };
const ELEMENT_COUNT = shape(ELEMENT_COUNT_COLUMNS);

/** Rows between two pauses. A page of the longest texts has a few megabytes. */
const PAGE = 500;

/** Verifies that the tables are consistent and that each row matches its checksum. */
export const CHECK_WORK = {
  *check() {
    const problems: StoreProblem[] = [];
    for (const part of checkParts(problems)) yield* part;
    return problems;
  },
} satisfies Partial<StoreWork>;

/** Returns the parts of the check. Each part adds its problems to `problems`, then lets other work run. */
export function checkParts(problems: StoreProblem[]): readonly SqlWork<void>[] {
  return [
    ...Object.entries(INVARIANTS).map((invariant) => countProblem(problems, invariant)),
    ...CHECKED_TABLES.map((table) => checkRows(problems, table)),
    ...HASHED_TABLES.map((table) => checkNames(problems, table)),
    checkAudit(problems),
  ];
}

function* countProblem(problems: StoreProblem[], [problem, counted]: readonly [string, string]): SqlWork<void> {
  const count = yield* countOf(counted);
  if (count > 0) problems.push({ problem, count });
  yield { pause: true };
}

function* checkAudit(problems: StoreProblem[]): SqlWork<void> {
  const { firstBad } = yield* AUDIT_WORK.verifyAudit(undefined);
  if (firstBad !== null)
    problems.push({ problem: 'entries of the audit log that do not continue its chain', count: 1 });
}

function* checkRows(problems: StoreProblem[], table: Table): SqlWork<void> {
  const found = { problem: `rows of ${table.name} that do not match their checksum`, count: 0 };
  const strange = { problem: `rows of ${table.name} with a moment that is no date, or control characters`, count: 0 };
  const names = Object.keys(table.columns).map(sqlName);
  const isStrange = (row: SqlRow) => names.some((name, at) => !isStorable(name, row[at]));
  let after: SqlRow | undefined;
  for (;;) {
    const { rows, damaged, isSorted } = yield* walkTable(table, PAGE, after);
    if (found.count === 0 && damaged > 0) problems.push(found);
    found.count += damaged;
    const wrong = rows.filter(isStrange).length;
    if (strange.count === 0 && wrong > 0) problems.push(strange);
    strange.count += wrong;
    // Stop at rows out of order: paging might never end.
    if (!isSorted)
      problems.push({ problem: `rows of ${table.name} that are not in the order of their keys`, count: 1 });
    yield { pause: true };
    if (!isSorted || rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

/** Without a pepper, the hash of a row with an element is the element's name. */
function* checkNames(problems: StoreProblem[], { name }: Table): SqlWork<void> {
  const found = { problem: `rows of ${name} with a hash that is not the name of their element`, count: 0 };
  let page: readonly RowOf<typeof ELEMENT_COUNT_COLUMNS>[];
  let after = '';
  do {
    page = yield* ask(
      ELEMENT_COUNT,
      `SELECT hash, element, count(*) FROM ${name}
        WHERE hash > ? AND element IS NOT NULL AND generation = 0 AND length(element) = 32
        GROUP BY hash, element ORDER BY hash, element LIMIT ${PAGE}`,
      toBytes(after),
    );
    for (const { hash, element, count } of page) if (elementName(element) !== hash) found.count += count;
    after = page.at(-1)?.hash ?? '';
    yield { pause: true };
  } while (page.length === PAGE);
  if (found.count > 0) problems.push(found);
}

/** Rows of a table that refer to a row of `owner` that is missing. */
const lacking = (table: string, owner: string, column: string): string =>
  `${table} t WHERE NOT EXISTS (SELECT 1 FROM ${owner} o WHERE o.${column} = t.${column})`;

/** Rows of a table about a report that name another reporter than the report. */
const ofAnother = (table: string): string =>
  `${table} t JOIN report r ON r.report_id = t.report_id WHERE t.reporter_id <> r.reporter_id`;

/** Rows that must never exist. Key: the problem as text. Value: what to count. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'identifiers whose report is missing': lacking('identifier', 'report', 'report_id'),
  'identifiers of deleted reports':
    'identifier i JOIN report r ON r.report_id = i.report_id WHERE r.removed_at IS NOT NULL',
  'identifiers that differ from their report': `identifier i JOIN report r ON r.report_id = i.report_id WHERE r.removed_at IS NULL
      AND (i.reporter_id <> r.reporter_id OR i.type <> r.type OR i.severity <> r.severity OR i.created_at <> r.created_at)`,
  'reports without identifiers':
    'report r WHERE r.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM identifier i WHERE i.report_id = r.report_id)',
  'reports without a required value':
    'report WHERE removed_at IS NULL AND (nonce IS NULL OR fingerprint IS NULL OR type IS NULL OR severity IS NULL OR text IS NULL OR created_at IS NULL)',
  'deleted reports whose content is not erased': `report WHERE removed_at IS NOT NULL AND (${EMPTIED.map((name) => `${sqlName(name)} IS NOT NULL`).join(' OR ')})`,
  'disputes of deleted reports whose reason is not erased':
    "dispute d JOIN report r ON r.report_id = d.report_id WHERE r.removed_at IS NOT NULL AND d.reason <> ''",
  'disputes of deleted reports whose answer is not erased':
    'dispute d JOIN report r ON r.report_id = d.report_id WHERE r.removed_at IS NOT NULL AND d.answer IS NOT NULL',
  'disputes with an incomplete answer': 'dispute WHERE (answer IS NULL) <> (answered_at IS NULL)',
  'keys whose reporter is missing': lacking('api_key', 'reporter', 'reporter_id'),
  'keys with an unknown scope': "api_key WHERE scope NOT IN ('query', 'report')",
  'reporters with a budget below 1': 'reporter WHERE identifiers_per_day < 1',
  'counts of identifiers whose reporter is missing': lacking('reporter_usage', 'reporter', 'reporter_id'),
  'webhooks whose reporter is missing':
    'webhook w WHERE w.reporter_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reporter r WHERE r.reporter_id = w.reporter_id)',
  'reports whose reporter is missing': lacking('report', 'reporter', 'reporter_id'),
  'identifiers in links that are in no report': lacking('link_identifier', 'identifier', 'hash'),
  'disputes whose report is missing': lacking('dispute', 'report', 'report_id'),
  'disputes whose reporter differs from the reporter of the report': ofAnother('dispute'),
  'claims whose report is not a deleted one':
    'claim c WHERE NOT EXISTS (SELECT 1 FROM report r WHERE r.report_id = c.report_id AND r.removed_at IS NOT NULL)',
  'claims whose reporter differs from the reporter of the report': ofAnother('claim'),
  'claims without a dispute that is open or upheld, and without a request': `claim c
      WHERE NOT EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = c.report_id AND coalesce(d.upheld, 1) = 1)
      AND NOT EXISTS (SELECT 1 FROM dispute_request q JOIN report r ON r.report_id = q.report_id
        WHERE q.report_id = c.report_id AND r.removed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM person_case p JOIN report r ON r.report_id = p.report_id
        WHERE p.report_id = c.report_id AND r.removed_at IS NOT NULL)`,
  'requests for disputes whose report is missing, or was deleted without a claim': `dispute_request q
      WHERE NOT EXISTS (SELECT 1 FROM report r WHERE r.report_id = q.report_id AND r.removed_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM claim c JOIN report r ON r.report_id = c.report_id WHERE c.report_id = q.report_id)`,
  'requests for disputes whose reporter differs from the reporter of the report': ofAnother('dispute_request'),
  'requests for disputes about reports with an open dispute':
    'dispute_request q WHERE EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = q.report_id AND d.decided_at IS NULL)',
  'cases of persons whose report is missing': lacking('person_case', 'report', 'report_id'),
  'cases of persons whose request is missing':
    'person_case c WHERE c.request_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM dispute_request q WHERE q.report_id = c.report_id AND q.request_id = c.request_id)',
  'messages of cases that do not exist': lacking('case_message', 'person_case', 'case_id'),
  'reports with more than one open dispute':
    '(SELECT report_id FROM dispute WHERE decided_at IS NULL GROUP BY report_id HAVING count(*) > 1) several',
  'disputes with an incomplete decision':
    'dispute WHERE (decided_at IS NULL) <> (upheld IS NULL) OR (decided_at IS NULL) <> (decided_by IS NULL)',
  'identifiers marked as disputed that have no dispute':
    'identifier i WHERE i.disputed <> 0 AND NOT EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = i.report_id)',
  'disputed identifiers that are not marked as disputed':
    'identifier i WHERE i.disputed = 0 AND EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = i.report_id)',
  'reports with a severity outside 1 to 10': 'report WHERE severity < 1 OR severity > 10',
  'identifiers with a severity outside 1 to 10': 'identifier WHERE severity < 1 OR severity > 10',
  'peppers with a generation out of sequence':
    'pepper WHERE generation < 1 OR generation > (SELECT count(*) FROM pepper)',
  'seals with a generation out of sequence': 'seal WHERE generation < 1 OR generation > (SELECT count(*) FROM seal)',
  'hashes of identifiers with several elements, or with one in some rows only': `(SELECT hash FROM identifier WHERE EXISTS (SELECT 1 FROM seal)
      GROUP BY hash HAVING count(DISTINCT element) > 1 OR count(element) NOT IN (0, count(*))) several`,
  'entries of the allow-list with another element than an identifier of the same hash':
    'protection p JOIN identifier i ON i.hash = p.hash WHERE p.element <> i.element OR (p.element IS NULL) <> (i.element IS NULL)',
  ...Object.fromEntries(
    HASHED_TABLES.flatMap(({ name: table }) => [
      [
        `rows of ${table} with an element but no seal, or with a seal but no element`,
        `${table} WHERE (element IS NULL) <> (seal IS NULL)`,
      ],
      [
        `rows of ${table} with a seal that the store does not have`,
        `${table} WHERE seal < 1 OR seal > (SELECT count(*) FROM seal)`,
      ],
      [
        `rows of ${table} without an element in a sealed store`,
        `${table} WHERE element IS NULL AND seal IS NULL AND EXISTS (SELECT 1 FROM seal)`,
      ],
      [
        `rows of ${table} with a generation that no pepper has`,
        `${table} WHERE generation < 0 OR generation > (SELECT count(*) FROM pepper)`,
      ],
      [
        `rows of ${table} that a finished pepper rotation did not change`,
        `${table} WHERE generation < (SELECT count(*) FROM pepper)
          AND NOT EXISTS (SELECT 1 FROM pepper WHERE finished_at IS NULL)`,
      ],
    ]),
  ),
  ...Object.fromEntries(
    CHECKED_TABLES.map((table) => [
      `rows of ${table.name} with an id, hash or digest of the wrong length`,
      `${table.name} WHERE ${wrongLengths(table)}`,
    ]),
  ),
};

function wrongLengths({ columns }: Table): string {
  return Object.entries(columns)
    .flatMap(([name, { bytes }]) => (bytes === undefined ? [] : [`length(${sqlName(name)}) <> ${bytes}`]))
    .join(' OR ');
}
