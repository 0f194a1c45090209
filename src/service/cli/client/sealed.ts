import type { Identifier } from '../../../core/domain/identifier.ts';
import type { ReportDraft } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import {
  createMemoryReplica,
  createSealedClient,
  SealedManifestError,
  SealedServiceError,
  type SealedAnswer,
  type SealedClient,
  type SealedClientOptions,
} from '../../../sealed.ts';
import { isAway, isTooOld } from '../../../sealed/client/publications.ts';
import { openEvaluationFile, openFolderReplica } from '../../../sealed/client/folder.ts';
import { asUsage, CommandError, UsageError } from '../errors.ts';
import { text, whole, type ValuesOf } from '../option.ts';
import { formatMoment, printAnswer } from '../output.ts';
import { CHECK_KEY } from './failure.ts';
import { readKey, readText, readUrl } from './input.ts';
import { formatReceipt } from './receipt.ts';

/** The options of `client report --sealed`. */
export const REPORT_SEALED = {
  'operator-key': text('KEY', "the operator's public key, 43 characters of base64url (required)"),
  evaluations: text('FILE', 'encrypted file that keeps evaluations and what was seen last; one per service'),
  'evaluations-key-file': text('FILE', 'its key: 64 hex characters'),
  'evaluator-key': text('KEY', "public key of the service's evaluator: refuse another one, or none"),
  'accept-link': text('LINK', 'link of a manifest to accept although it does not continue the last one'),
};

/** The options of `client ping --sealed`. */
export const PING_SEALED = {
  ...REPORT_SEALED,
  replica: text('FOLDER', 'folder that keeps all rows; one per service (required for query)'),
};

/** The options of `client query --sealed`. */
export const QUERY_SEALED = {
  ...PING_SEALED,
  'most-rows': whole('N', [1, 0xffff_ffff], 'refuse a snapshot of more rows, of 21 bytes each', 10_000_000),
};

interface Service {
  readonly url: string | undefined;
  readonly 'key-file': string | undefined;
  /** Seconds. */
  readonly timeout: number;
  readonly json: boolean;
}

type ReportValues = ValuesOf<typeof REPORT_SEALED> & Service;

/** Exit code by answer. */
const CODES: Readonly<Record<SealedAnswer['answer'], number>> = { score: 0, unknown: 3, stale: 4 };

/** Scores identifiers by the sealed look-up, and prints the answer. Resolves with the exit code. */
export async function querySealed(
  values: ValuesOf<typeof QUERY_SEALED> & Service,
  identifiers: readonly Identifier[],
): Promise<number> {
  if (values.replica === undefined) throw new UsageError('client query --sealed expects --replica');
  const { replica: folder, 'most-rows': maxRows } = values;
  return withClient(values, { folder, maxRows }, async (client) => {
    await bringUpToDate(client);
    const answer = await client.query(identifiers);
    printAnswer(answer, values.json, formatAnswer);
    return CODES[answer.answer];
  });
}

/** Fetches the rows, and prints which manifest they are of. Resolves with the exit code. */
export function pingSealed(values: ValuesOf<typeof PING_SEALED> & Service): Promise<number> {
  return withClient(values, { folder: values.replica }, async (client) => {
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
export function reportSealed(values: ReportValues, draft: ReportDraft): Promise<number> {
  return withClient(values, {}, async (client) => {
    // If this fails, nothing was reported.
    await client.prepare(draft.identifiers);
    const receipt = await client.report(draft).catch((error: unknown) => {
      if (!(error instanceof SealedServiceError) || !UNCERTAIN.includes(error.code)) throw error;
      throw new CommandError(`${error.message}; the report may have been stored`);
    });
    printAnswer(receipt, values.json, ({ deletionCode }) => formatReceipt(deletionCode));
    return 0;
  });
}

/** After these errors, a report may have taken effect. */
const UNCERTAIN: readonly string[] = ['unavailable', 'no-connection', 'timeout', 'unexpected-reply'];

async function withClient(
  values: ReportValues,
  given: Pick<SealedClientOptions, 'maxRows'> & { readonly folder?: string | undefined },
  work: (client: SealedClient) => Promise<number>,
): Promise<number> {
  const { folder, ...bounds } = given;
  const { 'operator-key': operatorKey, 'evaluator-key': evaluatorKey, 'accept-link': acceptLink } = values;
  if (operatorKey === undefined) throw new UsageError('--sealed expects --operator-key');
  const { url, label } = readUrl(values.url);
  const apiKey = await readKey(values['key-file']);
  const evaluations = await openEvaluations(values);
  // A report needs no rows.
  const replica = folder === undefined ? createMemoryReplica() : await openFolderReplica(folder);
  const options: SealedClientOptions = {
    baseUrl: url,
    apiKey,
    operatorKey,
    evaluatorKey,
    acceptLink,
    replica,
    evaluations,
    ...bounds,
    timeoutMs: 1000 * values.timeout,
  };
  const client = await asUsage(() => createSealedClient(options), {
    baseUrl: label,
    operatorKey: '--operator-key',
    evaluatorKey: '--evaluator-key',
    acceptLink: '--accept-link',
  });
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof SealedManifestError)
      throw new CommandError(error.message.replace('acceptLink', '--accept-link').replace('maxRows', '--most-rows'), {
        cause: error,
      });
    if (!(error instanceof SealedServiceError)) throw error;
    // A key of another scope is refused with the same code.
    throw new CommandError(
      error.code === 'unauthorised'
        ? `the service refused the API key (status ${error.status})${CHECK_KEY}, and the scope of the key`
        : error.message,
    );
  } finally {
    await client.close();
  }
}

/** Opens the file of evaluations. Without one, each run evaluates again. */
async function openEvaluations({ evaluations, 'evaluations-key-file': keyFile }: ReportValues) {
  if (evaluations === undefined && keyFile === undefined) return undefined;
  if (evaluations === undefined || keyFile === undefined)
    throw new UsageError('--evaluations and --evaluations-key-file belong together');
  const key = (await readText('evaluations-key-file', keyFile)).trim();
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw new UsageError('--evaluations-key-file expects 64 hex characters, as "openssl rand -hex 32" prints them');
  return openEvaluationFile(evaluations, { key: Uint8Array.from(Buffer.from(key, 'hex')) });
}

const REASONS = {
  'no-manifest': 'the service has no publication now or does not answer, and nothing is kept',
  'no-evaluation': 'the service does not evaluate identifiers now',
  'rate-limited': 'a limit of the service is used up',
};

function formatAnswer(answer: SealedAnswer): string {
  if (answer.answer === 'unknown') {
    const { retryAfterSeconds } = answer;
    const wait = retryAfterSeconds === null ? '' : `; try again in ${count(retryAfterSeconds, 'second')}`;
    return `Unknown: ${REASONS[answer.why]}${wait}.\n`;
  }
  if (answer.answer === 'stale')
    return `Stale: the rows are of ${formatMoment(answer.asOf)}, and there are no newer ones.\n`;
  const { points, reported, reliability, asOf } = answer;
  const verdict = `Points: ${points}\nReported: ${reported}\nReliability: ${reliability.toFixed(1)} of 10\n`;
  return `${reported > 0 ? verdict : 'No matches.\n'}As of: ${formatMoment(asOf)}\n`;
}
