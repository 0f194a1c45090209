import { fromBase64Url } from '../encoding.ts';
import { ELEMENT_BYTES, MAX_BATCH } from '../group/group.ts';
import type { Head } from '../history.ts';
import { isShape, type Check } from '../json.ts';
import { isHead, isU32 } from '../manifest-format.ts';
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

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFilled: Check = (value) => Array.isArray(value) && value.length > 0;
const isAny: Check = () => true;
const BLINDED = { blinded: isFilled };
const EVALUATE = { epoch: isU32, ...BLINDED };
const REPORT = { epoch: isU32, type: isText, severity: isNumber, text: isText, identifiers: isFilled };
const IDENTIFIER = { kind: isText, point: isAny };
const SIGN = { sequence: isAny, history: isAny };

/** Reads the body of `/sealed/evaluate`. Throws {@link RefusedRequest}. */
export async function readEvaluate(request: SealedRequest): Promise<EvaluateBody> {
  const { epoch, blinded } = await readBody<EvaluateBody>(request, EVALUATE_BYTES, EVALUATE);
  return { epoch, blinded: requireBatch(blinded).map(toElementBytes) };
}

/** Reads the body of an evaluator's `/evaluate`. Throws {@link RefusedRequest}. */
export async function readBlinded(request: SealedRequest): Promise<EvaluateBody['blinded']> {
  const { blinded } = await readBody<EvaluateBody>(request, EVALUATE_BYTES, BLINDED);
  return requireBatch(blinded).map(toElementBytes);
}

/** Reads the body of an evaluator's `/sign`. Throws {@link RefusedRequest}. */
export async function readHead(request: SealedRequest): Promise<Head> {
  const head = await readBody<Head>(request, HEAD_BYTES, SIGN);
  if (isHead(head) && head.history.manifests.length > 0) return head;
  throw invalid('the body expected a sequence, and a history with 1 to 128 manifests');
}

/** Reads the body of `/sealed/report`. Throws {@link RefusedRequest}. The service validates type, severity and text. */
export async function readReport(request: SealedRequest): Promise<ReportBody> {
  const body = await readBody<ReportBody>(request, REPORT_BYTES, REPORT);
  const identifiers = requireBatch(body.identifiers).map((identifier) => {
    if (!isShape(identifier, IDENTIFIER))
      throw invalid('each identifier expected "kind" and "point", and nothing else');
    return { ...identifier, point: toElementBytes(identifier.point) };
  });
  return { ...body, identifiers };
}

/** Returns the body as JSON has it: bytes are texts, and lists may be longer than a batch. */
async function readBody<T>(request: SealedRequest, limit: number, fields: Readonly<Record<string, Check>>): Promise<T> {
  const value = request.parsedBody ?? (await readJson(request, limit));
  if (isShape(value, fields)) return value as T;
  const names = Object.keys(fields).join(', ');
  throw invalid(`the body expected a JSON object with exactly these fields, each in its range: ${names}`);
}

function requireBatch<T>(list: readonly T[]): readonly T[] {
  if (list.length <= MAX_BATCH) return list;
  throw new RefusedRequest('too-many', `a list expected at most ${MAX_BATCH} elements`);
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
