import { read32, toBase64Url } from '../encoding.ts';
import { requireScalar } from '../group/decode.ts';
import type { Random } from '../group/group.ts';
import { publicKeyOf, randomScalar } from '../group/voprf.ts';
import { readAsWritten } from '../json.ts';
import { TOKEN_BYTES } from '../key-file.ts';
import type { EvaluatorAccess } from '../keys.ts';
import { createOperatorKey, operatorPublicKey } from '../manifest.ts';

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
  return `${JSON.stringify({ format: SECRETS_FORMAT, ...keys, token })}\n`;
}

/** Returns the access as JSON with a line end: a secret text for a file that the operator gets. */
export function serialiseAccess({ key, publicKey, token }: OperatorAccess): string {
  const keys = { key: toBase64Url(key), publicKey: toBase64Url(publicKey) };
  return `${JSON.stringify({ format: ACCESS_FORMAT, ...keys, token })}\n`;
}

/** Returns the secrets of a text of {@link serialiseSecrets}. Throws `malformed` for any other text. */
export function parseSecrets(text: string): EvaluatorSecrets {
  const read = ({ sealingKey, signingKey, token }: Record<keyof EvaluatorSecrets, string>): EvaluatorSecrets => ({
    sealingKey: requireScalar(read32(sealingKey), 'sealing key'),
    signingKey: read32(signingKey),
    token: toBase64Url(read32(token)),
  });
  return readAsWritten(text, 'the keys of the evaluator', read, serialiseSecrets);
}

/** Returns the access of a text of {@link serialiseAccess}. Throws `malformed` for any other text. */
export function parseAccess(text: string): OperatorAccess {
  const read = ({ key, publicKey, token }: Record<keyof OperatorAccess, string>): OperatorAccess => ({
    key: read32(key),
    publicKey: read32(publicKey),
    token: toBase64Url(read32(token)),
  });
  return readAsWritten(text, 'the file of the evaluator for the operator', read, serialiseAccess);
}
