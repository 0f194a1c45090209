import type { Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { readForm } from '../protocol/form.ts';
import { OK, formatError, formatResult } from '../protocol/reply.ts';
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

/** Answers a POST to the form endpoint (spec 4.1 to 4.4). Rejects only if the service rejects. */
export async function answerForm(service: Service, settings: AnswerSettings, request: HttpRequest): Promise<HttpReply> {
  const fields = await readFields(request, settings.bodyBytes, settings.fields);
  return fields.ok ? answerFields(service, settings, request, fields.value) : refuseForm(settings, fields.refusal);
}

/** Answers the fields of a form, from a body or a query. Rejects only if the service rejects. */
export async function answerFields(
  service: Service,
  settings: AnswerSettings,
  request: Pick<HttpRequest, 'client'>,
  fields: FieldPairs,
): Promise<HttpReply> {
  // Clients without an address share one limit, so hiding the address does not avoid the limit.
  const client = request.client ?? 'unknown';
  const parsed = readForm(fields, settings.fields);
  if (!parsed.ok) {
    const { claim, refusal } = parsed;
    // A wrong key is refused first: only a reporter learns what is wrong with a form.
    const checked = claim && (await service.checkKey({ action: claim.action, apiKey: claim.apiKey, client }));
    return refuseForm(settings, checked?.ok === false ? checked.refusal : refusal);
  }
  const form = parsed.value;
  let body = OK;
  let headers: HttpReply['headers'] = TEXT_HEADERS;
  switch (form.action) {
    case 'report': {
      const { apiKey, type, severity, text, identifiers } = form;
      const receipt = await service.report({ apiKey, client, type, severity, text, identifiers });
      if (!receipt.ok) return refuseForm(settings, receipt.refusal);
      const { deletionCode, reportId } = receipt.value;
      // Spec 4.2 requires the body `OK`, so the codes are in headers (spec 2.4 is silent).
      headers = withHeaders(TEXT_HEADERS, { 'X-Deletion-Code': deletionCode, 'X-Report-Id': reportId });
      break;
    }
    case 'delete': {
      const removed = await service.remove({ apiKey: form.apiKey, client, deletionCode: form.deletionCode });
      if (!removed.ok) return refuseForm(settings, removed.refusal);
      break;
    }
    case 'query': {
      const result = await service.query({ apiKey: form.apiKey, client, identifiers: form.identifiers });
      if (!result.ok) return refuseForm(settings, result.refusal);
      body = formatResult(result.value);
    }
  }
  return { status: 200, headers, body };
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
