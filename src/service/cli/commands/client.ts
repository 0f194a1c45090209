import { createClient, type Client, type ClientQueryResult, type PublicReport } from '../../../client.ts';
import { isCode } from '../../../core/domain/identifier.ts';
import type { ReportDraft } from '../../../core/domain/report.ts';
import { DIALECTS, type Dialect } from '../../../core/protocol/dialect.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../../hash.ts';
import {
  asUsage,
  CommandError,
  readArguments,
  readWhole,
  refuseOptions,
  UsageError,
  type Command,
} from '../arguments.ts';
import { wordDetails, wordFailure } from '../client/failure.ts';
import { readIdentifiers, readKey, readText, readUrl } from '../client/input.ts';
import { formatReceipt } from '../client/receipt.ts';
import { querySealed, reportSealed, SEALED_OPTIONS } from '../client/sealed.ts';
import { formatMoment, formatTable, printable, printAnswer } from '../output.ts';
import { withoutTrailing } from '../../../core/domain/text.ts';

const SECONDS = 10;

export const client: Command = {
  help: `redflag client: query a service and report to it, as one of its reporters

  redflag client query KIND=VALUE…    score identifiers, such as email=client@example.com
  redflag client report KIND=VALUE…   report identifiers; prints the deletion code
      --type TYPE                     offence type, such as fraud, chargeback or phishing (required)
      --severity N                    1 to 10 (required)
      --text TEXT                     public description, without personal data
      --text-file FILE                the description from a file; - is standard input
  redflag client delete CODE          delete a report by its deletion code
  redflag client show LINK            show the reports behind the link of a query
  redflag client ping                 ask whether the service accepts the API key, with a query

  redflag client query --sealed KIND=VALUE…
                                      score identifiers without telling the service which (experimental)
      --operator-key KEY              the operator's public key, 43 characters of base64url (required)
      --replica FOLDER|buckets|none   a folder with all rows, some rows per query, or the service (required)
      --most-unsealed N               answer although so many stored identifiers have no rows yet (default 0)
      --evaluations FILE              encrypted file that keeps evaluations and what was seen last; one per service
      --evaluations-key-file FILE     its key: 64 hex characters
      --evaluator-key KEY             public key of the service's evaluator: refuse another one, or none
  redflag client report --sealed KIND=VALUE…
                                      report pseudonyms in place of hashes (experimental), with the options
                                      of report and the keys and evaluations of query --sealed

  --url URL                           address of the service, with or without /api (variable REDFLAG_URL)
  --key-file FILE                     file with the API key; without it, the variable REDFLAG_API_KEY
  --dialect ${DIALECTS.join('|')}    how the service answers: classic for OK:…, <report>… and ERR:…
                                      (default specification)
  --hashed                            the values are hashes (query, report)
  --prefix TEXT                       prefix of the service, put before the value in each round (default ${DEFAULT_PREFIX})
  --iterations N                      rounds of the service (default ${DEFAULT_ITERATIONS})
  --timeout SECONDS                   time for a reply, with all retries of query, show and ping (default ${SECONDS})
  --json                              print JSON

Values are hashed here: the service never sees them. With - in place of KIND=VALUE…, each line of standard input is
such a pair. This keeps the values out of the shell's history and the process list.

Exit codes: 0 success, 1 the service refused or did not answer, 2 invalid command line; with --sealed also 3 unknown
(nothing could be asked, or rows are missing) and 4 stale (the rows are too old).
`,
  async run(args) {
    const { values, positionals } = readOptions(args);
    const [name = '', ...rest] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action) throw new UsageError('client expects query, report, delete, show or ping; see redflag client --help');
    if (name !== 'report') refuseOptions(values, ['type', 'severity', 'text', 'text-file'], 'belongs to client report');
    if (name !== 'report' && name !== 'query')
      refuseOptions(values, ['hashed', 'prefix', 'iterations'], 'belongs to client query and report');
    const inputs = [values['text-file'], values['key-file'], rest.find((pair) => pair === '-')];
    if (inputs.filter((input) => input === '-').length > 1)
      throw new UsageError('- means standard input; use it once, for identifiers, --text-file or --key-file');
    const seconds = readWhole('timeout', values.timeout ?? String(SECONDS), 1, 3600);
    if (values.sealed !== true) refuseOptions(values, SEALED_OPTIONS, 'belongs to client query and report --sealed');
    else {
      refuseOptions(values, ['dialect'], 'does not go with --sealed');
      if (name === 'query') return querySealed(values, await readHashed(rest, values), seconds);
      if (name !== 'report') throw new UsageError('--sealed belongs to client query and report');
      refuseOptions(values, ['replica', 'most-unsealed'], 'belongs to client query --sealed');
      return reportSealed(values, await readDraft(rest, values), seconds);
    }
    const service = await open(values, name === 'show', seconds);
    const call = await action(rest, values);
    try {
      await call(service);
    } catch (error) {
      throw wordFailure(error, seconds, name === 'report' || name === 'delete');
    }
    return undefined;
  },
};

function readOptions(args: readonly string[]) {
  return readArguments(args, {
    text: [
      'type',
      'severity',
      'text',
      'text-file',
      'url',
      'key-file',
      'dialect',
      'prefix',
      'iterations',
      'timeout',
      'operator-key',
      'evaluator-key',
      'replica',
      'most-unsealed',
      'evaluations',
      'evaluations-key-file',
    ],
    flags: ['hashed', 'json', 'sealed'],
  });
}

type Values = ReturnType<typeof readOptions>['values'];

/** Reads everything that a call needs, and returns the call. So nothing is sent if the command line is wrong. */
type Action = (rest: readonly string[], values: Values) => Promise<(client: Client) => Promise<void>>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async query(pairs, values) {
    const identifiers = await readHashed(pairs, values);
    return async (service) => printAnswer(await service.query(identifiers), values.json, formatResult);
  },
  async report(pairs, values) {
    const draft = await readDraft(pairs, values);
    return async (service) => {
      const { deletionCode = null, reportId = null } = await service.report(draft);
      printAnswer({ deletionCode, reportId }, values.json, () => formatReceipt(deletionCode));
    };
  },
  async delete(rest, { json }) {
    const expected = 'client delete expects one deletion code of 16 hex characters';
    const code = readOne(rest, expected);
    if (!isCode(code.toLowerCase())) throw new UsageError(expected);
    return async (service) => {
      await service.remove(code);
      printAnswer({ deleted: true }, json, () => 'Deleted.\n');
    };
  },
  async show(rest, { json }) {
    const link = readOne(rest, 'client show expects one link, as client query prints it');
    return async (service) => {
      const reports = await service.view(link).catch((error: unknown) => {
        const { message } = error as Error;
        throw message.startsWith('"linkOrHash"')
          ? new UsageError(message.replace('"linkOrHash"', 'client show'))
          : error;
      });
      if (!reports)
        throw new CommandError('the service shows no reports for this link; if you expect some, try again later');
      printAnswer(reports, json, formatReports);
    };
  },
  async ping(rest, { json }) {
    if (rest.length > 0) throw new UsageError('client ping expects no value');
    return async (service) => {
      const { accepted, details = '' } = await service.ping();
      if (accepted || json) printAnswer({ accepted }, json, () => 'The service accepts the API key.\n');
      if (!accepted) throw new CommandError(`the service refuses the API key: ${wordDetails(details, true)}`);
    };
  },
};

async function open(values: Values, isShow: boolean, seconds: number): Promise<Client> {
  const { url, label } = readUrl(values.url);
  const apiKey = isShow ? undefined : await readKey(values['key-file']);
  return asUsage(
    // createClient validates the dialect.
    () => createClient({ baseUrl: url, apiKey, dialect: values.dialect as Dialect, timeoutMs: 1000 * seconds }),
    (message) => message.replace('"baseUrl"', label).replace('"dialect"', '--dialect'),
  );
}

function readOne(rest: readonly string[], message: string): string {
  const [value, ...more] = rest;
  if (value === undefined || more.length > 0) throw new UsageError(message);
  return value;
}

function readHashed(pairs: readonly string[], values: Values): ReturnType<typeof readIdentifiers> {
  const { hashed = false, prefix = DEFAULT_PREFIX, iterations = String(DEFAULT_ITERATIONS) } = values;
  return readIdentifiers(pairs, { hashed, prefix, iterations: readWhole('iterations', iterations, 1, 0xffff_ffff) });
}

async function readDraft(pairs: readonly string[], values: Values): Promise<ReportDraft> {
  const { type, severity = '' } = values;
  if (type === undefined) throw new UsageError('client report expects --type');
  const draft = { type, severity: readWhole('severity', severity, 1, 10), text: await readDescription(values) };
  return { ...draft, identifiers: await readHashed(pairs, values) };
}

async function readDescription({ text, 'text-file': file }: Values): Promise<string> {
  if (text !== undefined && file !== undefined) throw new UsageError('--text and --text-file exclude each other');
  if (text !== undefined) return text;
  if (file === undefined) throw new UsageError('client report expects --text or --text-file');
  return withoutTrailing(await readText('text-file', file), '\r\n');
}

/** Clients show the link always, and say so if nothing matches (protocol 4.4). */
function formatResult({ points, reported, reliability, link }: ClientQueryResult): string {
  const isMatch = points > 0 || reported > 0 || reliability > 0;
  const verdict = `Points: ${points}\nReported: ${reported}\nReliability: ${reliability.toFixed(1)} of 10\n`;
  return `${isMatch ? verdict : 'No matches.\n'}Link: ${printable(link)}\n`;
}

function formatReports(reports: readonly PublicReport[]): string {
  const rows = reports.map(({ createdAt, type, severity, reporter, text }) =>
    [formatMoment(createdAt), type, String(severity), reporter, text].map(printable),
  );
  return formatTable([['CREATED', 'TYPE', 'SEVERITY', 'REPORTER', 'DESCRIPTION'], ...rows]);
}
