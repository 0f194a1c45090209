import { isCode, isHash, toIdentifier, toKind, type Identifier } from '../domain/identifier.ts';
import { refuseUnknown, requireWhole } from '../domain/options.ts';
import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { ReportDraft } from '../domain/report.ts';

/** A valid request of the form endpoint (protocol 4.2 to 4.4). */
export type FormRequest =
  /** `_action=report`, with the key and the fields of {@link ReportDraft} (protocol 4.2). */
  | ({ readonly action: 'report'; readonly apiKey: string } & ReportDraft)
  /** `_action=delete`, with the key and the deletion code in lower case (protocol 4.3). */
  | { readonly action: 'delete'; readonly apiKey: string; readonly deletionCode: string }
  /** `_action=query`, with the key and at least one identifier (protocol 4.4). */
  | { readonly action: 'query'; readonly apiKey: string; readonly identifiers: readonly Identifier[] };

type Action = FormRequest['action'];

/**
 * Default maximum number of fields in a form (protocol 8, our choice). The largest report has 37 fields: 32 identifiers
 * and five others.
 */
export const DEFAULT_FIELDS = 64;

/** 1 to 32 ASCII letters, digits, `_` or `-`, beginning with a letter or `_` (protocol 2.3, our choice). */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/;

/** Reserved fields of each action, all of them needed. All actions need the first two (protocol 4.2 to 4.4). */
export const RESERVED = {
  report: ['_action', '_api', '_type', '_value', '_text'],
  delete: ['_action', '_api', '_code'],
  query: ['_action', '_api'],
} as const satisfies Readonly<Record<Action, readonly string[]>>;
const RESERVED_OF: Readonly<Record<Action, readonly string[]>> = RESERVED;
const ALL_RESERVED: ReadonlySet<string> = new Set(Object.values(RESERVED).flat());

// Only the exact text: refuse `07`, `+7`, `7.0` and ` 7` (protocol 2.1, 8).
const SEVERITY_TEXT = /^(?:10|[1-9])$/;

// UTF-8 cannot encode a lone surrogate. Bytes that are not UTF-8 are refused before they are decoded.
const NOT_UTF8 = /\p{Surrogate}/u;

/**
 * Returns the name in lower case; undefined if it is not a valid field name. Tests the pattern before lower-casing,
 * because Unicode lower-cases characters such as U+212A to ASCII letters.
 */
export function toFieldName(sent: string): string | undefined {
  return FIELD_NAME.test(sent) ? sent.toLowerCase() : undefined;
}

/** Returns true for a reserved name such as `_api`. All other names are identifier kinds (protocol 2.1, 2.3). */
export function isReserved(name: string): boolean {
  return name.startsWith('_');
}

/**
 * Parses a form (protocol 4.1), given as decoded name and value pairs in the order of the request. Names are
 * case-insensitive. The order of identifiers is kept; the order of reserved fields does not matter.
 *
 * Returns the first of these refusals that applies (protocol 4.1, our choice):
 * 1. Structure, pair by pair: `too-many-fields`, `invalid-encoding`, `invalid-field-name`, `repeated-field`,
 *    `unknown-field` (a `_name` of no action).
 * 2. Action (`_action`): `missing-field`, then `unknown-action`.
 * 3. Key (`_api`): `missing-field`, then `unknown-key` if the text is not in the form of a key. The engine looks up the
 *    key, also if the rest of the form is refused.
 * 4. `unknown-field` for the first field of another action, e.g. an identifier in a delete or `_code` in a query.
 * 5. `missing-field` for the first missing field of the action, in the order of the specification's tables.
 * 6. Values: `invalid-severity`, `invalid-code`, `invalid-identifier`, `no-identifier`. The engine validates offence
 *    type, description and the number of identifiers, because the operator sets their bounds.
 *
 * An empty field counts as present, and its value is validated. Refuse bytes that are not UTF-8 before you decode them:
 * decoders replace them by U+FFFD, which a client may also send. Throws TypeError or RangeError for a wrong option.
 */
export function parseForm(
  fields: Iterable<readonly [string, string]>,
  options: { readonly fields?: number | undefined } = {},
): Outcome<FormRequest> {
  refuseUnknown(options, ['fields']);
  const { fields: most = DEFAULT_FIELDS } = options;
  requireWhole('fields', most, 1);
  const form = readForm(fields, most);
  return form.ok ? form : refuse(form.refusal);
}

/** A form that is refused. */
export interface RefusedForm {
  readonly ok: false;
  readonly refusal: Refusal;
  /** Present if the form has an action and a key, valid or not: the key is checked before the reply. */
  readonly attempt?: { readonly action: Action; readonly apiKey: string };
}

/** {@link parseForm} with at most `maxFields` fields, a whole number of at least 1. */
export function readForm(
  fields: Iterable<readonly [string, string]>,
  maxFields: number,
): { readonly ok: true; readonly value: FormRequest } | RefusedForm {
  const structure = collectFields(fields, maxFields);
  if (!structure.ok) return structure;
  const values = structure.value;

  const action = values.get('_action');
  if (action === undefined) return refuse({ reason: 'missing-field', field: '_action' });
  if (action !== 'report' && action !== 'delete' && action !== 'query') return refuse({ reason: 'unknown-action' });

  const apiKey = values.get('_api')?.toLowerCase();
  if (apiKey === undefined) return refuse({ reason: 'missing-field', field: '_api' });
  const form = isCode(apiKey) ? readAction(action, apiKey, values) : refuse({ reason: 'unknown-key' });
  return form.ok ? form : { ...form, attempt: { action, apiKey } };
}

/**
 * Returns the form that a client sends for a request: reserved fields first, then the identifiers in order. The second
 * identifier of a kind is `email2`, the third `email3` (protocol 2.3). For a valid request `x`,
 * `parseForm(formatForm(x))` accepts an equal request, but removes the number of a kind such as `email2`.
 *
 * Throws TypeError for an invalid kind, a hash other than 40 lowercase hex characters, and a deletion code other than
 * 16 hex characters. So no identifier is sent in clear text (protocol 1). Also throws TypeError if a kind with its
 * number has more than 32 characters. The message never holds the value.
 */
export function formatForm(request: FormRequest): [string, string][] {
  const fields: [string, string][] = [
    ['_action', request.action],
    ['_api', request.apiKey],
  ];
  if (request.action === 'delete') {
    const code = String(request.deletionCode).toLowerCase();
    if (!isCode(code)) throw new TypeError('"deletionCode" expected 16 hex characters, got another text');
    return [...fields, ['_code', code]];
  }
  if (request.action === 'report')
    fields.push(['_type', request.type], ['_value', String(request.severity)], ['_text', request.text]);

  const seen = new Map<string, number>();
  for (const { kind, hash } of request.identifiers) {
    const base = toKind(kind);
    if (base === undefined)
      throw new TypeError('"kind" expected a lowercase name of 1 to 32 letters, digits, _ and -, got another text');
    if (!isHash(hash)) throw new TypeError('"hash" expected 40 lowercase hex characters, got another text');
    const number = (seen.get(base) ?? 0) + 1;
    seen.set(base, number);
    const name = number === 1 ? base : `${base}${number}`;
    if (name.length > 32)
      throw new TypeError(`"kind" expected at most 32 characters with its number, got ${name.length}`);
    fields.push([name, hash]);
  }
  return fields;
}

/**
 * Applies step 1 of {@link parseForm}. Returns the fields by lowercase name, in order. A Map, because `__proto__` is a
 * valid name.
 */
export function collectFields(
  fields: Iterable<readonly [string, string]>,
  limit: number,
): Outcome<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const [sent, value] of fields) {
    if (values.size === limit) return refuse({ reason: 'too-many-fields', limit });
    const name = toFieldName(sent);
    // A valid name is ASCII, so test only invalid names.
    if (NOT_UTF8.test(value) || (name === undefined && NOT_UTF8.test(sent)))
      return refuse({ reason: 'invalid-encoding' });
    if (name === undefined) return refuse({ reason: 'invalid-field-name' });
    if (values.has(name)) return refuse({ reason: 'repeated-field', field: name });
    if (isReserved(name) && !ALL_RESERVED.has(name)) return refuse({ reason: 'unknown-field', field: name });
    values.set(name, value);
  }
  return accept(values);
}

/** Applies steps 4 to 6 of {@link parseForm}. */
function readAction(action: Action, apiKey: string, values: ReadonlyMap<string, string>): Outcome<FormRequest> {
  for (const name of values.keys()) {
    if (isReserved(name) ? !RESERVED_OF[action].includes(name) : action === 'delete')
      return refuse({ reason: 'unknown-field', field: name });
  }
  for (const name of RESERVED[action]) {
    if (!values.has(name)) return refuse({ reason: 'missing-field', field: name });
  }
  if (action === 'delete') {
    const deletionCode = values.get('_code')?.toLowerCase();
    return isCode(deletionCode) ? accept({ action, apiKey, deletionCode }) : refuse({ reason: 'invalid-code' });
  }
  const severity = values.get('_value') ?? '';
  if (action === 'report' && !SEVERITY_TEXT.test(severity)) return refuse({ reason: 'invalid-severity' });

  const identifiers: Identifier[] = [];
  for (const [name, value] of values) {
    if (isReserved(name)) continue;
    const identifier = toIdentifier(name, value);
    if (!identifier.ok) return identifier;
    identifiers.push(identifier.value);
  }
  if (identifiers.length === 0) return refuse({ reason: 'no-identifier' });
  if (action === 'query') return accept({ action, apiKey, identifiers });
  const type = values.get('_type') ?? '';
  const text = values.get('_text') ?? '';
  return accept({ action, apiKey, type, severity: Number(severity), text, identifiers });
}
