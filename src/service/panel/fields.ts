import { DAY_MS } from '../../core/domain/day.ts';
import { accept, refuse, type Outcome, type Refusal } from '../../core/domain/refusal.ts';
import { readFields } from '../../core/http/body.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import { idOf, type FormIds } from './forms.ts';
import type { Action, FormResult, PanelRequest, Visitor } from './page.ts';

/** The longest form has a text of 500 characters. Each may take four bytes, and each byte three characters. */
const BODY_BYTES = 16_384;
const MAX_FIELDS = 32;
/** Fifty rows of a table, each with a text of 2,000 characters of four bytes, and each byte written as %XX. */
const DATA_BYTES = 2_097_152;

/** Returns the request once its body has arrived, or has failed to. {@link readPanelForm} then reads it. */
export async function withBody(request: HttpRequest, hasData: boolean): Promise<HttpRequest> {
  if (request.parsedBody !== undefined || !isForm(request)) return request;
  const body = request.body(hasData ? DATA_BYTES : BODY_BYTES);
  await body.catch(() => undefined);
  return { ...request, body: () => body };
}

/** Browsers send a form so. Programs of other sites cannot send JSON without a question that is refused. */
function isForm(request: HttpRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.header('content-type') ?? '');
}

/**
 * Returns the fields of a form of the panel. `hasData`: a script of the page may send many rows. Refuses bodies of
 * other kinds, long ones, and a name with two values.
 */
export async function readPanelForm(
  request: HttpRequest,
  hasData = false,
): Promise<Outcome<ReadonlyMap<string, string>>> {
  if (!isForm(request)) return refuse({ reason: 'unsupported-content-type' });
  const read = await readFields(request, hasData ? DATA_BYTES : BODY_BYTES, MAX_FIELDS);
  if (!read.ok) return read;
  const fields = new Map<string, string>();
  for (const [name, value] of read.value) {
    if (fields.has(name)) return refuse({ reason: 'repeated-field', field: name });
    // Browsers end lines with CRLF, whatever the person typed.
    fields.set(name, value.replaceAll('\r\n', '\n'));
    if (fields.size > MAX_FIELDS) return refuse({ reason: 'too-many-fields', limit: MAX_FIELDS });
  }
  return accept(fields);
}

/** Returns the end of a day such as `2030-01-31` (ms, UTC); undefined for another text. */
export function endOfDay(text: string): number | undefined {
  const startsAt = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // Engines read the 30th of February as a day of March.
  const isDay = !Number.isNaN(startsAt) && new Date(startsAt).toISOString().startsWith(text);
  return isDay ? startsAt + DAY_MS : undefined;
}

/** What a field of a form is given by the form. */
export interface Typed {
  /** Unique on the page. */
  readonly id: string;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
}

/**
 * Returns what a field of a form has: its id and, if this form was refused, what the person typed and what is wrong.
 * `ids` tell forms of one action apart.
 */
export function typedIn(
  { refused }: Pick<PanelRequest, 'refused'>,
  action: string,
  ids: FormIds = {},
): (name: string) => Typed {
  const isThis = Object.entries({ ...ids, do: action }).every(([name, id]) => refused?.fields.get(name) === id);
  if (!refused || !isThis) return (name) => ({ id: idOf(name, ids) });
  return (name) => ({
    id: idOf(name, ids),
    value: refused.fields.get(name),
    error: Object.hasOwn(refused.errors, name) ? refused.errors[name] : undefined,
  });
}

/**
 * Returns the action of a form. `call` asks the engine, with the fields of the form; a missing field is empty. `done`
 * says what it did. `fieldOf` names the fields that refusals are about, and `wordFor` words these refusals.
 */
export function acting<T>(
  call: (request: PanelRequest, field: (name: string) => string) => Promise<Outcome<T>>,
  done: string | ((value: T, request: PanelRequest) => FormResult),
  fieldOf: Partial<Record<Refusal['reason'], string>> = {},
  wordFor: (refusal: Refusal) => string = formatRefusal,
): Action {
  return async (request) => {
    const outcome = await call(request, (name) => request.fields.get(name) ?? '');
    if (outcome.ok) return accept(typeof done === 'string' ? { message: done } : done(outcome.value, request));
    const field = fieldOf[outcome.refusal.reason];
    return field === undefined ? outcome : { ok: false, errors: { [field]: wordFor(outcome.refusal) } };
  };
}

/** Returns the action that sets the public contact of a reporter. `byReporter` says that its own page asks. */
export function settingContact(reporterIdOf: (request: PanelRequest) => string, byReporter = false): Action {
  const contactIn = ({ fields }: PanelRequest): string | null => (fields.get('contact') ?? '').trim() || null;
  return acting(
    (request) =>
      request.engine.updateReporter({
        reporterId: reporterIdOf(request),
        contact: contactIn(request),
        byReporter,
        by: request.visitor.name,
      }),
    (_, request) => ({ message: contactIn(request) === null ? 'The contact was removed.' : 'The contact was saved.' }),
    { 'invalid-contact': 'contact', limited: 'contact' },
  );
}

/** Returns the reporter of the visitor. Its pages are shown to no other visitor: throws for the operator. */
export function ownId({ reporterId }: Visitor): string {
  if (reporterId === null) throw new Error('a page of a reporter was shown to the operator');
  return reporterId;
}
