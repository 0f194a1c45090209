import { fromBase64Url, toBase64Url } from './encoding.ts';
import { SealedError } from './errors.ts';
import { isScalar } from './group/decode.ts';
import { ELEMENT_BYTES } from './group/group.ts';
import type { EpochKey, EvaluatorAccess, SealedKeys } from './keys.ts';
import { isHead } from './manifest-format.ts';
import { OPERATOR_KEY_BYTES } from './manifest.ts';

const FORMAT = 'redflag-sealed-keys/3';
/** Bytes of the token with which an operator asks its evaluator. */
export const TOKEN_BYTES = 32;
/** Maximum time of ECMAScript, in milliseconds. */
const MAX_TIME = 8.64e15;

/**
 * Returns the keys as JSON with a line end: a secret text for a file that only the operator reads.
 */
export function serialiseKeys(keys: SealedKeys): string {
  const { url, key, publicKey, token } = keys.evaluator;
  return `${JSON.stringify({
    format: FORMAT,
    evaluator: { url, key: toBase64Url(key), publicKey: toBase64Url(publicKey), token },
    operatorKey: toBase64Url(keys.operatorKey),
    epochs: keys.epochs.map(({ number, startsAt, endsAt, key }) => ({
      number,
      startsAt,
      endsAt,
      key: key === null ? null : toBase64Url(key),
    })),
    ...(keys.head !== undefined && { head: keys.head }),
    ...(keys.dueSince !== undefined && { dueSince: keys.dueSince }),
  })}\n`;
}

/**
 * Returns the keys of a text of {@link serialiseKeys}. Throws `SealedError` with `malformed` for any other text, and
 * for a scalar that is zero or not reduced. The message contains no part of the text.
 */
export function parseKeys(text: string): SealedKeys {
  const keys = readKeys(text);
  if (keys !== undefined && serialiseKeys(keys) === text) return keys;
  throw new SealedError('malformed', 'the sealed keys expected the file as it was written; restore a backup');
}

function readKeys(text: string): SealedKeys | undefined {
  try {
    const value = JSON.parse(text) as Record<'operatorKey' | 'head' | 'dueSince', unknown> & {
      evaluator: Readonly<Record<keyof EvaluatorAccess, unknown>>;
      epochs: StoredEpoch[];
    };
    const evaluator = toAccess(value.evaluator);
    const operatorKey = fromBase64Url(value.operatorKey);
    const epochs = value.epochs.map((epoch) => toEpochKey(epoch));
    if (!evaluator || operatorKey?.length !== OPERATOR_KEY_BYTES || !areEpochs(epochs)) return undefined;
    const { head, dueSince } = value;
    if (head !== undefined && !isHead(head)) return undefined;
    if (dueSince !== undefined && !isTime(dueSince)) return undefined;
    return {
      evaluator,
      operatorKey,
      epochs,
      ...(head !== undefined && { head }),
      ...(dueSince !== undefined && { dueSince }),
    };
  } catch {
    return undefined;
  }
}

function toAccess({ url, token, ...texts }: Readonly<Record<keyof EvaluatorAccess, unknown>>) {
  const [key, publicKey] = [fromBase64Url(texts.key), fromBase64Url(texts.publicKey)];
  if (key?.length !== OPERATOR_KEY_BYTES || publicKey?.length !== ELEMENT_BYTES) return undefined;
  return isEvaluatorUrl(url) && isToken(token) ? { url, key, publicKey, token } : undefined;
}

/** True for an address of http or https without credentials, query, fragment and slash at its end. */
export function isEvaluatorUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s@?#]*[^\s@?#/]$/.test(value)) return false;
  return URL.canParse(value);
}

/** True for a token: 32 bytes in base64url. */
export function isToken(value: unknown): value is string {
  return fromBase64Url(value)?.length === TOKEN_BYTES;
}

type StoredEpoch = Readonly<Record<keyof EpochKey, unknown>>;

function toEpochKey({ number, startsAt, endsAt, key }: StoredEpoch): EpochKey | undefined {
  const scalar = key === null ? null : fromBase64Url(key);
  if (scalar === undefined || (scalar !== null && !isScalar(scalar))) return undefined;
  if (!isTime(startsAt) || !isTime(endsAt) || startsAt >= endsAt) return undefined;
  return { number: number as number, startsAt, endsAt, key: scalar };
}

/** True if the numbers are 1, 2, 3 and so on, and both times of those with a key rise. */
function areEpochs(epochs: readonly (EpochKey | undefined)[]): epochs is EpochKey[] {
  const kept = epochs.filter((epoch) => epoch !== undefined && epoch.key !== null) as EpochKey[];
  return (
    epochs.every((epoch, at) => epoch?.number === at + 1) &&
    kept.every(({ startsAt, endsAt }, at) => {
      const before = kept[at - 1];
      return before === undefined || (startsAt > before.startsAt && endsAt > before.endsAt);
    })
  );
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TIME;
}
