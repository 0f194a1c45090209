import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../src/core/http/openapi.ts';

interface Header {
  readonly schema: object;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header & { readonly $ref?: string }>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
  >;
}
/** The parts of an operation that the tests read. */
export interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { value: Readonly<Record<string, unknown>> }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface SentReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Headers that servers add to any reply. */
const OF_THE_SERVER = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'vary']);

/** Reads an OpenAPI document as a program of a client would. */
export function createChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ } });
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const inDocument = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    return validate;
  };

  return {
    operation: (path: string, method: 'get' | 'post') => document.paths[path]?.[method] as Operation,

    /** True if a component accepts a value. */
    accepts(schema: string, value: unknown): boolean {
      return inDocument({ $ref: `#/components/schemas/${schema}` })(value);
    },

    /** What in a reply the document does not describe. */
    differences({ responses }: Operation, { status, headers, body }: SentReply): string[] {
      const response = responses[String(status)];
      if (!response) return [`status ${status}`];
      const found: string[] = [];
      const described = new Map(
        Object.entries(response.headers ?? {}).map(([name, header]) => {
          const of = header.$ref === undefined ? header : document.components['headers']?.[name];
          return [name.toLowerCase(), (of as unknown as Header).schema];
        }),
      );
      for (const [name, value] of headers) {
        if (OF_THE_SERVER.has(name)) continue;
        const schema = described.get(name);
        if (!schema) found.push(`header ${name}`);
        else if (!inDocument(schema)(/^\d+$/.test(value) ? Number(value) : value)) found.push(`${name}: ${value}`);
      }
      const type = headers.get('content-type')?.replace(/;.*/, '');
      if (response.content === undefined) return body === '' ? found : [...found, `body ${body}`];
      const content = response.content[type ?? ''];
      if (!content) return [...found, `type ${type}`];
      const valid = inDocument(content.schema);
      if (!valid(type === 'application/json' ? JSON.parse(body) : body))
        found.push(`${body}: ${ajv.errorsText(valid.errors)}`);
      return found;
    },

    /** The examples of all replies of an operation: status, name and body. */
    examples: ({ responses }: Operation) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).flatMap(({ examples = {} }) =>
          Object.entries(examples).map(([name, { value }]) => ({ status: Number(status), name, value })),
        ),
      ),
  };
}
