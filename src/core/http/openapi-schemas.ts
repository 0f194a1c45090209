import { DEFAULT_BOUNDS, type Bounds } from '../domain/bounds.ts';
import { CODE, HASH_IN_ANY_CASE, KIND } from '../domain/identifier.ts';
import { OFFENCE_TYPES, SEVERITY, type OffenceType } from '../domain/report.ts';
import { DEFAULT_FIELDS, RESERVED, type FormRequest } from '../protocol/form.ts';
import { OK, RESULT_PATTERN } from '../protocol/reply.ts';
import { formatRefusal } from '../protocol/wording.ts';

/** A JSON schema of the draft 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What an operator can set about forms. */
export interface FormRules {
  /** Accepted offence types. Default: the 16 of `OFFENCE_TYPES`. */
  readonly offenceTypes?: readonly OffenceType[] | undefined;
  /** Default: 32 identifiers, and 2,000 Unicode code points of text. */
  readonly bounds?: Partial<Bounds> | undefined;
  /** Maximum number of form fields. Default: 64. */
  readonly fields?: number | undefined;
}

type Action = FormRequest['action'];
type ReservedField = (typeof RESERVED)[Action][number];

/** Schema of each action. Generators of clients use these names for types. */
const FORM_SCHEMAS: Readonly<Record<Action, string>> = {
  report: 'ReportForm',
  delete: 'DeleteForm',
  query: 'QueryForm',
};

// Patterns have no syntax that only JavaScript has: programs in other languages read them.
const CODE_IN_ANY_CASE = CODE.source.replace('a-f', 'a-fA-F');

const IDENTIFIERS =
  'Any name without `_` at its beginning is the kind of a hashed identifier: `email`, `ip`, `phone`, `domain` or another. Further identifiers of a kind have a number: `email2`, `email3`. The service accepts names in any letter case.';

/**
 * Returns the schemas of forms and replies by name (protocol 2.1, 2.2, 4.2 to 4.5). `Form` is any form: an object of
 * its fields by lowercase name.
 *
 * The service can refuse a form that its schema accepts: for the characters of its text or personal data in it, and if
 * its only identifier is the hash of the empty string. It accepts more identifiers than its schema if some are copies.
 */
export function createSchemas(rules: FormRules = {}): Readonly<Record<string, JsonSchema>> {
  const { offenceTypes = OFFENCE_TYPES, fields = DEFAULT_FIELDS } = rules;
  const bounds: Bounds = { ...DEFAULT_BOUNDS, ...rules.bounds };
  const text = formatRefusal({ reason: 'invalid-text', limitCharacters: bounds.textCharacters });
  const reserved: Readonly<Record<Exclude<ReservedField, '_action'>, JsonSchema>> = {
    _api: { type: 'string', pattern: CODE_IN_ANY_CASE, description: 'API key of the reporter.' },
    _type: { type: 'string', enum: offenceTypes, description: 'Offence type.' },
    _value: {
      type: 'integer',
      minimum: SEVERITY.min,
      maximum: SEVERITY.max,
      description: 'Severity, without a sign, leading zero or decimal point.',
    },
    _text: {
      type: 'string',
      minLength: 1,
      maxLength: bounds.textCharacters,
      description: `Public description. ${text} It must have no personal data.`,
    },
    _code: { type: 'string', pattern: CODE_IN_ANY_CASE, description: 'Deletion code of the report.' },
  };

  const form = (action: Action, description: string): JsonSchema => {
    const names = RESERVED[action];
    const plain = {
      type: 'object',
      description,
      required: names,
      properties: Object.fromEntries(
        names.map((name) => [name, name === '_action' ? { type: 'string', const: action } : reserved[name]]),
      ),
      additionalProperties: false,
    };
    if (action === 'delete') return plain;
    return {
      ...plain,
      patternProperties: { [KIND.source]: { $ref: '#/components/schemas/IdentifierHash' } },
      minProperties: names.length + 1,
      maxProperties: Math.min(fields, names.length + bounds.identifiers),
    };
  };

  const references = Object.entries(FORM_SCHEMAS).map(([action, name]) => [action, `#/components/schemas/${name}`]);
  return {
    Form: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: '_action', mapping: Object.fromEntries(references) },
    },
    [FORM_SCHEMAS.report]: form('report', `Submits a report about a person. ${IDENTIFIERS}`),
    [FORM_SCHEMAS.delete]: form('delete', "Deletes one of the reporter's own reports."),
    [FORM_SCHEMAS.query]: form('query', `Scores identifiers of a person. ${IDENTIFIERS}`),
    ...REPLIES,
  };
}

const REPLIES: Readonly<Record<string, JsonSchema>> = {
  IdentifierHash: {
    type: 'string',
    pattern: HASH_IN_ANY_CASE.source,
    description:
      'Identifier of a person, hashed by the client. The operator may choose another prefix and number of rounds than service- and 32,000.',
  },
  Ok: { type: 'string', const: OK },
  QueryResult: {
    type: 'string',
    pattern: RESULT_PATTERN,
    description:
      '`<Points>-<Reported>-<Reliability>-<link>`: an integer, an integer, 0.0 to 10.0, and the address of the reports. A body with another number of segments is no result.',
  },
  Error: { type: 'string', pattern: '^ERROR: [^\\n-]+$', description: 'One line of English without a hyphen.' },
  ViewedReport: {
    type: 'object',
    required: ['reportId', 'type', 'value', 'description', 'createdAt', 'reporter'],
    properties: {
      reportId: { type: 'string', pattern: CODE.source },
      type: { type: 'string', description: 'Offence type.' },
      value: { type: 'integer', minimum: SEVERITY.min, maximum: SEVERITY.max, description: 'Severity.' },
      description: { type: 'string', description: 'Public description as it was sent. Escape it in a page.' },
      createdAt: { type: 'string', format: 'date-time', description: 'In UTC.' },
      reporter: { type: 'string', description: 'Name of the reporting organisation.' },
    },
  },
  ViewedReports: {
    type: 'object',
    required: ['ReportAdvanceds', 'count'],
    properties: {
      ReportAdvanceds: {
        type: 'array',
        items: { $ref: '#/components/schemas/ViewedReport' },
        description: 'Newest first.',
      },
      count: { type: 'integer', minimum: 0, description: 'Number of reports in the array.' },
    },
  },
};
