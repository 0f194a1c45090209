import type { JsonObject } from '../json.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { isScalar } from '../group/decode.ts';
import { ELEMENT_BYTES, type Random } from '../group/group.ts';
import { publicKeyOf, randomScalar } from '../group/voprf.ts';
import { isToken, TOKEN_BYTES } from '../key-file.ts';
import type { EvaluatorAccess } from '../keys.ts';
import { createOperatorKey, OPERATOR_KEY_BYTES, operatorPublicKey } from '../manifest.ts';

/** What a separate evaluator keeps. */
export interface EvaluatorSecrets {
  /** k0, 32 bytes. */
  readonly sealingKey: Uint8Array;
  /** Ed25519 secret key that signs manifests, 32 bytes. */
  readonly signingKey: Uint8Array;
  /** With it, the operator asks. 43 characters of base64url. */
  readonly token: string;
}

/** What an operator needs besides the address of its evaluator. */
export type OperatorAccess = Omit<EvaluatorAccess, 'url'>;

const SECRETS_FORMAT = 'redflag-evaluator-keys/2';
const ACCESS_FORMAT = 'redflag-evaluator-access/2';

/** Returns fresh keys and a token. */
export function createSecrets(random: Random): EvaluatorSecrets {
  const signingKey = createOperatorKey(random);
  return { sealingKey: randomScalar(random), signingKey, token: toBase64Url(random(TOKEN_BYTES)) };
}

/** Returns what the operator of an evaluator needs. */
export function accessOf({ sealingKey, signingKey, token }: EvaluatorSecrets): OperatorAccess {
  return { key: operatorPublicKey(signingKey), publicKey: publicKeyOf(sealingKey), token };
}

/** Returns the secrets as JSON with a line end: a secret text for a file that only the evaluator reads. */
export function serialiseSecrets({ sealingKey, signingKey, token }: EvaluatorSecrets): string {
  const keys = { sealingKey: toBase64Url(sealingKey), signingKey: toBase64Url(signingKey) };
  return toText({ format: SECRETS_FORMAT, ...keys, token });
}

/** Returns the access as JSON with a line end: a secret text for a file that the operator gets. */
export function serialiseAccess({ key, publicKey, token }: OperatorAccess): string {
  return toText({ format: ACCESS_FORMAT, key: toBase64Url(key), publicKey: toBase64Url(publicKey), token });
}

/** Returns the secrets of a text of {@link serialiseSecrets}. Throws `malformed` for any other text. */
export function parseSecrets(text: string): EvaluatorSecrets {
  const { sealingKey, signingKey, token } = readFields(text);
  const [scalar, seed] = [fromBase64Url(sealingKey), fromBase64Url(signingKey)];
  if (scalar !== undefined && isScalar(scalar) && seed?.length === OPERATOR_KEY_BYTES && isToken(token)) {
    const secrets = { sealingKey: scalar, signingKey: seed, token };
    if (serialiseSecrets(secrets) === text) return secrets;
  }
  throw new SealedError('malformed', 'the keys of the evaluator expected the file as it was written');
}

/** Returns the access of a text of {@link serialiseAccess}. Throws `malformed` for any other text. */
export function parseAccess(text: string): OperatorAccess {
  const fields = readFields(text);
  const [key, publicKey, token] = [fromBase64Url(fields['key']), fromBase64Url(fields['publicKey']), fields['token']];
  if (key?.length === OPERATOR_KEY_BYTES && publicKey?.length === ELEMENT_BYTES && isToken(token)) {
    const access = { key, publicKey, token };
    if (serialiseAccess(access) === text) return access;
  }
  throw new SealedError('malformed', 'the file of the evaluator for the operator expected its text as written');
}

function toText(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`;
}

function readFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
