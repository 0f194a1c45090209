import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { readForm } from '../protocol/form.ts';
import { OK, formatError, formatResult } from '../protocol/reply.ts';
import type { AnswerAction } from './answer-event.ts';
import type { AnswerSettings } from './answer-options.ts';
import { readFields, type FieldPairs } from './body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { retryHeaders, statusOf } from './status.ts';

/** Headers of every plain text reply. Replies are about persons, so caches must not keep them. */
const TEXT_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Receives what a form asks for, as soon as it is known. */
export interface Asking {
  action: AnswerAction;
}

const RETRY_SECONDS = 2;

/** Answers requests of the form endpoint. Rejects only if the service rejects. */
export interface FormAnswer {
  /** Answers a POST (spec 4.1 to 4.4). */
  post(request: HttpRequest, asking: Asking): Promise<Outcome<HttpReply>>;
  /** Answers the fields of a form, from a body or a query. */
  fields(request: Pick<HttpRequest, 'client'>, fields: FieldPairs, asking: Asking): Promise<Outcome<HttpReply>>;
}

/**
 * Returns the functions that answer forms. At most `formsAtOnce` forms are in the service at once, and further ones are
 * refused: if the store gets slow, clients learn it at once instead of at the end of a long queue. A form whose body
 * still arrives does not count.
 */
export function createFormAnswer(service: Service, settings: AnswerSettings): FormAnswer {
  const { bodyBytes, fields: fieldsMost, formsAtOnce } = settings;
  let running = 0;

  const answerFields: FormAnswer['fields'] = async (request, fields, asking) => {
    if (running >= formsAtOnce) return refuse({ reason: 'overloaded', retryAfterSeconds: RETRY_SECONDS });
    running++;
    try {
      return await answerForm(service, settings, request, fields, asking);
    } finally {
      running--;
    }
  };

  return {
    async post(request, asking) {
      const fields = await readFields(request, bodyBytes, fieldsMost);
      return fields.ok ? answerFields(request, fields.value, asking) : fields;
    },
    fields: answerFields,
  };
}

async function answerForm(
  service: Service,
  settings: AnswerSettings,
  request: Pick<HttpRequest, 'client'>,
  fields: FieldPairs,
  asking: Asking,
): Promise<Outcome<HttpReply>> {
  // Clients without an address share one limit, so hiding the address does not avoid the limit.
  const client = request.client ?? 'unknown';
  const parsed = readForm(fields, settings.fields);
  if (!parsed.ok) {
    const { claim } = parsed;
    if (claim) asking.action = claim.action;
    // A wrong key is refused first: only a reporter learns what is wrong with a form.
    const checked = claim && (await service.checkKey({ action: claim.action, apiKey: claim.apiKey, client }));
    return checked?.ok === false ? checked : parsed;
  }
  const form = parsed.value;
  asking.action = form.action;
  let body = OK;
  let headers: HttpReply['headers'] = TEXT_HEADERS;
  switch (form.action) {
    case 'report': {
      const { apiKey, type, severity, text, identifiers } = form;
      const receipt = await service.report({ apiKey, client, type, severity, text, identifiers });
      if (!receipt.ok) return receipt;
      const { deletionCode, reportId } = receipt.value;
      // Spec 4.2 requires the body `OK`, so the codes are in headers (spec 2.4 is silent).
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
      body = formatResult(result.value);
    }
  }
  return accept({ status: 200, headers, body });
}

/** Returns the reply to a refused action. Its status is 200 if the operator set `errorStatus` (spec 7 is silent). */
export function refuseForm({ errorStatus }: AnswerSettings, refusal: Refusal): HttpReply {
  const reply = refuseText(refusal);
  return errorStatus === undefined ? reply : { ...reply, status: errorStatus };
}

/** Returns the reply to a refusal, as plain text with the status of the reason. */
export function refuseText(refusal: Refusal): HttpReply {
  return {
    status: statusOf(refusal),
    headers: withHeaders(TEXT_HEADERS, retryHeaders(refusal)),
    body: formatError(refusal),
  };
}
