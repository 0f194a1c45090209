import { isCode, isHash, isKind, kindOf, toIdentifier, type Identifier } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { ReportDraft } from '../domain/report.ts';
import { DEFAULT_FIELDS } from './bounds.ts';
import { FIELD_NAME_CHARACTERS, isReserved, toFieldName } from './field-name.ts';

/** What a form asks for (spec 4.2 to 4.4), proved field by field. */
export type FormRequest =
  | ({ readonly action: 'report'; readonly apiKey: string } & ReportDraft)
  | { readonly action: 'delete'; readonly apiKey: string; readonly deletionCode: string }
  | { readonly action: 'query'; readonly apiKey: string; readonly identifiers: readonly Identifier[] };

type Action = FormRequest['action'];

/** The reserved fields of each action; the first two are needed by all (spec 4.2 to 4.4). */
const RESERVED: Readonly<Record<Action, readonly string[]>> = {
  report: ['_action', '_api', '_type', '_value', '_text'],
  delete: ['_action', '_api', '_code'],
  query: ['_action', '_api'],
};
const ALL_RESERVED: ReadonlySet<string> = new Set(Object.values(RESERVED).flat());

// Exact text: `07`, `+7`, `7.0` and ` 7` are other texts, and a form that sends them was built wrong (spec 2.1, 8).
const SEVERITY_TEXT = /^(?:10|[1-9])$/;

// URLSearchParams and TextDecoder put U+FFFD where bytes were not UTF-8; a lone surrogate can only come from a program and has no UTF-8 form.
const NOT_UTF8 = /[\uFFFD\p{Surrogate}]/u;

/**
 * Reads a form (spec 4.1): name and value pairs in the order they were sent, decoded. Names count in any case; the order of the
 * reserved fields does not matter, that of the identifiers is kept.
 *
 * Refusals, the first that applies (silent: 4.1):
 * 1. Structure, pair by pair: `too-many-fields`, `invalid-encoding`, `invalid-field-name`, `repeated-field`, `unknown-field` (a `_name` of no action).
 * 2. `_action`: `missing-field`, then `unknown-action`.
 * 3. `_api`: `missing-field`, then `unknown-key` when it does not look like a key. Whether the key is known is the engine's question.
 * 4. `unknown-field` for the first field that does not belong to the action: an identifier in a delete, `_code` in a query.
 * 5. `missing-field` of what the action needs, in the order of the spec's tables.
 * 6. The values as texts: `invalid-severity`, `invalid-code`, `invalid-identifier`, `no-identifier`.
 *    Offence type, description and the number of identifiers are the engine's to judge: their bounds are the operator's.
 *
 * A field that is there and empty is not missing: it is judged by its value.
 */
export function parseForm(
  fields: Iterable<readonly [string, string]>,
  options: { readonly fields?: number | undefined } = {},
): Outcome<FormRequest> {
  const structure = collect(fields, options.fields ?? DEFAULT_FIELDS);
  if (!structure.ok) return structure;
  const values = structure.value;

  const action = values.get('_action');
  if (action === undefined) return refuse({ reason: 'missing-field', field: '_action' });
  if (!isAction(action)) return refuse({ reason: 'unknown-action' });

  const apiKey = values.get('_api')?.toLowerCase();
  if (apiKey === undefined) return refuse({ reason: 'missing-field', field: '_api' });
  if (!isCode(apiKey)) return refuse({ reason: 'unknown-key' });

  for (const name of values.keys()) {
    if (isReserved(name) ? !RESERVED[action].includes(name) : action === 'delete')
      return refuse({ reason: 'unknown-field', field: name });
  }
  for (const name of RESERVED[action]) {
    if (!values.has(name)) return refuse({ reason: 'missing-field', field: name });
  }
  return readAction(action, apiKey, values);
}

/**
 * The form of a request, the client's direction: reserved fields first, then the identifiers in their order, the second of a kind
 * as `email2`, the third as `email3` (spec 2.3). `parseForm(formatForm(x))` is `x`, except that a kind given with a number (`email2`) loses it.
 * Throws TypeError for an identifier that is not a kind and 40 lowercase hex characters, so that nothing leaves in clear text (spec 1),
 * and for a name that would be longer than 32 characters. The message never holds the value.
 */
export function formatForm(request: FormRequest): [string, string][] {
  const fields: [string, string][] = [
    ['_action', request.action],
    ['_api', request.apiKey],
  ];
  if (request.action === 'delete') return [...fields, ['_code', request.deletionCode]];
  if (request.action === 'report')
    fields.push(['_type', request.type], ['_value', String(request.severity)], ['_text', request.text]);

  const seen = new Map<string, number>();
  for (const { kind, hash } of request.identifiers) {
    if (!isKind(kind))
      throw new TypeError('"kind" expected a lowercase name of 1 to 32 letters, digits, _ and -, got another text');
    if (!isHash(hash)) throw new TypeError('"hash" expected 40 lowercase hex characters, got another text');
    const base = kindOf(kind);
    const number = (seen.get(base) ?? 0) + 1;
    seen.set(base, number);
    const name = number === 1 ? base : `${base}${number}`;
    if (name.length > FIELD_NAME_CHARACTERS)
      throw new TypeError(
        `"kind" expected at most ${FIELD_NAME_CHARACTERS} characters with its number, got ${name.length}`,
      );
    fields.push([name, hash]);
  }
  return fields;
}

/** Step 1 of the refusals: fields by lower-cased name, in their order. A Map, so that `__proto__` is a name like any other. */
function collect(fields: Iterable<readonly [string, string]>, limit: number): Outcome<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const [sent, value] of fields) {
    if (values.size === limit) return refuse({ reason: 'too-many-fields', limit });
    if (NOT_UTF8.test(sent) || NOT_UTF8.test(value)) return refuse({ reason: 'invalid-encoding' });
    const name = toFieldName(sent);
    if (name === undefined) return refuse({ reason: 'invalid-field-name' });
    if (values.has(name)) return refuse({ reason: 'repeated-field', field: name });
    if (isReserved(name) && !ALL_RESERVED.has(name)) return refuse({ reason: 'unknown-field', field: name });
    values.set(name, value);
  }
  return accept(values);
}

function isAction(value: string): value is Action {
  return Object.hasOwn(RESERVED, value);
}

/** Step 6: every reserved field of the action is there. */
function readAction(action: Action, apiKey: string, values: ReadonlyMap<string, string>): Outcome<FormRequest> {
  const valueOf = (name: string): string => values.get(name) ?? '';
  if (action === 'delete') {
    const deletionCode = valueOf('_code').toLowerCase();
    return isCode(deletionCode) ? accept({ action, apiKey, deletionCode }) : refuse({ reason: 'invalid-code' });
  }
  if (action === 'query') {
    const identifiers = readIdentifiers(values);
    return identifiers.ok ? accept({ action, apiKey, identifiers: identifiers.value }) : identifiers;
  }
  if (!SEVERITY_TEXT.test(valueOf('_value'))) return refuse({ reason: 'invalid-severity' });
  const identifiers = readIdentifiers(values);
  if (!identifiers.ok) return identifiers;
  return accept({
    action,
    apiKey,
    type: valueOf('_type'),
    severity: Number(valueOf('_value')),
    text: valueOf('_text'),
    identifiers: identifiers.value,
  });
}

function readIdentifiers(values: ReadonlyMap<string, string>): Outcome<Identifier[]> {
  const identifiers: Identifier[] = [];
  for (const [name, value] of values) {
    if (isReserved(name)) continue;
    const identifier = toIdentifier(name, value, name);
    if (!identifier.ok) return identifier;
    identifiers.push(identifier.value);
  }
  return identifiers.length === 0 ? refuse({ reason: 'no-identifier' }) : accept(identifiers);
}
