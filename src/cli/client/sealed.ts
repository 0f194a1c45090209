import type { Identifier } from '../../domain/identifier.ts';
import { count } from '../../domain/text.ts';
import { createSealedClient, SealedServiceError, type SealedAnswer, type SealedClientOptions } from '../../sealed.ts';
import { openEvaluationFile, openFolderReplica } from '../../sealed/client/folder.ts';
import { asUsage, CommandError, readWhole, UsageError } from '../arguments.ts';
import { formatMoment, printable, printAnswer } from '../output.ts';
import { readKey, readText, readUrl } from './input.ts';

/** Options that belong to `client query --sealed`. */
export const SEALED_OPTIONS = [
  'operator-key',
  'evaluator-key',
  'replica',
  'most-unsealed',
  'evaluations',
  'evaluations-key-file',
] as const;

/** What `client query --sealed` reads of the command line. */
export type SealedValues = { readonly [Name in (typeof SEALED_OPTIONS)[number]]?: string | undefined } & {
  readonly url?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Exit code by answer. */
const CODES: Readonly<Record<SealedAnswer['answer'], number>> = { score: 0, unknown: 3, stale: 4 };

/** Scores identifiers by the sealed look-up, and prints the answer. Resolves with the exit code. */
export async function querySealed(
  values: SealedValues,
  identifiers: readonly Identifier[],
  seconds: number,
): Promise<number> {
  const { 'operator-key': operatorKey, 'evaluator-key': evaluatorKey, json } = values;
  if (operatorKey === undefined) throw new UsageError('client query --sealed expects --operator-key');
  if (values.replica === undefined) throw new UsageError('client query --sealed expects --replica');
  const { url, label } = readUrl(values.url);
  const apiKey = await readKey(values['key-file']);
  const evaluations = await openEvaluations(values);
  const replica =
    values.replica === 'buckets' || values.replica === 'none'
      ? values.replica
      : await openFolderReplica(values.replica);
  const options: SealedClientOptions = {
    baseUrl: url,
    apiKey,
    operatorKey,
    evaluatorKey,
    replica,
    evaluations,
    mostUnsealed: readWhole('most-unsealed', values['most-unsealed'] ?? '0', 0, 0xffff_ffff),
    timeoutMs: 1000 * seconds,
  };
  const client = await asUsage(
    () => createSealedClient(options),
    (message) =>
      message
        .replace('"baseUrl"', label)
        .replace(/^"(operator|evaluator)Key" expected 32 bytes, or their/, '--$1-key expected the'),
  );
  try {
    const answer = await client.query(identifiers);
    printAnswer(answer, json, formatAnswer);
    return CODES[answer.answer];
  } catch (error) {
    if (error instanceof SealedServiceError) throw new CommandError(error.message);
    throw error;
  } finally {
    await client.close();
  }
}

/** Opens the file of evaluations. Without one, each run evaluates again. */
async function openEvaluations({ evaluations, 'evaluations-key-file': keyFile }: SealedValues) {
  if (evaluations === undefined && keyFile === undefined) return undefined;
  if (evaluations === undefined || keyFile === undefined)
    throw new UsageError('--evaluations and --evaluations-key-file belong together');
  const text = (await readText('evaluations-key-file', keyFile)).trim();
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new UsageError('--evaluations-key-file expects 64 hex characters, as "openssl rand -hex 32" prints them');
  return openEvaluationFile(evaluations, { key: Uint8Array.from(Buffer.from(text, 'hex')) });
}

const REASONS = {
  'no-manifest': 'the service does not answer, and nothing is kept',
  'no-evaluation': 'the evaluator does not answer',
  incomplete: 'more stored identifiers than --most-unsealed have no rows yet',
  'no-rows': 'the service did not send the rows',
  'no-reply': 'the service does not answer',
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
  const { points, reported, reliability, source, asOf, coverage, link } = answer;
  const verdict = `Points: ${points}\nReported: ${reported}\nReliability: ${reliability.toFixed(1)} of 10\n`;
  const covered = coverage.unsealed === 0 ? 'complete' : `without ${count(coverage.unsealed, 'unsealed identifier')}`;
  return [
    reported > 0 ? verdict : 'No matches.\n',
    `Source: ${source}\nAs of: ${formatMoment(asOf)}\nCoverage: ${covered}\n`,
    link === null ? '' : `Link: ${printable(link)}\n`,
  ].join('');
}
