import { read32, toBase64Url } from './encoding.ts';
import { requireScalar } from './group/decode.ts';
import { readAsWritten } from './json.ts';
import type { EpochKey, EvaluatorAccess, SealedKeys } from './keys.ts';
import { isHead, isTime } from './manifest-format.ts';

const FORMAT = 'redflag-sealed-keys/3';
/** Bytes of the token with which an operator asks its evaluator. */
export const TOKEN_BYTES = 32;

/** Returns the keys as JSON with a line end: a secret text for a file that only the operator reads. */
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
 * for a scalar that is zero or not reduced.
 */
export function parseKeys(text: string): SealedKeys {
  return readAsWritten(text, 'the sealed keys', toKeys, serialiseKeys);
}

type Stored<T> = { readonly [Name in keyof T]: T[Name] extends Uint8Array | null ? string | null : T[Name] };

function toKeys({
  evaluator,
  operatorKey,
  epochs,
  head,
  dueSince,
}: Stored<Omit<SealedKeys, 'evaluator' | 'epochs'>> & {
  readonly evaluator: Stored<EvaluatorAccess>;
  readonly epochs: readonly Stored<EpochKey>[];
}): SealedKeys {
  const { url, key, publicKey, token } = evaluator;
  const keys: SealedKeys = {
    evaluator: { url, key: read32(key), publicKey: read32(publicKey), token: toBase64Url(read32(token)) },
    operatorKey: read32(operatorKey),
    epochs: epochs.map(({ key, ...epoch }) => ({
      ...epoch,
      key: key === null ? null : requireScalar(read32(key), 'key'),
    })),
    ...(head !== undefined && { head }),
    ...(dueSince !== undefined && { dueSince }),
  };
  const isRight =
    isEvaluatorUrl(url) &&
    areEpochs(keys.epochs) &&
    (head === undefined || isHead(head)) &&
    (dueSince === undefined || isTime(dueSince));
  if (isRight) return keys;
  throw new TypeError('the keys expected values in their ranges');
}

/** True for an address of http or https without credentials, query, fragment and slash at its end. */
export function isEvaluatorUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s@?#]*[^\s@?#/]$/.test(value)) return false;
  return URL.canParse(value);
}

/** True if numbers are 1, 2, 3 and so on, each epoch ends after its begin, and both times of those with a key rise. */
function areEpochs(epochs: readonly EpochKey[]): boolean {
  const kept = epochs.filter(({ key }) => key !== null);
  return (
    epochs.every(
      ({ number, startsAt, endsAt }, at) =>
        number === at + 1 && isTime(startsAt) && isTime(endsAt) && startsAt < endsAt,
    ) && kept.slice(1).every(({ startsAt, endsAt }, at) => startsAt > kept[at]!.startsAt && endsAt > kept[at]!.endsAt)
  );
}
