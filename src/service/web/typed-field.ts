// The field in which a person types or pastes identifiers, and the list below it of what was recognised.
import { recogniseKind, splitTypedValues } from '../../core/identifiers/clear-value.ts';
import { normaliseIdentifier } from '../../core/identifiers/normalise.ts';
import { NOT_IDENTIFIER } from '../../core/identifiers/not-identifier.ts';
import { make, readValue, type ReadyValue } from './in-page.ts';

/** What a person has typed. */
export interface TypedField {
  readonly field: HTMLTextAreaElement;
  /** Returns the values, or what is wrong in one sentence. */
  read(): readonly ReadyValue[] | string;
  /** Recognises the values again, such as in another country. */
  refresh(): void;
}

const KINDS = { email: 'Email', phone: 'Phone', ip: 'IP address', domain: 'Domain', name: 'Name', other: 'Other data' };

/** Begins to recognise what is typed in the form. `isQuestion`: values are looked up, not reported. */
export function watchTyped(
  form: HTMLFormElement,
  most: number,
  countryOf: () => string,
  isQuestion: boolean,
): TypedField {
  const field = form.querySelector<HTMLTextAreaElement>('[data-typed]')!;
  const list = form.querySelector<HTMLUListElement>('[data-found]')!;
  /** What the person has changed, by value. It is kept while the person types on. */
  const kinds = new Map<string, string>();
  const anyway = new Set<string>();
  let values: string[] = [];
  const kindOf = (value: string): string => kinds.get(value) ?? recogniseKind(value);
  const readOne = (value: string) => readValue(kindOf(value), value, countryOf(), anyway.has(value));

  const show = (value: string, at: number): HTMLLIElement => {
    const item = make('li');
    const read = readOne(value);
    const select = make('select', '', { 'aria-label': `Kind of value ${at + 1}` });
    for (const [kind, name] of Object.entries(KINDS)) select.append(new Option(name, kind));
    select.value = kindOf(value);
    select.addEventListener('change', () => {
      kinds.set(value, select.value);
      refresh();
      list.querySelectorAll('select')[at]?.focus();
    });
    item.append(make('span', value, { class: 'value' }), select);
    const why = typeof read === 'string' ? read : undefined;
    if (why !== undefined || anyway.has(value)) {
      const box = make('input', '', { type: 'checkbox', id: `anyway-${at}` });
      box.checked = anyway.has(value);
      box.addEventListener('change', () => {
        if (box.checked) anyway.add(value);
        else anyway.delete(value);
        refresh();
        document.getElementById(`anyway-${at}`)?.focus();
      });
      const check = make('span', '', { class: 'check' });
      check.append(box, make('label', isQuestion ? 'ask anyway' : 'report anyway', { for: box.id }));
      if (why !== undefined) item.append(make('span', `No identifier: it ${NOT_IDENTIFIER[why]}.`, { class: 'wrong' }));
      item.append(check);
    }
    if (typeof read !== 'string' && !read.isCanonical && ['email', 'phone', 'ip', 'domain'].includes(kindOf(value)))
      item.append(make('span', note(kindOf(value)), { class: 'quiet' }));
    else if (typeof read !== 'string' && read.text !== normaliseOrEmpty(value))
      item.append(make('span', `read as ${read.text}`, { class: 'quiet' }));
    return item;
  };
  const refresh = (): void => {
    values = splitTypedValues(field.value);
    list.replaceChildren(...values.slice(0, most).map(show));
    list.hidden = values.length === 0;
    field.rows = Math.min(8, Math.max(1, field.value.split('\n').length));
  };
  field.addEventListener('input', refresh);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  refresh();
  return {
    field,
    refresh,
    read() {
      // Also what a browser has filled in without an event.
      refresh();
      if (values.length > most) return `There are ${values.length} values. At most ${most} fit in one request.`;
      const ready: ReadyValue[] = [];
      for (const [at, value] of values.entries()) {
        const read = readOne(value);
        if (typeof read === 'string')
          return `Value ${at + 1} is no identifier: it ${NOT_IDENTIFIER[read]}. Correct it, or tick the box beside it.`;
        if (normaliseOrEmpty(value) === '') return `Value ${at + 1} cannot be hashed. Correct it.`;
        ready.push({ kind: kindOf(value), text: read.text, typed: value });
      }
      return ready;
    },
  };
}

function note(kind: string): string {
  return kind === 'phone'
    ? 'without a country code: it may not match'
    : `does not look like ${kind === 'domain' ? 'a domain' : kind === 'ip' ? 'an IP address' : 'an email'}: it may not match`;
}

function normaliseOrEmpty(value: string): string {
  try {
    return normaliseIdentifier(value);
  } catch {
    return '';
  }
}
