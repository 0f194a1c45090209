import { accept, type Outcome } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import type { AnswerSettings } from './answer-options.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { createOpenApi } from './openapi.ts';
import { entityTagOf, replyWithJson } from './public-json.ts';

/** Answers a request for the OpenAPI document. Rejects only if the service rejects. */
export type AnswerOpenApi = (request: HttpRequest) => Promise<Outcome<HttpReply>>;

/**
 * Returns the function that answers with the OpenAPI document of a service, which it makes at the first request.
 * Undefined if the service does not describe itself.
 */
export function createOpenApiAnswer(service: Service, settings: AnswerSettings): AnswerOpenApi | undefined {
  const { bodyBytes, fields, endpoints } = settings;
  const [{ errorStatus }] = endpoints;
  if (!service.describe) return undefined;
  let made: { readonly body: Uint8Array<ArrayBuffer>; readonly entityTag: string } | undefined;

  return async (request) => {
    if (made === undefined) {
      const rules = await service.describe!();
      if (!rules.ok) return rules;
      const text = JSON.stringify(createOpenApi({ ...rules.value, bodyBytes, fields, errorStatus }));
      made = { body: new TextEncoder().encode(text), entityTag: entityTagOf(text) };
    }
    return accept(replyWithJson(request.header('if-none-match'), made.entityTag, made.body));
  };
}
