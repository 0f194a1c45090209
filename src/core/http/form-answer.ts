import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { readForm } from '../protocol/form.ts';
import type { ReportReceipt } from '../domain/report.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { formatClassicError, formatClassicReceipt, formatClassicResult } from '../protocol/classic.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { OK, formatError, formatResult } from '../protocol/reply.ts';
import { type AnswerAction, withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import type { AnswerSettings, Endpoint } from './answer-options.ts';
import { readFields, type FieldPairs } from './body.ts';
import { retryHeaders, statusOf } from './status.ts';

/** Headers of every plain text reply. Replies are about persons, so caches must not keep them. */
export const TEXT_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** The bodies of the replies to forms. A deletion is answered with OK. */
interface Bodies {
  readonly report: (receipt: ReportReceipt) => string;
  readonly query: (result: QueryResult) => string;
  readonly error: (refusal: Refusal) => string;
}

const BODIES: Readonly<Record<Dialect, Bodies>> = {
  specification: { report: () => OK, query: formatResult, error: formatError },
  classic: {
    report: ({ deletionCode }) => formatClassicReceipt(deletionCode),
    query: formatClassicResult,
    error: formatClassicError,
  },
};

/** Receives the action of a form, once its fields are read. Not called if they name no action. */
export type NoteAction = (action: AnswerAction) => void;

const RETRY_SECONDS = 2;
/** After an internal error, which is `ERR:UNAVAILABLE` in the classic dialect: clients must not retry at once. */
const CLASSIC_RETRY = { 'Retry-After': '60' };

/** Answers requests of the form endpoint. Rejects only if the service rejects. */
export interface FormAnswer {
  /** Answers a POST (protocol 4.1 to 4.4). */
  post(endpoint: Endpoint, request: HttpRequest, noteAction: NoteAction): Promise<Outcome<HttpReply>>;
  /** Answers the fields of a form, from a body or a query. */
  fields(
    endpoint: Endpoint,
    request: Pick<HttpRequest, 'client'>,
    fields: FieldPairs,
    noteAction: NoteAction,
  ): Promise<Outcome<HttpReply>>;
  /** Returns how many forms are in the service now. */
  running(): number;
}

/**
 * Returns the functions that answer forms. At most `formsAtOnce` forms are in the service at once, and further ones are
 * refused: if the store gets slow, clients learn it at once instead of at the end of a long queue. A form whose body
 * still arrives does not count.
 */
export function createFormAnswer(service: Service, settings: AnswerSettings): FormAnswer {
  const { bodyBytes, fields: maxFields, formsAtOnce } = settings;
  let running = 0;

  const answerFields: FormAnswer['fields'] = async (endpoint, request, fields, noteAction) => {
    if (running >= formsAtOnce) return refuse({ reason: 'overloaded', retryAfterSeconds: RETRY_SECONDS });
    running++;
    try {
      return await answerForm(service, endpoint, request, readForm(fields, maxFields), noteAction);
    } finally {
      running--;
    }
  };

  return {
    async post(endpoint, request, noteAction) {
      const fields = await readFields(request, bodyBytes, maxFields);
      return fields.ok ? answerFields(endpoint, request, fields.value, noteAction) : fields;
    },
    fields: answerFields,
    running: () => running,
  };
}

async function answerForm(
  service: Service,
  { dialect }: Endpoint,
  request: Pick<HttpRequest, 'client'>,
  parsed: ReturnType<typeof readForm>,
  noteAction: NoteAction,
): Promise<Outcome<HttpReply>> {
  // Clients without an address share one limit, so hiding the address does not avoid the limit.
  const client = request.client ?? 'unknown';
  if (!parsed.ok) {
    const { attempt } = parsed;
    if (attempt) noteAction(attempt.action);
    // A wrong key is refused first: only a reporter learns what is wrong with a form.
    const checked = attempt && (await service.checkKey({ action: attempt.action, apiKey: attempt.apiKey, client }));
    return checked?.ok === false ? checked : parsed;
  }
  const form = parsed.value;
  noteAction(form.action);
  let body = OK;
  let headers: HttpReply['headers'] = TEXT_HEADERS;
  switch (form.action) {
    case 'report': {
      const receipt = await service.report({ ...form, client });
      if (!receipt.ok) return receipt;
      const { deletionCode, reportId } = receipt.value;
      body = BODIES[dialect].report(receipt.value);
      // Protocol 4.2 requires the body `OK`, so the codes are in headers (protocol 2.4, our choice).
      headers = withHeaders(TEXT_HEADERS, { 'X-Deletion-Code': deletionCode, 'X-Report-Id': reportId });
      break;
    }
    case 'delete': {
      const removed = await service.remove({ apiKey: form.apiKey, client, deletionCode: form.deletionCode });
      if (!removed.ok) return removed;
      break;
    }
    case 'query': {
      const result = await service.query({ apiKey: form.apiKey, client, identifiers: form.identifiers });
      if (!result.ok) return result;
      body = BODIES[dialect].query(result.value);
    }
  }
  return accept({ status: 200, headers, body });
}

/**
 * Returns the reply to a refused action. Its status is 200 if the endpoint has `errorStatus` (protocol 7, our choice).
 */
export function refuseForm({ dialect, errorStatus }: Endpoint, refusal: Refusal): HttpReply {
  const reply = refuseText(refusal);
  const later = dialect === 'classic' && refusal.reason === 'internal' ? CLASSIC_RETRY : {};
  const headers = withHeaders(reply.headers, later);
  return { status: errorStatus ?? reply.status, headers, body: BODIES[dialect].error(refusal) };
}

/** Returns the reply to a refusal, as plain text with the status of the reason. */
export function refuseText(refusal: Refusal): HttpReply {
  return {
    status: statusOf(refusal),
    headers: withHeaders(TEXT_HEADERS, retryHeaders(refusal)),
    body: formatError(refusal),
  };
}
