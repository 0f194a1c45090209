// The field in which a person types or pastes identifiers, and the list below it of what was recognised.
import { recogniseKind, splitTypedValues } from '../../core/identifiers/clear-value.ts';
import { normaliseIdentifier } from '../../core/identifiers/normalise.ts';
import { NOT_IDENTIFIER } from '../../core/identifiers/not-identifier.ts';
import { make, readValue, type ReadyValue } from './in-page.ts';
import { loadSharedHosts, needsSharedHosts } from './shared-hosts.ts';

/** Values that another page has read. */
export interface TypedBefore {
  readonly values: readonly ReadyValue[];
  readonly anyway: ReadonlySet<string>;
}

/** What a person has typed. */
export interface TypedField {
  readonly field: HTMLTextAreaElement;
  /** Values that are read although they name no person, because the person said so. */
  readonly anyway: ReadonlySet<string>;
  /**
   * Returns the values, or what is wrong: in one sentence, and the control where it is mended. Rejects if a list that
   * the values need cannot be loaded.
   */
  read(): Promise<readonly ReadyValue[] | WrongValue>;
  /** Recognises the values again, such as in another country. */
  refresh(): void;
}

/** Why what was typed cannot be sent. */
export interface WrongValue {
  readonly wrong: string;
  readonly at: HTMLElement;
}

const KINDS = { email: 'Email', phone: 'Phone', ip: 'IP address', domain: 'Domain', name: 'Name', other: 'Other data' };

/**
 * Begins to recognise what is typed in the form. `isQuestion`: values are looked up, not reported. `before` is in
 * the field at first.
 */
export function watchTyped(
  form: HTMLFormElement,
  most: number,
  countryOf: () => string,
  isQuestion: boolean,
  before?: TypedBefore,
): TypedField {
  const field = form.querySelector<HTMLTextAreaElement>('[data-typed]')!;
  const list = form.querySelector<HTMLUListElement>('[data-found]')!;
  /** What the person has changed, by value. It is kept while the person types on. */
  const kinds = new Map(before?.values.map(({ typed, kind }) => [typed, kind]));
  const anyway = new Set(before?.anyway);
  let values: string[] = [];
  const kindOf = (value: string): string => {
    const guessed = recogniseKind(value);
    // Any text may be a name, so only the person can say that it is one.
    return kinds.get(value) ?? (guessed === 'name' ? '' : guessed);
  };
  const readOne = (value: string) => readValue(kindOf(value), value, countryOf(), anyway.has(value));

  const show = (value: string, at: number): HTMLLIElement => {
    const item = make('li');
    const read = readOne(value);
    const select = make('select', '', { 'aria-label': `Kind of value ${at + 1}`, id: `kind-${at}` });
    if (kindOf(value) === '') select.append(new Option('Choose…', ''));
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
      const check = make('span', '', { class: 'check late' });
      check.append(box, make('label', isQuestion ? 'ask anyway' : 'report anyway', { for: box.id }));
      if (why !== undefined)
        item.append(make('span', `No identifier: it ${NOT_IDENTIFIER[why]}.`, { class: 'wrong late' }));
      item.append(check);
    }
    if (typeof read !== 'string' && !read.isCanonical && ['email', 'phone', 'ip', 'domain'].includes(kindOf(value)))
      item.append(make('span', note(kindOf(value), value), { class: 'quiet late' }));
    else if (typeof read !== 'string' && read.text !== normaliseOrEmpty(value))
      item.append(make('span', `read as ${read.text}`, { class: 'quiet' }));
    return item;
  };
  const refresh = (): void => {
    values = splitTypedValues(field.value);
    // What fails here is said when the values are sent.
    if (needsSharedHosts(values.map(kindOf))) loadSharedHosts().then(refresh, () => {});
    list.replaceChildren(...values.slice(0, most).map(show));
    list.hidden = values.length === 0;
    field.rows = Math.min(8, Math.max(1, field.value.split('\n').length));
  };
  field.addEventListener('input', () => {
    // What is wrong is said when the value is complete.
    list.classList.add('typing');
    refresh();
  });
  field.addEventListener('blur', () => list.classList.remove('typing'));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  if (before) field.value = before.values.map(({ typed }) => typed).join('\n');
  refresh();
  return {
    field,
    anyway,
    refresh,
    async read() {
      if (needsSharedHosts(splitTypedValues(field.value).map(kindOf))) await loadSharedHosts();
      // Also what a browser has filled in without an event.
      refresh();
      list.classList.remove('typing');
      if (values.length > most)
        return { wrong: `There are ${values.length} values. At most ${most} fit in one request.`, at: field };
      const ready: ReadyValue[] = [];
      for (const [at, value] of values.entries()) {
        const read = readOne(value);
        const which = values.length === 1 ? 'This' : `Value ${at + 1}`;
        if (typeof read === 'string')
          return {
            wrong: `${which} is no identifier: it ${NOT_IDENTIFIER[read]}. Correct it, or tick the box below.`,
            at: field,
          };
        if (normaliseOrEmpty(value) === '') return { wrong: `${which} cannot be hashed. Correct it.`, at: field };
        if (kindOf(value) === '') {
          const several = /\s/.test(value) ? ', or write several values one a line' : '';
          return { wrong: `Choose what this is${several}.`, at: list.querySelectorAll('select')[at]! };
        }
        ready.push({ kind: kindOf(value), text: read.text, typed: value });
      }
      return ready;
    },
  };
}

function note(kind: string, value: string): string {
  const what = kind === 'domain' ? 'a domain' : kind === 'ip' ? 'an IP address' : 'an email';
  const why = kind === 'phone' ? 'without a country code' : `does not look like ${what}`;
  // The longest phone number has 15 digits (E.164).
  const areSeveral = /\s/.test(value) && (kind !== 'phone' || value.replaceAll(/\D/g, '').length > 15);
  return `${why}: it may not match${areSeveral ? '. Several values? Write one a line, or with commas.' : ''}`;
}

function normaliseOrEmpty(value: string): string {
  try {
    return normaliseIdentifier(value);
  } catch {
    return '';
  }
}
