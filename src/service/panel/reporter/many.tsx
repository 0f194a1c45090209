import { formatRefusal } from '../../../core/protocol/wording.ts';
import { nameOfType } from '../../web/parts.tsx';
import { ownId } from '../fields.ts';
import { hashingData, readHashed, WithoutScript } from '../hashed.tsx';
import { giveTurn, type DataReply, type PanelContent, type PanelPage, type PanelRequest } from '../page.ts';
import { Choice, Field } from '../parts.tsx';
import { describeAnswer } from './look-up.tsx';
import { SEVERITIES, submit, wordForField } from './report.tsx';

/** Rows of one table. */
const MAX_ROWS = 5_000;
/** Rows that the script sends in one request: some milliseconds of work each. */
const ROWS_AT_ONCE = 50;

/** Look up or report many customers from a table. Its script reads the table, and sends hashes only. */
export const MANY: PanelPage = {
  path: 'many',
  title: 'Many at once',
  role: 'reporter',
  show: showMany,
  data: {
    'look-up-rows': (request) => eachRow(request, askRow),
    // An equal report within a day is a retry, so rows that are sent again are not reported twice.
    'report-rows': (request) => eachRow(request, reportRow),
  },
};

/** What a row has. */
const FIELDS = ['identifiers', 'type', 'severity', 'text'] as const;
/** Characters of a row outside its strings: braces, colons and commas. */
const MARKS_OF_ROW = 20;

/** Does the rows of a request one after the other. A row that is refused does not stop the others. */
async function eachRow(
  request: PanelRequest,
  work: (request: PanelRequest, row: ReadonlyMap<string, string>) => Promise<DataReply>,
): Promise<DataReply> {
  const rows = readRows(request.fields.get('rows'));
  if (!rows) return { problem: `The request must have 1 to ${ROWS_AT_ONCE} rows.` };
  const done: DataReply[] = [];
  for (const row of rows) {
    done.push(await work(request, row));
    await giveTurn();
  }
  const usage = await request.engine.usageOf({ reporterId: ownId(request.visitor) });
  return { rows: done, left: usage.ok ? usage.value.identifiersLeft : 0 };
}

function readRows(text = ''): ReadonlyMap<string, string>[] | undefined {
  // To parse very many small values takes long.
  const marks = text.replaceAll(/\\./gs, '').replaceAll(/"[^"]*"/g, '');
  if (marks.length > ROWS_AT_ONCE * MARKS_OF_ROW) return undefined;
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > ROWS_AT_ONCE) return undefined;
  return rows.map((row: unknown) => {
    const has = (name: string) => typeof row === 'object' && row !== null && Object.hasOwn(row, name);
    const fields = FIELDS.filter(has).map((name) => [name, (row as Record<string, unknown>)[name]] as const);
    return new Map(fields.filter((field): field is [(typeof field)[0], string] => typeof field[1] === 'string'));
  });
}

async function askRow({ engine, visitor }: PanelRequest, row: ReadonlyMap<string, string>): Promise<DataReply> {
  const identifiers = readHashed(row.get('identifiers'));
  if (!identifiers.ok) return { problem: wordForField(identifiers.refusal) };
  const answer = await engine.lookUp({ reporterId: ownId(visitor), identifiers: identifiers.value });
  if (!answer.ok) return { problem: formatRefusal(answer.refusal), isLimited: answer.refusal.reason === 'limited' };
  const { points, reported, reliability, organisations, link } = answer.value;
  return {
    points,
    reported,
    reliability,
    organisations: organisations.length,
    said: describeAnswer(answer.value),
    link: reported > 0 ? link : '',
  };
}

async function reportRow(request: PanelRequest, row: ReadonlyMap<string, string>): Promise<DataReply> {
  const outcome = await submit(request, row);
  if (!outcome.ok) return { problem: wordForField(outcome.refusal), isLimited: outcome.refusal.reason === 'limited' };
  const { reportId, deletionCode, duplicate } = outcome.value;
  return { reportId, deletionCode, duplicate };
}

async function showMany(request: PanelRequest): Promise<PanelContent> {
  const { engine, visitor, form, to } = request;
  const [rules, usage] = await Promise.all([engine.describe(), engine.usageOf({ reporterId: ownId(visitor) })]);
  if (!rules.ok || !usage.ok) throw new Error('the rules or the usage of a reporter were refused');
  const { offenceTypes, bounds } = rules.value;
  const { identifiersLeft } = usage.value;
  return {
    title: 'Many at once',
    scripts: ['many'],
    body: (
      <>
        <WithoutScript>
          <pre tabindex={0}>npx redflag hash --csv customers.csv --column email --out hashed.csv</pre>
        </WithoutScript>
        <form
          method="post"
          action={to('many')}
          class="card"
          data-many
          autocomplete="off"
          data-most={bounds.identifiers}
          data-most-rows={MAX_ROWS}
          data-at-once={ROWS_AT_ONCE}
          data-left={identifiersLeft}
          {...hashingData(request)}
          hidden
        >
          {form('look-up-rows')}
          <fieldset class="field">
            <legend>What to do</legend>
            <p class="check">
              <input type="radio" id="to-look-up" name="what" value="look-up-rows" checked />
              <label for="to-look-up">Look up each row</label>
            </p>
            <p class="check">
              <input type="radio" id="to-report" name="what" value="report-rows" />
              <label for="to-report">Report each row</label>
            </p>
          </fieldset>
          <div class="field">
            <label for="table">The table, one customer a row</label>
            <p class="hint" id="table-hint">
              Paste rows, or drop or choose a CSV file of up to {MAX_ROWS.toLocaleString('en')} rows. Your browser reads
              it and sends hashes only.
            </p>
            <textarea
              id="table"
              data-key="/"
              aria-describedby="table-hint"
              rows={6}
              autocomplete="off"
              spellcheck={false}
            />
          </div>
          <div class="field">
            <label for="file">Or a file</label>
            <input type="file" id="file" accept=".csv,.tsv,.txt,text/csv,text/plain" />
          </div>
          <div data-for-all hidden>
            <h2>For rows without their own</h2>
            <div class="fields">
              <Choice
                name="type"
                label="What happened"
                asks
                options={Object.fromEntries(offenceTypes.map((type) => [type, nameOfType(type)]))}
              />
              <Choice name="severity" label="Severity" asks options={SEVERITIES} />
            </div>
            <Field
              name="text"
              label="What happened, in your words"
              hint="Everyone with the record can read it. No names, addresses, phone or account numbers."
              type="lines"
              maxLength={bounds.textCharacters}
              required
            />
          </div>
          <div data-columns hidden>
            <h2>Columns</h2>
            <div class="fields" data-uses />
          </div>
          <div class="field">
            <label for="country">Country of phone numbers without a country code</label>
            <select id="country" />
          </div>
          <p role="status" data-plan />
          <p class="problem" role="alert" data-problem />
          <div data-running hidden>
            <label for="progress" data-step>
              Hashing
            </label>
            <progress id="progress" max={1} value={0} />
          </div>
          <p class="actions">
            <button class="button primary" data-start>
              Look up
            </button>
            <button class="button" type="button" data-cancel hidden>
              Cancel
            </button>
          </p>
        </form>
        <section class="after" id="results" tabIndex={-1} aria-label="Results" />
      </>
    ),
  };
}
