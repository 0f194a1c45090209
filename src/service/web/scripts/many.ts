// Many at once in the panel: reads a table, hashes its identifiers in workers, and sends the hashes in batches.
import { formatWhole } from '../../../core/domain/text.ts';
import { NOT_IDENTIFIER } from '../../../core/identifiers/not-identifier.ts';
import { csvLine } from '../csv.ts';
import {
  createPageHasher,
  describeFailure,
  make,
  readSettings,
  readValue,
  showCountries,
  writeSettings,
  type Hashed,
  type ReadyValue,
} from '../in-page.ts';
import { guessColumns, readTable, type ColumnUse, type PastedTable } from '../table.ts';

/** Rows of the result that the page shows. The file has all. */
const MAX_SHOWN = 100;
/** Bytes of a file. 5,000 rows have less. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Milliseconds after the last change of the text until it is read. */
const READ_MS = 150;
/** Waits that one batch takes for its limit of a minute. */
const MAX_WAITS = 20;

const USES: Readonly<Record<ColumnUse, string>> = {
  '': 'not used',
  email: 'email',
  phone: 'phone',
  ip: 'IP address',
  domain: 'domain',
  name: 'name',
  other: 'other data',
  type: 'what happened',
  severity: 'severity',
  text: 'text of the report',
};
const PARTS: readonly ColumnUse[] = ['type', 'severity', 'text'];

/** A row of the table, ready to be sent, or why it is not sent. */
interface Planned {
  readonly cells: readonly string[];
  readonly values: readonly ReadyValue[];
  readonly fields: Readonly<Record<string, string>>;
  readonly problem: string;
}

/** What the service said of a row. */
type Reply = Readonly<Record<string, string | number | boolean | undefined>>;

class Problem extends Error {}

const find = <T extends HTMLElement>(selector: string): T => document.querySelector<T>(selector)!;
const form = find<HTMLFormElement>('form[data-many]');
const area = find<HTMLTextAreaElement>('#table');
const file = find<HTMLInputElement>('#file');
const country = find<HTMLSelectElement>('#country');
const start = find<HTMLButtonElement>('[data-start]');
const cancel = find<HTMLButtonElement>('[data-cancel]');
const progress = find<HTMLProgressElement>('#progress');
const problem = find('[data-problem]');
const results = find('#results');
const settings = readSettings();
const hasher = createPageHasher(form);
const limits = {
  identifiers: Number(form.dataset['most']),
  rows: Number(form.dataset['mostRows']),
  atOnce: Number(form.dataset['atOnce']),
};
const state: {
  table: PastedTable | undefined;
  uses: ColumnUse[];
  left: number;
  running: AbortController | undefined;
  /** Timer of the text that is read next. */
  reading: ReturnType<typeof setTimeout> | undefined;
} = { table: undefined, uses: [], left: Number(form.dataset['left']), running: undefined, reading: undefined };

find('[data-without-script]').hidden = true;
form.hidden = false;
showCountries(country, settings.country);
country.addEventListener('change', () => {
  settings.country = country.value;
  writeSettings(settings);
  showPlan();
});
area.addEventListener('input', () => {
  // A long table takes a while to read, so wait until no key is pressed.
  clearTimeout(state.reading);
  start.disabled = true;
  state.reading = setTimeout(() => read(area.value), READ_MS);
});
file.addEventListener('change', () => void readFile(file.files?.[0]));
form.addEventListener('dragover', (event) => event.preventDefault());
form.addEventListener('drop', (event) => {
  event.preventDefault();
  void readFile(event.dataTransfer?.files[0]);
});
for (const radio of form.querySelectorAll('[name=what]'))
  radio.addEventListener('change', () => {
    find('[data-for-all]').hidden = !isReport();
    if (state.table) state.uses = guessColumns(state.table, isReport());
    showColumns();
  });
find('[data-for-all]').addEventListener('change', showPlan);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!start.disabled && !state.running) void run();
});
cancel.addEventListener('click', () => state.running?.abort());
// Browsers keep the choice on reload.
find('[data-for-all]').hidden = !isReport();
read(area.value);

function isReport(): boolean {
  return form.querySelector<HTMLInputElement>('[name=what]:checked')?.value === 'report-rows';
}

async function readFile(chosen: File | undefined): Promise<void> {
  if (!chosen) return;
  if (chosen.size > MAX_BYTES) return fail('The file is too long. Split it, or leave out columns.');
  const text = await chosen.arrayBuffer().then(decode);
  if (text === undefined) return fail('The file is not in UTF-8. Save it as CSV in UTF-8.');
  area.value = '';
  read(text);
}

function decode(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function read(text: string): void {
  fail('');
  state.table = undefined;
  if (text.trim() !== '') {
    const table = readTable(text, limits.rows);
    if (typeof table === 'string') fail(table);
    else {
      state.table = table;
      state.uses = guessColumns(table, isReport());
    }
  }
  showColumns();
}

function fail(message: string): void {
  problem.textContent = message;
}

/** Shows each column with its first value and what it is used as. */
function showColumns(): void {
  const { table, uses } = state;
  find('[data-columns]').hidden = !table;
  const options = (Object.keys(USES) as ColumnUse[]).filter((use) => isReport() || !PARTS.includes(use));
  find('[data-uses]').replaceChildren(
    ...(table?.header ?? []).map((name, at) => {
      const field = make('div', '', { class: 'field' });
      const select = make('select', '', { id: `use-${at}`, 'aria-describedby': `use-${at}-hint` });
      for (const use of options) select.append(new Option(USES[use], use));
      select.value = uses[at] ?? '';
      select.addEventListener('change', () => {
        state.uses[at] = select.value as ColumnUse;
        showPlan();
      });
      const first = table?.rows.find((cells) => cells[at] !== '')?.[at] ?? '';
      field.append(
        make('label', name, { for: select.id }),
        make('p', first === '' ? 'empty' : `such as ${first.slice(0, 40)}`, { class: 'hint', id: `use-${at}-hint` }),
        select,
      );
      return field;
    }),
  );
  showPlan();
}

function plan({ rows }: PastedTable): Planned[] {
  const forAll = new FormData(form);
  const textOf = (name: string, cells: readonly string[]): string => {
    const at = state.uses.indexOf(name as ColumnUse);
    const own = at < 0 ? '' : (cells[at] ?? '');
    const all = forAll.get(name);
    return own || (typeof all === 'string' ? all : '');
  };
  return rows.map((cells): Planned => {
    const values: ReadyValue[] = [];
    const wrong: string[] = [];
    for (const [at, use] of state.uses.entries()) {
      const typed = cells[at] ?? '';
      if (use === '' || PARTS.includes(use) || typed === '') continue;
      const value = readValue(use, typed, country.value);
      if (typeof value === 'string') wrong.push(`the ${USES[use]} ${NOT_IDENTIFIER[value]}`);
      else if (value.text !== '') values.push({ kind: use, text: value.text, typed });
    }
    const fields = isReport()
      ? {
          type: textOf('type', cells).toLowerCase().replaceAll(' ', '_'),
          severity: textOf('severity', cells),
          text: textOf('text', cells),
        }
      : {};
    const problem =
      values.length > limits.identifiers
        ? `more than ${limits.identifiers} identifiers`
        : values.length === 0
          ? ['no identifier', ...wrong].join(': ')
          : '';
    return { cells, values, fields, problem };
  });
}

/** Returns the identifiers that a row costs: also other spellings, of questions. */
function costOf({ values, problem }: Planned): number {
  if (problem !== '') return 0;
  const texts = values.flatMap(({ kind, text, typed }) => {
    const plain = typed.replaceAll(' ', '').toLowerCase();
    return isReport() ? [`${kind} ${text}`] : [`${kind} ${text}`, `${kind} ${plain}`];
  });
  return Math.min(new Set(texts).size, limits.identifiers);
}

/** Says what will happen, before it starts. */
function showPlan(): void {
  const { table, left } = state;
  const planned = table ? plan(table) : [];
  const ready = planned.filter((row) => row.problem === '');
  const word = isReport() ? 'Report' : 'Look up';
  start.textContent = ready.length === 0 ? word : `${word} ${rowsOf(ready.length)}`;
  start.disabled = ready.length === 0 || state.running !== undefined;
  const cost = ready.reduce((sum, row) => sum + costOf(row), 0);
  const skipped = planned.length - ready.length;
  const parts = [
    `Uses ${formatWhole(cost)} of your ${formatWhole(left)} identifiers left today.`,
    ...(skipped > 0 ? [`${rowsOf(skipped)} without an identifier ${skipped === 1 ? 'is' : 'are'} left out.`] : []),
    ...(cost > left
      ? ['Not all of it fits today: the rest is refused, and you can send the same table tomorrow.']
      : []),
  ];
  find('[data-plan]').textContent = table ? parts.join(' ') : '';
}

function rowsOf(number: number): string {
  return `${formatWhole(number)} ${number === 1 ? 'row' : 'rows'}`;
}

async function run(): Promise<void> {
  const { table } = state;
  if (!table) return;
  const running = new AbortController();
  const { signal } = running;
  const wasReport = isReport();
  state.running = running;
  start.disabled = true;
  cancel.hidden = false;
  find('[data-running]').hidden = false;
  fail('');
  results.replaceChildren();
  const planned = plan(table);
  const replies: Reply[] = planned.map((row) => ({ problem: row.problem || 'was not sent' }));
  try {
    const at = planned.flatMap(({ problem }, index) => (problem === '' ? [index] : []));
    step('Hashing in your browser', 0, 1);
    const hashes = await hasher.hash(
      at.map((index) => planned[index]!.values),
      { signal, onProgress: (done, total) => step('Hashing in your browser', done, total) },
    );
    for (let from = 0; from < at.length; from += limits.atOnce) {
      step('Sending hashes', from, at.length);
      const batch = at.slice(from, from + limits.atOnce);
      const sent = batch.map((index, n) => toSent(planned[index]!, hashes[from + n]!, wasReport));
      const answers = await send(sent, wasReport, signal);
      for (const [n, index] of batch.entries()) replies[index] = answers[n] ?? { problem: 'was not answered' };
      const limited = answers.find(({ isLimited }) => isLimited);
      if (!limited) continue;
      // The budget of the day is used up, so the other rows would be refused, too.
      for (const index of at.slice(from + batch.length)) replies[index] = limited;
      break;
    }
  } catch (error) {
    if (signal.aborted) fail('Stopped. Rows that were sent before are below.');
    else fail(error instanceof Problem ? error.message : describeFailure(error));
  } finally {
    state.running = undefined;
    cancel.hidden = true;
    find('[data-running]').hidden = true;
    showPlan();
  }
  if (replies.some(({ problem }) => problem !== 'was not sent')) showResults(table, planned, replies, wasReport);
}

function step(what: string, done: number, total: number): void {
  find('[data-step]').textContent = `${what}: ${formatWhole(done)} of ${formatWhole(total)}`;
  progress.max = Math.max(1, total);
  progress.value = done;
}

/** Only questions ask in other spellings: in a report, these would count twice. */
function toSent(
  { fields }: Planned,
  { identifiers, also }: Hashed,
  isReport: boolean,
): Readonly<Record<string, string>> {
  return { ...fields, identifiers: isReport || also === '' ? identifiers : `${identifiers} ${also}` };
}

async function send(
  rows: readonly Readonly<Record<string, string>>[],
  isReport: boolean,
  signal: AbortSignal,
): Promise<readonly Reply[]> {
  const token = find<HTMLInputElement>('form[data-many] [name=token]').value;
  const body = new URLSearchParams({
    do: isReport ? 'report-rows' : 'look-up-rows',
    token,
    rows: JSON.stringify(rows),
  });
  for (let waits = 0; ; waits++) {
    const reply = await fetch(form.action, { method: 'POST', body, signal });
    const seconds = Number(reply.headers.get('Retry-After'));
    if (reply.status === 429 && seconds > 0 && waits < MAX_WAITS) {
      await pause(seconds * 1_000, signal);
      continue;
    }
    if (!reply.headers.get('Content-Type')?.startsWith('application/json'))
      throw new Problem('You are signed out, or the page is too old. Open it again, and send the same table.');
    const {
      rows: answers,
      left,
      problem,
    } = (await reply.json()) as { rows?: Reply[]; left?: number; problem?: string };
    if (!answers) throw new Problem(problem ?? 'The service refused the rows.');
    state.left = left ?? state.left;
    return answers;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('stopped', 'AbortError'));
    });
  });
}

function adviceOf({ points = 0, reliability = 0 }: Reply): string {
  if (Number(points) >= settings.hold && Number(reliability) >= settings.reliability) return 'hold';
  return Number(points) >= settings.look ? 'look' : 'allow';
}

/** Columns of the result, beside those of the table. */
function resultOf(reply: Reply, wasReport: boolean): (string | number)[] {
  if (reply['problem'] !== undefined) return [String(reply['problem']), ...Array<string>(wasReport ? 2 : 6).fill('')];
  if (wasReport)
    return [
      reply['duplicate'] ? 'reported before' : 'reported',
      String(reply['reportId']),
      String(reply['deletionCode']),
    ];
  return [
    adviceOf(reply),
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

function showResults(
  table: PastedTable,
  planned: readonly Planned[],
  replies: readonly Reply[],
  wasReport: boolean,
): void {
  const names = wasReport ? REPORTED : ASKED;
  const rows = planned.map(({ cells }, at) => [...cells, ...resultOf(replies[at]!, wasReport)]);
  const csv = [[...table.header, ...names], ...rows].map(csvLine).join('');
  const order = replies
    .map((reply, at) => ({ reply, at }))
    .sort((a, b) => rank(b.reply) - rank(a.reply) || a.at - b.at)
    .slice(0, MAX_SHOWN);
  const failed = replies.filter(({ problem }) => problem !== undefined).length;
  const done = replies.length - failed;
  const download = make('a', 'Download all as CSV', {
    class: 'button',
    // A mark, so that Excel reads the file as UTF-8.
    href: URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv' })),
    download: wasReport ? 'reported.csv' : 'looked-up.csv',
  });
  const actions = make('p', '', { class: 'actions' });
  const more = replies.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} are shown, the worst first.` : '';
  actions.append(download, make('span', `Your browser made the file. It has what you pasted.`, { class: 'quiet' }));
  const said = `${rowsOf(done)} ${wasReport ? 'reported' : 'looked up'}${failed > 0 ? `, ${formatWhole(failed)} not` : ''}.${more}`;
  const card = make('div', '', { class: 'card' });
  card.append(make('p', said, { role: 'status' }), actions, toTable(order, planned, wasReport));
  results.replaceChildren(make('h2', 'Results'), card);
  results.focus();
}

/** The worst first: by points. A row that failed comes before those without reports. */
function rank({ problem, points = 0, reliability = 0 }: Reply): number {
  return problem === undefined ? Number(points) + Number(reliability) / 100 : 0.5;
}

function toTable(
  order: readonly { readonly reply: Reply; readonly at: number }[],
  planned: readonly Planned[],
  wasReport: boolean,
): HTMLElement {
  const titles = ['Row', 'Customer', ...(wasReport ? REPORTED : ['advice', 'points', 'reports', 'reason'])];
  const table = make('table', '', { class: 'cards', role: 'table' });
  const head = make('thead', '', { role: 'rowgroup' });
  const row = make('tr', '', { role: 'row' });
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  for (const title of titles) row.append(make('th', capital(title), { scope: 'col', role: 'columnheader' }));
  head.append(row);
  const body = make('tbody', '', { role: 'rowgroup' });
  for (const { reply, at } of order) {
    const line = make('tr', '', { role: 'row' });
    line.append(make('th', String(at + 1), { scope: 'row', role: 'rowheader' }));
    const { values, cells: own } = planned[at]!;
    const who = values.map(({ typed }) => typed).join(', ') || own.filter((cell) => cell !== '').join(', ');
    const result = resultOf(reply, wasReport);
    const cells = wasReport ? [who, ...result] : [who, result[0], result[1], result[3], result[5]];
    for (const [n, cell] of cells.entries()) {
      const td = make('td', '', { role: 'cell' });
      line.append(td);
      // In the list of cards of a phone, an empty cell has no heading.
      if (cell === undefined || cell === '') continue;
      td.setAttribute('data-label', capital(titles[n + 1]!));
      const link = n === 4 && !wasReport ? reply['link'] : '';
      td.append(
        typeof link === 'string' && link !== ''
          ? make('a', String(cell), { href: link, target: '_blank', rel: 'noopener' })
          : make('div', String(cell)),
      );
    }
    body.append(line);
  }
  table.append(make('caption', 'Results', { class: 'unseen' }), head, body);
  return table;
}
