import { createClient, type Client, type ClientQueryResult, type PublicReport } from '../../../client.ts';
import { isCode } from '../../../core/domain/identifier.ts';
import { faultOf, formatFault } from '../../../core/domain/options.ts';
import type { ReportDraft } from '../../../core/domain/report.ts';
import { DIALECTS } from '../../../core/protocol/dialect.ts';
import { command, form } from '../command.ts';
import { asUsage, CommandError, UsageError } from '../errors.ts';
import { formatDetails, formatFailure } from '../client/failure.ts';
import { readIdentifiers, readKey, readText, readUrl } from '../client/input.ts';
import { formatReceipt } from '../client/receipt.ts';
import { adviseRedact, redact } from '../client/redact.ts';
import {
  CLIENT_SEALED,
  pingSealed,
  QUERY_SEALED,
  querySealed,
  reportSealed,
  WATCH_SEALED,
  watchSealed,
} from '../client/sealed.ts';
import { CLEAR_VALUES } from '../clear-values.ts';
import { HASHING } from '../hashing-options.ts';
import { choice, flag, text, value, whole, type ValuesOf } from '../option.ts';
import { JSON_OUTPUT } from '../operator-options.ts';
import { formatMoment, formatTable, printable, printAnswer, printWarnings } from '../output.ts';
import { count, withoutTrailing } from '../../../core/domain/text.ts';

const SERVICE = {
  url: text('URL', 'address of the service, with or without /api (variable REDFLAG_URL)'),
  'key-file': text('FILE', 'file with the API key; without it, the variable REDFLAG_API_KEY'),
  timeout: whole('SECONDS', [1, 3600], 'time for a reply, with all retries of query, show and ping', 10),
  ...JSON_OUTPUT,
};
const DIALECT = {
  dialect: choice(
    'DIALECT',
    DIALECTS,
    'how the service answers: classic for OK:…, <report>… and ERR:…; not with --sealed',
    'specification',
  ),
};
const IDENTIFIERS = { hashed: flag('the values are hashes'), ...CLEAR_VALUES, ...HASHING };
const REPORT = {
  type: text('TYPE', 'offence type, such as fraud, chargeback or phishing (required)'),
  severity: whole('N', [1, 10], '1 to 10 (required)'),
  text: text('TEXT', 'public description, without personal data'),
  'text-file': text('FILE', 'the description from a file; - is standard input'),
  redact: flag('replace personal data in the description by words such as [IP address], for lines of a log'),
};

export const client = command({
  name: 'client',
  title: 'query a service and report to it, as one of its reporters',
  forms: {
    query: form({
      usage: 'KIND=VALUE…',
      summary: 'score identifiers, such as email=client@example.com',
      options: { ...SERVICE, ...DIALECT, ...IDENTIFIERS },
      async run(values, pairs) {
        requireOneInput(values, pairs);
        const service = await open(values);
        const identifiers = await readIdentifiers(pairs, values);
        const result = await call(values, service.query(identifiers));
        const organisations = values.json ? undefined : await countOrganisations(service, result);
        printAnswer(result, values.json, (answer) => formatResult(answer, organisations));
      },
    }),
    report: form({
      usage: 'KIND=VALUE…',
      summary: 'report identifiers; prints the deletion code',
      options: { ...REPORT, ...SERVICE, ...DIALECT, ...IDENTIFIERS },
      async run(values, pairs) {
        requireOneInput(values, pairs);
        const service = await open(values);
        const draft = await readDraft(values, pairs);
        const { deletionCode = null, reportId = null } = await advised(
          draft,
          call(values, service.report(draft), true),
        );
        printAnswer({ deletionCode, reportId }, values.json, () => formatReceipt(deletionCode));
      },
    }),
    delete: form({
      value: value('CODE', 'one deletion code of 16 hex characters', (code) =>
        isCode(code.toLowerCase()) ? code : undefined,
      ),
      summary: 'delete a report by its deletion code',
      options: { ...SERVICE, ...DIALECT },
      async run(values, code) {
        const service = await open(values);
        await call(values, service.remove(code), true);
        printAnswer({ deleted: true }, values.json, () => 'Deleted.\n');
      },
    }),
    show: form({
      value: value('LINK', 'one link, as client query prints it', String),
      summary: 'show the reports behind the link of a query',
      options: { ...SERVICE, ...DIALECT },
      async run(values, link) {
        const service = await open(values, { hasKey: false });
        const shown = service.view(link).catch((error: unknown) => {
          const fault = faultOf(error);
          throw fault ? new UsageError(formatFault('client show', fault)) : error;
        });
        const reports = await call(values, shown);
        if (!reports)
          throw new CommandError('the service shows no reports for this link; if you expect some, try again later');
        printAnswer(reports, values.json, formatReports);
      },
    }),
    ping: form({
      summary: 'ask whether the service accepts the API key, with a query',
      options: { ...SERVICE, ...DIALECT },
      async run(values) {
        const service = await open(values);
        const { accepted, details = '' } = await call(values, service.ping());
        if (accepted || values.json) printAnswer({ accepted }, values.json, () => 'The service accepts the API key.\n');
        if (!accepted) throw new CommandError(`the service refuses the API key: ${formatDetails(details, true)}`);
      },
    }),
    'query --sealed': form({
      usage: 'KIND=VALUE…',
      options: {
        sealed: flag('score identifiers without telling the service which (experimental)'),
        ...QUERY_SEALED,
        ...SERVICE,
        ...IDENTIFIERS,
      },
      async run(values, pairs) {
        requireOneInput(values, pairs);
        return querySealed(values, await readIdentifiers(pairs, values));
      },
    }),
    'watch --sealed': form({
      value: value('FILE', 'a file of customers, a line each: a name and hashes, such as 4711 email=HASH', String),
      options: {
        sealed: flag('score a list of customers on this machine, and print what changed since the last run'),
        ...WATCH_SEALED,
        ...SERVICE,
      },
      run: (values, file) => watchSealed(values, file),
    }),
    'ping --sealed': form({
      options: {
        sealed: flag('fetch the rows, and print the link of their manifest, to compare with other clients'),
        ...CLIENT_SEALED,
        ...SERVICE,
      },
      run: (values) => pingSealed(values),
    }),
    'report --sealed': form({
      usage: 'KIND=VALUE…',
      options: {
        sealed: flag(
          'report pseudonyms in place of hashes (experimental), with the options of report and the keys and evaluations of query --sealed',
        ),
        ...REPORT,
        ...CLIENT_SEALED,
        ...SERVICE,
        ...IDENTIFIERS,
      },
      async run(values, pairs) {
        requireOneInput(values, pairs);
        const draft = await readDraft(values, pairs);
        return advised(draft, reportSealed(values, draft));
      },
    }),
  },
  notes: `Values are hashed here: the service never sees them. With - in place of KIND=VALUE…, each line of
standard input is such a pair. This keeps the values out of the shell's history and the process list.

Exit codes: 0 success, 1 the service refused or did not answer, 2 invalid command line; with --sealed
also 3 unknown (nothing could be asked, or rows are missing), 4 stale (the rows are too old) and
5 partial (watch has not scored some customers).
`,
});

interface Inputs {
  readonly 'key-file': string | undefined;
  readonly 'text-file'?: string | undefined;
}

function requireOneInput(values: Inputs, pairs: readonly string[]): void {
  const inputs = [values['text-file'], values['key-file'], pairs.find((pair) => pair === '-')];
  if (inputs.filter((input) => input === '-').length > 1)
    throw new UsageError('- means standard input; use it once, for identifiers, --text-file or --key-file');
}

/** Awaits the answer to a call. Throws its failure in words. A write may have taken effect although it failed. */
function call<T>({ timeout }: { readonly timeout: number }, answer: Promise<T>, isWrite = false): Promise<T> {
  return answer.catch((error: unknown) => {
    throw formatFailure(error, timeout, isWrite);
  });
}

async function open(
  { url: given, 'key-file': keyFile, dialect, timeout }: ValuesOf<typeof SERVICE & typeof DIALECT>,
  { hasKey } = { hasKey: true },
): Promise<Client> {
  const { url, label } = readUrl(given);
  const apiKey = hasKey ? await readKey(keyFile) : undefined;
  return asUsage(() => createClient({ baseUrl: url, apiKey, dialect, timeoutMs: 1000 * timeout }), { baseUrl: label });
}

type Draft = ValuesOf<typeof REPORT & typeof IDENTIFIERS>;

async function readDraft(values: Draft, pairs: readonly string[]): Promise<ReportDraft> {
  const { type, severity } = values;
  if (type === undefined) throw new UsageError('client report expects --type');
  if (severity === undefined) throw new UsageError('client report expects --severity');
  const given = await readDescription(values);
  const { text, changes } = values.redact ? redact(given) : { text: given, changes: [] };
  if (changes.length > 0) printWarnings([`the text is sent ${changes.join(', ')}`]);
  const draft = { type, severity, text };
  return { ...draft, identifiers: await readIdentifiers(pairs, values) };
}

async function readDescription({ text: given, 'text-file': file, redact }: Draft): Promise<string> {
  if (given !== undefined && file !== undefined) throw new UsageError('--text and --text-file exclude each other');
  if (given !== undefined) return given;
  if (file === undefined) throw new UsageError('client report expects --text or --text-file');
  return withoutTrailing(await readText('text-file', file, { fatal: !redact }), '\r\n');
}

/** Adds to a refusal what helps against personal data in the text. */
function advised<T>({ text }: ReportDraft, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    const isRefusal = error instanceof CommandError && error.message.startsWith('the service refused');
    throw isRefusal ? new CommandError(error.message + adviseRedact(text)) : error;
  });
}

/**
 * Returns how many organisations made the reports behind a link; undefined if this follows from the result, or if the
 * viewer does not answer. The viewer keeps a report of each organisation, up to its bounds.
 */
async function countOrganisations(service: Client, { reported, link }: ClientQueryResult): Promise<number | undefined> {
  if (reported < 2) return undefined;
  const reports = await service.view(link).catch(() => undefined);
  return reports && new Set(reports.map(({ reporter }) => reporter)).size;
}

/** Clients show the link always, and say so if nothing matches (protocol 4.4). */
function formatResult(
  { points, reported, reliability, link }: ClientQueryResult,
  organisations: number | undefined,
): string {
  const by = organisations === undefined ? '' : `, by ${count(organisations, 'organisation')}`;
  const isMatch = points > 0 || reported > 0 || reliability > 0;
  const verdict = `Points: ${points}\nReported: ${reported}${by}\nReliability: ${reliability.toFixed(1)} of 10\n`;
  return `${isMatch ? verdict : 'No matches.\n'}Link: ${printable(link)}\n`;
}

function formatReports(reports: readonly PublicReport[]): string {
  const rows = reports.map(({ createdAt, type, severity, reporter, text }) =>
    [formatMoment(createdAt), type, String(severity), reporter, text].map(printable),
  );
  return formatTable([['CREATED', 'TYPE', 'SEVERITY', 'REPORTER', 'DESCRIPTION'], ...rows]);
}
