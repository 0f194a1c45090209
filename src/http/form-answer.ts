import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { parseForm, type FormRequest } from '../protocol/form.ts';
import { OK, formatError, formatResult } from '../protocol/reply.ts';
import type { AnswerSettings } from './answer-options.ts';
import { readFields, type FieldPairs } from './body.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { retryHeaders } from './retry-headers.ts';
import { statusOf } from './status.ts';

/** What every plain text reply carries: a reply says something about a person, so nobody keeps it. */
const TEXT_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** A POST to the form endpoint (spec 4.1 to 4.4). Rejects only when the service does. */
export async function answerForm(service: Service, settings: AnswerSettings, request: HttpRequest): Promise<HttpReply> {
  const fields = await readFields(request, settings.bodyBytes);
  return fields.ok ? await answerFields(service, settings, fields.value) : refuseForm(settings, fields.refusal);
}

/** The fields of a form that have been read, from wherever they came. */
export async function answerFields(service: Service, settings: AnswerSettings, fields: FieldPairs): Promise<HttpReply> {
  const form = parseForm(fields, { fields: settings.fields });
  if (!form.ok) return refuseForm(settings, form.refusal);
  const done = await perform(service, form.value);
  return done.ok
    ? { status: 200, headers: { ...TEXT_HEADERS, ...done.value.headers }, body: done.value.body }
    : refuseForm(settings, done.refusal);
}

/** A failure of the three actions: `ERROR: <details>` with its number, or with 200 where the operator asked for that (silent: 7). */
export function refuseForm(settings: AnswerSettings, refusal: Refusal): HttpReply {
  return settings.errorStatus === undefined
    ? refuseText(refusal)
    : { ...refuseText(refusal), status: settings.errorStatus };
}

/** A plain text refusal with its number, whatever the options say. */
export function refuseText(refusal: Refusal): HttpReply {
  return {
    status: statusOf(refusal),
    headers: { ...TEXT_HEADERS, ...retryHeaders(refusal) },
    body: formatError(refusal),
  };
}

async function perform(
  service: Service,
  form: FormRequest,
): Promise<Outcome<{ readonly body: string; readonly headers: Record<string, string> }>> {
  switch (form.action) {
    case 'report': {
      const { action: _, ...request } = form;
      const receipt = await service.report(request);
      if (!receipt.ok) return refuse(receipt.refusal);
      // The body is exactly `OK` (spec 4.2), so the code travels beside it (silent: 2.4).
      return accept({
        body: OK,
        headers: { 'X-Deletion-Code': receipt.value.deletionCode, 'X-Report-Id': receipt.value.reportId },
      });
    }
    case 'delete': {
      const removed = await service.remove({ apiKey: form.apiKey, deletionCode: form.deletionCode });
      return removed.ok ? accept({ body: OK, headers: {} }) : refuse(removed.refusal);
    }
    case 'query': {
      const result = await service.query({ apiKey: form.apiKey, identifiers: form.identifiers });
      return result.ok ? accept({ body: formatResult(result.value), headers: {} }) : refuse(result.refusal);
    }
  }
}
