// Many at once in the panel: reads a table, hashes its identifiers in workers, and sends the hashes in batches.
import { formatWhole } from '../../../core/domain/text.ts';
import { NOT_IDENTIFIER } from '../../../core/identifiers/not-identifier.ts';
import {
  createPageHasher,
  describeFailure,
  IF_EMPTY,
  make,
  readSettings,
  readValue,
  showCountries,
  showError,
  showErrors,
  writeSettings,
  type Hashed,
  type ReadyValue,
} from '../in-page.ts';
import { loadSharedHosts, needsSharedHosts } from '../shared-hosts.ts';
import { rowsOf, toResults, type Planned, type Reply } from '../row-results.ts';
import { guessColumns, readTable, seemsPhone, type ColumnUse, type PastedTable } from '../table.ts';

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
  /** Why there is no table, and the field that it was to come from. */
  wrong: readonly [field: HTMLElement, message: string];
  uses: ColumnUse[];
  left: number;
  running: AbortController | undefined;
  /** Timer of the text that is read next. */
  reading: ReturnType<typeof setTimeout> | undefined;
} = {
  table: undefined,
  wrong: [area, ''],
  uses: [],
  left: Number(form.dataset['left']),
  running: undefined,
  reading: undefined,
};

find('[data-without-script]').hidden = true;
form.hidden = false;
form.noValidate = true;
area.focus();
showCountries(country, settings.country);
country.addEventListener('change', () => {
  settings.country = country.value;
  writeSettings(settings);
  showPlan();
});
area.addEventListener('input', () => {
  // A long table takes a while to read, so wait until no key is pressed.
  clearTimeout(state.reading);
  state.reading = setTimeout(readArea, READ_MS);
});
// What is wrong is said when the table is complete.
area.addEventListener('change', () => {
  // Reading again would replace the columns under the pointer.
  if (state.reading !== undefined) readArea();
  if (area.value.trim() !== '') showError(...state.wrong);
});
form.addEventListener('input', ({ target }) => showError(target as Element, ''));
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
  if (!state.running) void run();
});
cancel.addEventListener('click', () => state.running?.abort());
// Browsers keep the choice on reload.
find('[data-for-all]').hidden = !isReport();
readArea();

function isReport(): boolean {
  return form.querySelector<HTMLInputElement>('[name=what]:checked')?.value === 'report-rows';
}

async function readFile(chosen: File | undefined): Promise<void> {
  if (!chosen) return;
  const isLong = chosen.size > MAX_BYTES;
  const text = isLong ? undefined : await chosen.arrayBuffer().then(decode);
  area.value = '';
  if (text === undefined) {
    const why = isLong ? 'too long. Split it, or leave out columns.' : 'not in UTF-8. Save it as CSV in UTF-8.';
    read('', file, `The file is ${why}`);
  } else read(text, file);
  showError(...state.wrong);
}

function decode(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads what was typed or pasted. A file stays the table until something is. */
function readArea(): void {
  clearTimeout(state.reading);
  state.reading = undefined;
  if (area.value !== '' || state.wrong[0] === area) read(area.value, area);
}

function read(text: string, from: HTMLElement, wrong = ''): void {
  for (const field of [area, file]) showError(field, '');
  fail('');
  // They are of the table before.
  results.replaceChildren();
  const table = text.trim() === '' ? wrong || 'Paste rows, or choose a file.' : readTable(text, limits.rows);
  state.table = typeof table === 'string' ? undefined : table;
  state.wrong = [from, typeof table === 'string' ? table : ''];
  if (state.table) state.uses = guessColumns(state.table, isReport());
  showColumns();
}

function fail(message: string): void {
  problem.textContent = message;
}

/** Says at the fields what is missing, and returns true if nothing is. */
function isComplete(): boolean {
  const wrong: (readonly [field: HTMLElement, message: string])[] = [];
  const ready = state.table ? plan(state.table).filter(({ problem }) => problem === '') : [];
  if (!state.table) wrong.push(state.wrong);
  else if (ready.length === 0) wrong.push([find('#use-0'), 'No row has an identifier. Choose what the columns are.']);
  for (const part of isReport() ? PARTS : []) {
    const isMissing = ready.some(({ fields }) => fields[part] === '');
    if (isMissing) wrong.push([find(`[data-for-all] [name=${part}]`), IF_EMPTY[part]!]);
  }
  return showErrors(form, wrong);
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
      const first = table?.rows.find((cells) => cells[at] !== '')?.[at] ?? '';
      const hint = make('p', '', { class: 'hint', id: `use-${at}-hint` });
      const showHint = (): void => {
        const unsure = table && seemsPhone(table, at, state.uses) ? '. Looks like phone numbers: not used' : '';
        hint.textContent = first === '' ? 'empty' : `such as ${first.slice(0, 40)}${unsure}`;
      };
      showHint();
      select.addEventListener('change', () => {
        state.uses[at] = select.value as ColumnUse;
        showHint();
        showPlan();
      });
      field.append(make('label', name, { for: select.id }), hint, select);
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
          ? ['no identifier', wrong.join(', ')].filter(Boolean).join(': ')
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
  // What fails here is said when the table is sent.
  if (needsSharedHosts(state.uses)) loadSharedHosts().then(showPlan, () => {});
  country.parentElement!.hidden = !table || !state.uses.includes('phone');
  const planned = table ? plan(table) : [];
  const ready = planned.filter((row) => row.problem === '');
  const word = isReport() ? 'Report' : 'Look up';
  start.textContent = ready.length === 0 ? word : `${word} ${rowsOf(ready.length)}`;
  start.disabled = state.running !== undefined;
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

async function run(): Promise<void> {
  if (state.reading !== undefined) readArea();
  fail('');
  results.replaceChildren();
  const { table } = state;
  try {
    if (needsSharedHosts(state.uses)) await loadSharedHosts();
  } catch (error) {
    return fail(describeFailure(error));
  }
  if (!isComplete() || !table) return;
  const running = new AbortController();
  const { signal } = running;
  const wasReport = isReport();
  state.running = running;
  start.disabled = true;
  cancel.hidden = false;
  find('[data-running]').hidden = false;
  const planned = plan(table);
  const mark = state.uses.indexOf('');
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
    // What it would use has been used.
    find('[data-plan]').textContent = '';
  }
  if (replies.every(({ problem }) => problem === 'was not sent')) return;
  results.replaceChildren(...toResults({ table, planned, replies, wasReport, mark, settings }));
  results.focus();
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
