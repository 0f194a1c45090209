import { DEFAULT_BOUNDS, type Bounds } from '../domain/bounds.ts';
import { HASH_IN_ANY_CASE } from '../domain/identifier.ts';
import { refuseUnknown, requireString, requireWhole } from '../domain/options.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import { OFFENCE_TYPES, toOffenceTypes } from '../domain/report.ts';
import type { Service } from '../engine/service.ts';
import { toAnswerSettings, type AnswerOptions, type AnswerSettings } from './answer-options.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { exampleFormReplies, exampleForms, exampleViews, type ExampleValues } from './openapi-examples.ts';
import { VARYING_HEADERS, toResponses } from './openapi-responses.ts';
import { createSchemas, type FormRules, type JsonSchema } from './openapi-schemas.ts';
import { entityTagOf, replyWithJson } from './viewer-answer.ts';
import { createLink, parseBaseUrl } from '../protocol/link.ts';

/** Options of {@link createOpenApi}: the same values as for the engine and the answer. */
export interface OpenApiOptions extends FormRules, Pick<AnswerOptions, 'bodyBytes' | 'errorStatus'> {
  /** Public base address of the service. Default: `http://127.0.0.1:8080`, where `redflag serve` listens. */
  readonly publicUrl?: string | undefined;
}

/** An OpenAPI document of version 3.1. Write it as JSON. */
export interface OpenApiDocument {
  /** Version of OpenAPI, as in `3.1.1`. */
  readonly openapi: string;
  /** Title, version of this document, description and licence. */
  readonly info: JsonSchema;
  /** One entry: the option `publicUrl`. */
  readonly servers: readonly JsonSchema[];
  /** Empty: the key is a field of the form. */
  readonly security: readonly JsonSchema[];
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, JsonSchema>>;
  /** Schemas, headers and parameters that the paths refer to. */
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const OPTIONS = ['publicUrl', 'offenceTypes', 'bounds', 'fields', 'bodyBytes', 'errorStatus'];
const LINK_HASH = '8f14e45fceea167a5a36dedd4bea2543c9f0f895';

const INTRODUCTION = `A shared database of fraud reports about hashed identifiers. Reporters submit reports, delete them and query identifiers, all with \`POST /api/\`. Anyone who has the link of a query can read the reports behind it.

Every reply to a form is one line of plain text. The examples of a status are all replies with this status, under the names of their reasons. Clients should not compare the text of an error; a number in it is a limit of the operator.

\`/api\` answers the same as \`/api/\`. The addresses of GET also answer HEAD. Any other method gets status 405. Any other address gets 404, unless the operator added addresses for older clients.`;

const HASH = { required: true, schema: { type: 'string', pattern: HASH_IN_ANY_CASE.source }, example: LINK_HASH };

/**
 * Returns the protocol in a machine-readable form (protocol 4): an OpenAPI 3.1 document of the form endpoint, the
 * viewer and the health of `redflag serve`. Fields, statuses, headers and texts are those of the code that answers
 * requests. Not in it: queries sent with GET, and the classic dialect. Throws TypeError or RangeError for a wrong
 * option.
 */
export function createOpenApi(options: OpenApiOptions = {}): OpenApiDocument {
  const { origin, path, schemas, ...values } = toValues(options);
  const views = {
    summary: 'Reports behind a link',
    description: 'Newest first. Caches may keep the reply for five minutes.',
    responses: toResponses(exampleViews(values)),
  };
  const unlessUnchanged = { $ref: '#/components/parameters/IfNoneMatch' };
  return {
    openapi: '3.1.1',
    info: {
      title: 'redflag',
      version: '1.0.0',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin + path }],
    // The key is a field of the form, which no security scheme of OpenAPI describes.
    security: [],
    paths: {
      '/api/': {
        post: {
          operationId: 'submitForm',
          summary: 'Report, delete or query',
          description: 'The field `_action` selects what to do. Fields may be in any order, and none twice.',
          requestBody: formBody(values),
          responses: toResponses(exampleFormReplies(values)),
        },
        get: {
          operationId: 'showReport',
          ...views,
          parameters: [{ name: 'showreport', in: 'query', ...HASH }, unlessUnchanged],
        },
      },
      '/report/{hash}': {
        get: {
          operationId: 'openLink',
          ...views,
          parameters: [{ name: 'hash', in: 'path', ...HASH }, unlessUnchanged],
        },
      },
      '/healthz': health(origin, 'isAlive', 'Whether the process answers, also while it starts', ['200', '404']),
      '/readyz': health(origin, 'isReady', 'Whether the service can answer the next request', ['200', '404', '503']),
    },
    components: {
      schemas,
      headers: VARYING_HEADERS,
      parameters: { IfNoneMatch: { name: 'If-None-Match', in: 'header', schema: { type: 'string' } } },
    },
  };
}

function toValues(options: OpenApiOptions) {
  refuseUnknown(options, OPTIONS);
  const { publicUrl = DEFAULT_URL, offenceTypes: types = OFFENCE_TYPES, bounds: given, ...more } = options;
  requireString('publicUrl', publicUrl);
  refuseUnknown(given, Object.keys(DEFAULT_BOUNDS), 'bounds.');
  const bounds: Bounds = { ...DEFAULT_BOUNDS, ...given };
  for (const [name, value] of Object.entries(bounds)) requireWhole(`bounds.${name}`, value, 1);
  const offenceTypes = toOffenceTypes(types);
  const settings = toAnswerSettings(more);
  const schemas = createSchemas({ offenceTypes, bounds, fields: settings.fields });
  return {
    ...parseBaseUrl('publicUrl', publicUrl),
    schemas,
    type: offenceTypes[0],
    bounds,
    settings,
    link: createLink(publicUrl)(LINK_HASH),
  };
}

function formBody({ type }: ExampleValues): JsonSchema {
  const form = {
    schema: { $ref: '#/components/schemas/Form' },
    examples: Object.fromEntries(Object.entries(exampleForms(type)).map(([action, value]) => [action, { value }])),
  };
  return { required: true, content: { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form } };
}

/** The command-line program answers them, beside the addresses of the protocol. */
function health(origin: string, operationId: string, summary: string, statuses: readonly string[]): JsonSchema {
  const meanings: Readonly<Record<string, string>> = {
    '200': 'Yes: `ok`.',
    '404': 'The service runs in another program, or a proxy hides the address.',
    '503': 'No. The body is the reason.',
  };
  const content = { 'text/plain': { schema: { type: 'string' } } };
  return {
    servers: [{ url: origin }],
    get: {
      operationId,
      summary,
      description: 'Answered by `redflag serve`, without the path of the base address.',
      responses: Object.fromEntries(statuses.map((status) => [status, { description: meanings[status], content }])),
    },
  };
}

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
