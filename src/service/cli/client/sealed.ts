import type { Identifier } from '../../../core/domain/identifier.ts';
import type { ReportDraft } from '../../../core/domain/report.ts';
import { faultOf, formatFault } from '../../../core/domain/options.ts';
import { count } from '../../../core/domain/text.ts';
import {
  createSealedClient,
  SealedError,
  type SealedAnswer,
  type SealedClient,
  type SealedClientOptions,
  type SealedStale,
  type SealedUnknown,
  type WatchAnswer,
  type WatchedScore,
} from '../../../sealed.ts';
import { isAway, isTooOld } from '../../../sealed/client/publications.ts';
import { openClientFolder } from '../../../sealed/client/folder.ts';
import { asUsage, CommandError, UsageError } from '../errors.ts';
import { text, whole, type ValuesOf } from '../option.ts';
import { formatMoment, printable, printAnswer } from '../output.ts';
import { CLIENT_VARIABLES } from '../settings/sources.ts';
import { readKey, readUrl, readWatched } from './input.ts';
import { formatReceipt } from './receipt.ts';

/** The options of `client report --sealed` and `ping --sealed`. */
export const CLIENT_SEALED = {
  'operator-key': text('KEY', "the operator's public key, 43 characters of base64url (required)"),
  folder: text('FOLDER', 'folder that keeps all rows and evaluations; one per service', { default: 'redflag-client' }),
  'folder-key-file': text('FILE', 'key that seals the evaluations, created if missing; default: FOLDER.key'),
  'evaluator-key': text('KEY', "public key of the service's evaluator: refuse another one, or none"),
  'accept-link': text('LINK', 'link of a manifest to accept although it does not continue the last one'),
};

/** The options of `client query --sealed`. */
export const QUERY_SEALED = {
  ...CLIENT_SEALED,
  'most-rows': whole('N', [1, 0xffff_ffff], 'refuse a snapshot of more rows, of 21 bytes each', 10_000_000),
};

/** The options of `client watch --sealed`. */
export const WATCH_SEALED = {
  ...QUERY_SEALED,
  threshold: whole('POINTS', [1, 1_000_000], 'tell which customers reach so many points, or fall below', 50),
};

interface Service {
  readonly url: string | undefined;
  readonly 'key-file': string | undefined;
  /** Seconds. */
  readonly timeout: number;
  readonly json: boolean;
}

type ClientValues = ValuesOf<typeof CLIENT_SEALED> & Service;

/** Exit code by answer. */
const CODES: Readonly<Record<(SealedAnswer | WatchAnswer)['answer'], number>> = {
  score: 0,
  complete: 0,
  unknown: 3,
  stale: 4,
  partial: 5,
};

/** Scores identifiers by the sealed look-up, and prints the answer. Resolves with the exit code. */
export async function querySealed(
  values: ValuesOf<typeof QUERY_SEALED> & Service,
  identifiers: readonly Identifier[],
): Promise<number> {
  return withClient(values, { maxRows: values['most-rows'] }, async (client) => {
    await bringUpToDate(client);
    const answer = await client.query(identifiers);
    printAnswer(answer, values.json, formatAnswer);
    return CODES[answer.answer];
  });
}

/** Scores the customers of a file, and prints what changed since the last run. Resolves with the exit code. */
export async function watchSealed(values: ValuesOf<typeof WATCH_SEALED> & Service, file: string): Promise<number> {
  const { threshold, 'most-rows': maxRows } = values;
  const customers = await readWatched(file);
  return withClient(values, { maxRows }, async (client) => {
    const answer = await client.watch(customers, { threshold });
    printAnswer(answer, values.json, formatWatch);
    // What was printed is not told again.
    if ('keep' in answer) await answer.keep();
    return CODES[answer.answer];
  });
}

/** Fetches the rows, and prints which manifest they are of. Resolves with the exit code. */
export function pingSealed(values: ClientValues): Promise<number> {
  return withClient(values, {}, async (client) => {
    const { link, sequence, epoch, asOf } = await client.refresh();
    printAnswer(
      { link, sequence, epoch, asOf },
      values.json,
      () => `Link: ${link}\nSequence: ${sequence} of epoch ${epoch}\nAs of: ${formatMoment(asOf)}\n`,
    );
    return 0;
  });
}

/** Kept rows may be a day old. If there are no newer ones, the query judges their age. */
async function bringUpToDate(client: SealedClient): Promise<void> {
  try {
    await client.refresh();
  } catch (error) {
    if (!isAway(error) && !isTooOld(error)) throw error;
  }
}

/** Sends a report with pseudonyms, and prints the deletion code. Resolves with the exit code. */
export function reportSealed(values: ClientValues, draft: ReportDraft): Promise<number> {
  return withClient(values, {}, async (client) => {
    // If this fails, nothing was reported.
    await client.prepare(draft.identifiers);
    const receipt = await client.report(draft).catch((error: unknown) => {
      if (!(error instanceof SealedError) || !UNCERTAIN.includes(error.code)) throw error;
      throw new CommandError(`${messageOf(error)}; the report may have been stored`, { cause: error });
    });
    printAnswer(receipt, values.json, ({ deletionCode }) => formatReceipt(deletionCode));
    return 0;
  });
}

/** After these errors, a report may have taken effect. */
const UNCERTAIN: readonly string[] = ['unavailable', 'no-connection', 'timeout', 'unexpected-reply'];

async function withClient(
  values: ClientValues,
  bounds: Pick<SealedClientOptions, 'maxRows'>,
  work: (client: SealedClient) => Promise<number>,
): Promise<number> {
  const { 'operator-key': operatorKey, 'evaluator-key': evaluatorKey, 'accept-link': acceptLink } = values;
  if (operatorKey === undefined) throw new UsageError('--sealed expects --operator-key');
  const { url, label } = readUrl(values.url);
  const apiKey = await readKey(values['key-file']);
  const folder = await openClientFolder(values.folder, { keyFile: values['folder-key-file'] }).catch(
    (error: unknown) => {
      const fault = faultOf(error);
      throw fault ? new UsageError(formatFault('--folder-key-file', fault)) : error;
    },
  );
  const options: SealedClientOptions = {
    baseUrl: url,
    apiKey,
    operatorKey,
    evaluatorKey,
    acceptLink,
    folder,
    ...bounds,
    timeoutMs: 1000 * values.timeout,
  };
  const client = await asUsage(() => createSealedClient(options), { ...LABELS, baseUrl: label });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof SealedError ? new CommandError(messageOf(error), { cause: error }) : error;
  } finally {
    await client.close();
  }
}

/** The options of a client, as a user knows them. */
const LABELS: Readonly<Record<string, string>> = {
  baseUrl: '--url',
  apiKey: `${CLIENT_VARIABLES.apiKey} or --key-file`,
  operatorKey: '--operator-key',
  evaluatorKey: '--evaluator-key',
  acceptLink: '--accept-link',
  folder: '--folder',
  maxRows: '--most-rows',
  timeoutMs: '--timeout',
};

function messageOf({ problem, option }: SealedError): string {
  return option === undefined ? problem : `${problem}; see ${LABELS[option] ?? option}`;
}

const REASONS = {
  'no-manifest': 'the service has no publication now or does not answer, and nothing is kept',
  'no-evaluation': 'the service does not evaluate identifiers now',
  'rate-limited': 'a limit of the service is used up',
};

function formatWatch(answer: WatchAnswer): string {
  if (answer.answer === 'unknown' || answer.answer === 'stale') return formatNoAnswer(answer);
  const { rose, fell, unscored, unknown, asOf } = answer;
  const line = (word: string) => (one: WatchedScore) =>
    `${word}: ${printable(one.name)}, ${count(one.points, 'point')}, ${count(one.reported, 'report')}\n`;
  const why = unknown === null ? '' : ` ${formatNoAnswer(unknown)}`;
  const end = unscored === 0 ? 'Complete.\n' : `Partial: ${count(unscored, 'customer')} not scored yet.${why || '\n'}`;
  return `${rose.map(line('Rose')).join('')}${fell.map(line('Fell')).join('')}As of: ${formatMoment(asOf)}\n${end}`;
}

function formatNoAnswer(answer: SealedUnknown | SealedStale): string {
  if (answer.answer === 'stale')
    return `Stale: the rows are of ${formatMoment(answer.asOf)}, and there are no newer ones.\n`;
  const { retryAfterSeconds } = answer;
  const wait = retryAfterSeconds === null ? '' : `; try again in ${count(retryAfterSeconds, 'second')}`;
  return `Unknown: ${REASONS[answer.why]}${wait}.\n`;
}

function formatAnswer(answer: SealedAnswer): string {
  if (answer.answer !== 'score') return formatNoAnswer(answer);
  const { points, reported, reliability, asOf } = answer;
  const verdict = `Points: ${points}\nReported: ${reported}\nReliability: ${reliability.toFixed(1)} of 10\n`;
  return `${reported > 0 ? verdict : 'No matches.\n'}As of: ${formatMoment(asOf)}\n`;
}
