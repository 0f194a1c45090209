import type { Bounds } from '../domain/bounds.ts';
import type { RateLimit, Refusal } from '../domain/refusal.ts';
import type { OffenceType } from '../domain/report.ts';
import type { FormRequest } from '../protocol/form.ts';
import { OK, formatResult } from '../protocol/reply.ts';
import { formatViewer } from '../protocol/viewer.ts';
import { isFailure, withHeaders, type HttpReply } from './exchange.ts';
import type { AnswerSettings } from './answer-options.ts';
import { TEXT_HEADERS, refuseForm } from './form-answer.ts';
import type { ExampleReply } from './openapi-responses.ts';
import { replyWithJson, refuseViewer } from './viewer-answer.ts';
import type { FormReason } from './status.ts';

/** What the operator set. */
export interface ExampleValues {
  readonly type: OffenceType;
  readonly bounds: Bounds;
  readonly link: string;
  readonly settings: AnswerSettings;
}

const API_KEY = '0123456789abcdef';
const DELETION_CODE = 'fedcba9876543210';
const REPORT_ID = '0f1e2d3c4b5a6978';
const REQUEST_ID = '7d0c4f0a-2b8e-4c6f-9a51-3f2e1d0c9b8a';
const REPORT = { severity: 7, text: 'Paid with a stolen card.' } as const;
/** Hashes of `client@example.com` and `+1 000 111 22 33`. */
const IDENTIFIERS = {
  email: 'e6046ea1e61328d5ad100fdf7507b841b5112932',
  phone: 'd2b80f3942278826bff4818fedc87f1dc4be0739',
} as const;
const RETRY = { retryAfterSeconds: 12 } as const;

/** Returns a form of each action, as an object of its fields. */
export function exampleForms(type: OffenceType): Readonly<Record<FormRequest['action'], object>> {
  const { severity, text } = REPORT;
  return {
    report: { _action: 'report', _api: API_KEY, _type: type, _value: severity, _text: text, ...IDENTIFIERS },
    delete: { _action: 'delete', _api: API_KEY, _code: DELETION_CODE },
    query: { _action: 'query', _api: API_KEY, ...IDENTIFIERS },
  };
}

/** Returns every reply of the form endpoint: one of each success and of each refusal. */
export function exampleFormReplies(values: ExampleValues): ExampleReply[] {
  const { link, settings } = values;
  const [endpoint] = settings.endpoints;
  const done = (name: string, body: string, schema: string, more: HttpReply['headers'] = {}): ExampleReply => ({
    name,
    reply: { status: 200, headers: withHeaders(TEXT_HEADERS, more), body },
    schema,
  });
  const codes = { 'X-Deletion-Code': DELETION_CODE, 'X-Report-Id': REPORT_ID };
  const refusals = Object.values(exampleRefusals(values)).flat();
  return [
    done('report', OK, 'Ok', codes),
    done('delete', OK, 'Ok'),
    done('query', formatResult({ points: 24, reported: 1, reliability: 7.1, link }), 'QueryResult'),
    ...refusals.map((refusal) => ({
      name: nameOf(refusal),
      reply: withRequestId(refusal, refuseForm(endpoint, refusal)),
      schema: 'Error',
    })),
  ];
}

/** Returns every reply of the viewer. */
export function exampleViews({ type }: ExampleValues): ExampleReply[] {
  const { severity, text } = REPORT;
  const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const body = formatViewer([{ reportId: REPORT_ID, type, severity, text, createdAt, reporter: 'Corner Shop' }]);
  const entityTag = '"0123456789abcdef0123456789abcdef"';
  const reply = (ifNoneMatch: string): HttpReply => replyWithJson(ifNoneMatch, entityTag, body);
  const refusals: readonly Refusal[] = [
    { reason: 'not-found' },
    limited('viewer', 60),
    { reason: 'internal' },
    { reason: 'unavailable', ...RETRY },
    { reason: 'overloaded', ...RETRY },
  ];
  return [
    { name: 'reports', reply: reply(''), schema: 'ViewedReports' },
    { name: 'unchanged', reply: reply(entityTag) },
    ...refusals.map((refusal) => ({
      name: refusal.reason,
      reply: withRequestId(refusal, refuseViewer(refusal)),
      schema: 'ViewedReports',
    })),
  ];
}

function exampleRefusals({ bounds, settings }: ExampleValues): {
  readonly [Reason in FormReason]: readonly Extract<Refusal, { readonly reason: Reason }>[];
} {
  return {
    'malformed-body': [{ reason: 'malformed-body' }],
    'invalid-encoding': [{ reason: 'invalid-encoding' }],
    'too-many-fields': [{ reason: 'too-many-fields', limit: settings.fields }],
    'repeated-field': [{ reason: 'repeated-field', field: 'email' }],
    'invalid-field-name': [{ reason: 'invalid-field-name' }],
    'unknown-field': [{ reason: 'unknown-field', field: '_note' }],
    'file-upload': [{ reason: 'file-upload' }],
    'unknown-action': [{ reason: 'unknown-action' }],
    'sealed-only': [{ reason: 'sealed-only' }],
    'invalid-type': [{ reason: 'invalid-type' }],
    'invalid-severity': [{ reason: 'invalid-severity' }],
    'invalid-text': [
      { reason: 'invalid-text', limitCharacters: bounds.textCharacters, characters: bounds.textCharacters + 1 },
    ],
    'personal-data': [{ reason: 'personal-data', kinds: ['email', 'phone'] }],
    'invalid-identifier': [{ reason: 'invalid-identifier', field: 'email' }],
    'no-identifier': [{ reason: 'no-identifier' }],
    'too-many-identifiers': [{ reason: 'too-many-identifiers', limit: bounds.identifiers }],
    'invalid-code': [{ reason: 'invalid-code' }],
    'missing-field': [
      { reason: 'missing-field', field: '_text' },
      { reason: 'missing-field', field: '_api' },
    ],
    'unknown-key': [{ reason: 'unknown-key' }],
    'revoked-key': [{ reason: 'revoked-key' }],
    'suspended-key': [{ reason: 'suspended-key' }],
    'key-scope': [{ reason: 'key-scope' }],
    'unknown-code': [{ reason: 'unknown-code' }],
    'already-deleted': [{ reason: 'already-deleted' }],
    'body-too-large': [{ reason: 'body-too-large', limitBytes: settings.bodyBytes }],
    'unsupported-content-type': [{ reason: 'unsupported-content-type' }],
    limited: [limited('query', 1800), limited('identifiers', 20_000, 86_400), limited('unknown-key', 20)],
    internal: [{ reason: 'internal' }],
    overloaded: [{ reason: 'overloaded', ...RETRY }],
    unavailable: [{ reason: 'unavailable', ...RETRY }],
  };
}

function limited(name: RateLimit['name'], requests: number, windowSeconds = 60) {
  return { reason: 'limited', limit: { name, requests, windowSeconds }, ...RETRY } as const;
}

/** The reason, with what else the text depends on: no two examples of an operation have the same name. */
function nameOf(refusal: Refusal): string {
  if (refusal.reason === 'limited') return `${refusal.reason}-${refusal.limit.name}`;
  const isKey = refusal.reason === 'missing-field' && refusal.field === '_api';
  return isKey ? 'missing-key' : refusal.reason;
}

function withRequestId({ reason }: Refusal, reply: HttpReply): HttpReply {
  return isFailure(reason) ? { ...reply, headers: withHeaders(reply.headers, { 'X-Request-Id': REQUEST_ID }) } : reply;
}
