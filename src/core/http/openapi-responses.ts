import { CODE } from '../domain/identifier.ts';
import { groupBy } from '../domain/lists.ts';
import type { HttpReply } from './exchange.ts';
import type { JsonSchema } from './openapi-schemas.ts';

/** A reply of the service as an example. */
export interface ExampleReply {
  /** Unique within the operation. */
  readonly name: string;
  readonly reply: HttpReply;
  /** Name of the schema of the body; undefined if there is no body. */
  readonly schema?: string;
}

const CODE_SCHEMA = { type: 'string', pattern: CODE.source };

/** Headers whose value varies. All other headers have the values of the examples. */
export const VARYING_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Deletion-Code': { description: 'Only after a report: the code that deletes it.', schema: CODE_SCHEMA },
  'X-Report-Id': { description: 'Only after a report: its id in the viewer.', schema: CODE_SCHEMA },
  'Retry-After': { description: 'Seconds until a retry may succeed.', schema: { type: 'integer', minimum: 1 } },
  'RateLimit-Policy': {
    description: 'The limit: tokens, and its window in seconds.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
  },
  RateLimit: {
    description: 'Tokens that are left, and the seconds until such a request is allowed.',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+$' },
  },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$' } },
  'X-Request-Id': {
    description: "Names the request in the operator's log. Only if the operator asks for it.",
    schema: { type: 'string' },
  },
};

/** Returns the responses of an operation by status, from examples of its replies. */
export function toResponses(examples: readonly ExampleReply[]): Record<string, JsonSchema> {
  const inOrder = [...groupBy(examples, ({ reply }) => reply.status)].sort(([one], [other]) => one - other);
  return Object.fromEntries(inOrder.map(([status, alike]) => [`${status}`, toResponse(alike)]));
}

function toResponse(examples: readonly ExampleReply[]): JsonSchema {
  const names = examples.map(({ name }) => `\`${name}\``);
  const schemas = [...new Set(examples.flatMap(({ schema }) => schema ?? []))].map(toReference);
  const [first] = examples;
  return {
    description: `${names.join(', ')}.`,
    headers: toHeaders(examples),
    ...(first?.schema !== undefined && {
      content: {
        [mediaTypeOf(first.reply)]: {
          schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
          examples: Object.fromEntries(examples.map(({ name, reply }) => [name, { value: valueOf(reply) }])),
        },
      },
    }),
  };
}

function toReference(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

function toHeaders(examples: readonly ExampleReply[]): Record<string, JsonSchema> {
  const names = new Set(examples.flatMap(({ reply }) => Object.keys(reply.headers)));
  // OpenAPI has it at the body, and ignores it here.
  names.delete('Content-Type');
  return Object.fromEntries(
    [...names].map((name) => {
      if (VARYING_HEADERS[name]) return [name, { $ref: `#/components/headers/${name}` }];
      const values = [...new Set(examples.flatMap(({ reply }) => reply.headers[name] ?? []))];
      return [name, { schema: { type: 'string', enum: values } }];
    }),
  );
}

function mediaTypeOf({ headers }: HttpReply): string {
  return (headers['Content-Type'] ?? '').replace(/;.*/, '');
}

function valueOf(reply: HttpReply): unknown {
  return mediaTypeOf(reply) === 'application/json' ? JSON.parse(String(reply.body)) : reply.body;
}
