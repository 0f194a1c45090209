// The results of "Many at once": a table in the page, and a file of all rows.
import { formatWhole } from '../../core/domain/text.ts';
import { csvLine } from './csv.ts';
import { advise, ADVICE, make, type Advice, type ReadyValue, type Settings } from './in-page.ts';
import type { PastedTable } from './table.ts';

/** Rows of the result that the page shows. The file has all. */
const MAX_SHOWN = 100;

/** A row of the table, ready to be sent, or why it is not sent. */
export interface Planned {
  readonly cells: readonly string[];
  readonly values: readonly ReadyValue[];
  readonly fields: Readonly<Record<string, string>>;
  readonly problem: string;
}

/** What the service said of a row. */
export type Reply = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a number of rows in words. */
export function rowsOf(number: number): string {
  return `${formatWhole(number)} ${number === 1 ? 'row' : 'rows'}`;
}

/** What became of the rows of a table. */
export interface RowResults {
  readonly table: PastedTable;
  /** Each as its row in the table. */
  readonly planned: readonly Planned[];
  readonly replies: readonly Reply[];
  /** True if the rows were reported, false if they were looked up. */
  readonly wasReport: boolean;
  /** The column that tells people which row it is; -1 without one. */
  readonly mark: number;
  readonly settings: Settings;
}

/** Columns of the result, beside those of the table. */
function resultOf(reply: Reply, { wasReport, settings }: RowResults): (string | number)[] {
  if (reply['problem'] !== undefined) return [String(reply['problem']), ...Array<string>(wasReport ? 2 : 6).fill('')];
  if (wasReport)
    return [
      reply['duplicate'] ? 'reported before' : 'reported',
      String(reply['reportId']),
      String(reply['deletionCode']),
    ];
  return [
    adviceOf(reply, settings)[0],
    Number(reply['points']),
    Number(reply['reliability']),
    Number(reply['reported']),
    Number(reply['organisations']),
    String(reply['said']),
    String(reply['link']),
  ];
}

const ASKED = ['advice', 'points', 'reliability', 'reports', 'organisations', 'reason', 'record'];
const REPORTED = ['result', 'report', 'deletion code'];

/** Returns the results for the page, and the file of all rows. */
export function toResults(of: RowResults): Node[] {
  const { table, planned, replies, wasReport, settings } = of;
  const rows = planned.map(({ cells }, at) => [...cells, ...resultOf(replies[at]!, of)]);
  const csv = [[...table.header, ...(wasReport ? REPORTED : ASKED)], ...rows].map(csvLine).join('');
  const shown = replies
    .map((reply, at) => ({ reply, at }))
    .sort((a, b) => rank(b.reply) - rank(a.reply) || a.at - b.at)
    .slice(0, MAX_SHOWN)
    .sort((a, b) => a.at - b.at);
  const answered = replies.filter(({ problem }) => problem === undefined);
  const failed = replies.length - answered.length;
  const download = make('a', 'Download all as CSV', {
    class: 'button',
    // A mark, so that Excel reads the file as UTF-8.
    href: URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv' })),
    download: wasReport ? 'reported.csv' : 'looked-up.csv',
  });
  const actions = make('p', '', { class: 'actions' });
  const inert = INERT.test(csv) ? " A ' before a sign such as + keeps a spreadsheet from running the cell." : '';
  actions.append(
    download,
    make('span', `Your browser made the file. It has what you pasted.${inert}`, { class: 'quiet' }),
  );
  const advised = ADVICE.map(([word]) => {
    const rows = answered.filter((reply) => adviceOf(reply, settings)[0] === word).length;
    return `${word} ${formatWhole(rows)}`;
  });
  const said = [
    `${rowsOf(answered.length)} ${wasReport ? 'reported' : 'looked up'}${failed > 0 ? `, ${formatWhole(failed)} not` : ''}.`,
    ...(wasReport ? [] : [`${advised.join(', ')}.`]),
    ...(replies.length > MAX_SHOWN ? [`The ${MAX_SHOWN} worst are shown, in the order of your table.`] : []),
  ].join(' ');
  const card = make('div', '', { class: 'card' });
  card.append(make('p', said, { role: 'status' }), actions, toTable(columnsOf(of), shown));
  return [make('h2', 'Results'), card];
}

/** A cell that `csvLine` keeps from running. */
const INERT = /(?:^|[,"])'[=+\-@\t\uff1d\uff0b\uff0d\uff20]/m;

/** The worst first: by points. A row that failed comes before those without reports. */
function rank({ problem, points = 0, reliability = 0 }: Reply): number {
  return problem === undefined ? Number(points) + Number(reliability) / 100 : 0.5;
}

interface Shown {
  readonly reply: Reply;
  readonly at: number;
}

type Column = readonly [title: string, cell: (shown: Shown) => string | Node];

function adviceOf(reply: Reply, settings: Settings): Advice {
  return advise(settings, { points: Number(reply['points']), reliability: Number(reply['reliability']) });
}

/** Returns the columns of the results: which row it was, who, and what became of it. */
function columnsOf(of: RowResults): Column[] {
  const { table, planned, wasReport, mark, settings } = of;
  const name = table.header[mark];
  const which: Column[] = name === undefined ? [] : [[name, ({ at }) => planned[at]!.cells[mark] ?? '']];
  const customer: Column = [
    'Customer',
    ({ at }) => {
      const { values, cells } = planned[at]!;
      return (
        values.map(({ typed }) => typed).join(', ') || cells.filter((cell, n) => cell !== '' && n !== mark).join(', ')
      );
    },
  ];
  const resultAt = (title: string, n: number): Column => [title, ({ reply }) => String(resultOf(reply, of)[n] ?? '')];
  if (wasReport) return [...which, customer, ...REPORTED.map(resultAt)];
  const advice: Column = ['advice', ({ reply }) => toTag(reply, settings)];
  return [
    ...which,
    customer,
    advice,
    resultAt('points', 1),
    resultAt('reports', 3),
    ['reason', ({ reply }) => toReason(reply)],
  ];
}

function toTag(reply: Reply, settings: Settings): string | Node {
  if (reply.problem !== undefined) return '';
  const [word, , tone] = adviceOf(reply, settings);
  return make('span', word, { class: `tag ${tone}` });
}

function toReason({ problem, said = '', link = '' }: Reply): string | Node {
  if (problem !== undefined) return String(problem);
  if (link === '') return String(said);
  const reason = make('span', `${said} `);
  reason.append(make('a', 'Record (new tab)', { href: String(link), target: '_blank', rel: 'noopener' }));
  return reason;
}

function toTable(columns: readonly Column[], shown: readonly Shown[]): HTMLElement {
  const table = make('table', '', { class: 'cards', role: 'table' });
  const head = make('thead', '', { role: 'rowgroup' });
  const row = make('tr', '', { role: 'row' });
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  for (const title of ['Row', ...columns.map(([title]) => title)])
    row.append(make('th', capital(title), { scope: 'col', role: 'columnheader' }));
  head.append(row);
  const body = make('tbody', '', { role: 'rowgroup' });
  for (const one of shown) {
    const line = make('tr', '', { role: 'row' });
    line.append(make('th', String(one.at + 1), { scope: 'row', role: 'rowheader' }));
    for (const [title, cellOf] of columns) {
      const td = make('td', '', { role: 'cell', ...(title === 'reason' && { class: 'block' }) });
      line.append(td);
      const cell = cellOf(one);
      // In the list of cards of a phone, an empty cell has no heading.
      if (cell === '') continue;
      td.setAttribute('data-label', capital(title));
      const content = make('div');
      content.append(cell);
      td.append(content);
    }
    body.append(line);
  }
  table.append(make('caption', 'Results', { class: 'unseen' }), head, body);
  return table;
}
