import { fromBase64Url } from '../encoding.ts';
import { ELEMENT_BYTES, MAX_BATCH } from '../group/group.ts';
import type { Head } from '../history.ts';
import { isHead } from '../manifest-format.ts';
import { RefusedRequest, type SealedRequest } from './replies.ts';

/** An identifier as a client of the sealed look-up sends it. */
export interface PointIdentifier {
  readonly kind: string;
  /** N = k_e · E, 32 bytes. Not yet validated as an element. */
  readonly point: Uint8Array;
}

export interface EvaluateBody {
  readonly epoch: number;
  /** 1 to 32 elements of 32 bytes, not yet validated. */
  readonly blinded: readonly Uint8Array[];
}

export interface ReportBody {
  readonly epoch: number;
  /** 1 to 32. */
  readonly identifiers: readonly PointIdentifier[];
  readonly type: string;
  readonly severity: number;
  readonly text: string;
}

/** Bytes of 32 elements, with spaces. */
const EVALUATE_BYTES = 4_096;
/** Bytes of the 128 checksums of a history, with spaces. */
const HEAD_BYTES = 16_384;
/** The longest text takes 24 kB: 2,000 code points, each as two `\uXXXX`. */
const REPORT_BYTES = 65_536;
const MAX_EPOCH = 0xffff_ffff;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the body of `/sealed/evaluate`. Throws {@link RefusedRequest}. */
export async function readEvaluate(request: SealedRequest): Promise<EvaluateBody> {
  const { epoch, blinded } = await readFields(request, EVALUATE_BYTES, ['epoch', 'blinded']);
  return { epoch: toEpoch(epoch), blinded: toList(blinded, 'blinded').map(toElementBytes) };
}

/** Reads the body of an evaluator's `/evaluate`. Throws {@link RefusedRequest}. */
export async function readBlinded(request: SealedRequest): Promise<EvaluateBody['blinded']> {
  const { blinded } = await readFields(request, EVALUATE_BYTES, ['blinded']);
  return toList(blinded, 'blinded').map(toElementBytes);
}

/** Reads the body of an evaluator's `/sign`. Throws {@link RefusedRequest}. */
export async function readHead(request: SealedRequest): Promise<Head> {
  const head: unknown = await readFields(request, HEAD_BYTES, ['sequence', 'history']);
  if (isHead(head) && head.history.manifests.length > 0) return head;
  throw invalid('the body expected a sequence, and a history with 1 to 128 manifests');
}

/** Reads the body of `/sealed/report`. Throws {@link RefusedRequest}. The service validates type, severity and text. */
export async function readReport(request: SealedRequest): Promise<ReportBody> {
  const names = ['epoch', 'type', 'severity', 'text', 'identifiers'];
  const fields = await readFields(request, REPORT_BYTES, names);
  const { epoch, type, severity, text, identifiers } = fields;
  if (typeof type !== 'string' || typeof severity !== 'number' || typeof text !== 'string')
    throw invalid('"type" and "text" expected texts, and "severity" a number');
  return {
    epoch: toEpoch(epoch),
    type,
    severity,
    text,
    identifiers: toList(identifiers, 'identifiers').map((identifier) => {
      if (!isFields(identifier, ['kind', 'point']) || typeof identifier['kind'] !== 'string')
        throw invalid('each identifier expected "kind" and "point", and nothing else');
      return { kind: identifier['kind'], point: toElementBytes(identifier['point']) };
    }),
  };
}

async function readFields(request: SealedRequest, limit: number, names: readonly string[]): Promise<Fields> {
  const value = request.parsedBody ?? (await readJson(request, limit));
  if (isFields(value, names)) return value;
  throw invalid(`the body expected a JSON object with exactly these fields: ${names.join(', ')}`);
}

async function readJson(request: SealedRequest, limit: number): Promise<unknown> {
  const [type = ''] = (request.header('content-type') ?? '').split(';', 1);
  const coding = request.header('content-encoding') ?? 'identity';
  if (type.trim().toLowerCase() !== 'application/json' || coding.trim().toLowerCase() !== 'identity')
    throw invalid('the body expected Content-Type application/json, without compression');
  const bytes = await request.body(limit).catch(() => undefined);
  if (bytes === 'too-large') throw new RefusedRequest('too-many', `the body expected at most ${limit} bytes`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('the body expected complete JSON in UTF-8');
  }
}

function isFields(value: unknown, names: readonly string[]): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const own = Object.keys(value);
  return own.length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function toEpoch(value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_EPOCH) return value as number;
  throw invalid(`"epoch" expected a whole number from 0 to ${MAX_EPOCH}`);
}

function toList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(`"${name}" expected a list of 1 to ${MAX_BATCH}`);
  if (value.length > MAX_BATCH)
    throw new RefusedRequest('too-many', `"${name}" expected at most ${MAX_BATCH} elements`);
  return value;
}

function toElementBytes(text: unknown): Uint8Array {
  // By length first: a long text must cost nothing.
  const bytes = typeof text === 'string' && text.length === 43 ? fromBase64Url(text) : undefined;
  if (bytes?.length === ELEMENT_BYTES) return bytes;
  throw invalidElement();
}

export function invalidElement(): RefusedRequest {
  return new RefusedRequest('invalid-element', 'an element expected 32 canonical bytes as 43 characters of base64url');
}

function invalid(message: string): RefusedRequest {
  return new RefusedRequest('invalid-request', message);
}
