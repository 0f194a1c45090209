// Look up and report in the panel: recognises what a person types, hashes it in workers, and sends the hashes only.
import { isCode, isHash } from '../../../core/domain/identifier.ts';
import { recogniseKind, splitTypedValues } from '../../../core/identifiers/clear-value.ts';
import { findPersonalData, kindsOf, PERSONAL_DATA } from '../../../core/domain/personal-data.ts';
import {
  copyText,
  createPageHasher,
  describeFailure,
  make,
  readSettings,
  readStored,
  readValue,
  sendForm,
  showCountries,
  showLocalTimes,
  writeSettings,
  writeStored,
  type PageHasher,
  type ReadyValue,
  type Settings,
} from '../in-page.ts';
import { watchTyped, type TypedField } from '../typed-field.ts';

const RECENT = 'redflag-panel-recent';
const MAX_RECENT = 20;
const settings = readSettings();
const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T | null =>
  within.querySelector<T>(selector);

const form = find<HTMLFormElement>('form[data-hashes]');
if (form) begin(form);
for (const field of document.querySelectorAll<HTMLInputElement>('input[data-hash-kind]')) beginHashed(field);
beginUndo();

function begin(form: HTMLFormElement): void {
  find('[data-without-script]')!.hidden = true;
  form.hidden = false;
  const isQuestion = form.dataset['hashes'] === 'ask';
  const typed = watchTyped(form, Number(form.dataset['most']), () => settings.country, isQuestion);
  const hasher = createPageHasher(form);
  const problem = find('[data-problem]', form)!;
  const button = find<HTMLButtonElement>('button.primary', form)!;
  const hidden = (name: string): HTMLInputElement => find<HTMLInputElement>(`[name=${name}]`, form)!;
  // Not the field: a browser that goes back may fill it with the hashes of the customer before.
  const begunWith = form.dataset['sent'] ?? '';

  const send = async (): Promise<void> => {
    problem.textContent = '';
    let isSent = false;
    const values = typed.read();
    if (typeof values === 'string') return fail(values);
    if (values.length === 0 && begunWith === '')
      return fail('Type an email, a phone number, an IP address or a domain.');
    button.disabled = true;
    try {
      const [hashed = { identifiers: '', also: '' }] = await hasher.hash([values]);
      hidden('identifiers').value = [begunWith, hashed.identifiers].filter(Boolean).join(' ');
      if (!isQuestion) {
        isSent = true;
        return form.submit();
      }
      hidden('also').value = hashed.also;
      await ask(form, typed, values);
    } catch (error) {
      fail(describeFailure(error));
    } finally {
      // A double click would send the report again.
      button.disabled = isSent;
    }
  };
  const fail = (message: string): void => {
    problem.textContent = message;
    typed.field.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void send();
  });
  window.addEventListener('pageshow', () => (button.disabled = false));
  if (isQuestion) beginSettings(typed);
  else watchText(form);
  if (begunWith === '') typed.field.focus();
  else find('[name=text]', form)?.focus();
}

/** Sends the hashes, and puts the answer of the reply into the page. */
async function ask(form: HTMLFormElement, typed: TypedField, values: readonly ReadyValue[]): Promise<void> {
  const reply = await sendForm(form);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const place = find('#answer')!;
  const found = find('#answer', page);
  const notice = page.querySelector('.notice[role=alert]');
  if (!found) throw new Error('the reply has no answer');
  place.replaceChildren(...(found.children.length > 0 ? found.children : notice ? [notice] : []));
  const left = find('[data-left]', page);
  if (left) find('[data-left]')?.replaceWith(document.adoptNode(left));
  showLocalTimes(place);
  showAdvice();
  keepRecent(values);
  const copy = find<HTMLButtonElement>('[data-copy]', place);
  if (copy) {
    copy.hidden = false;
    copy.addEventListener('click', () => void copyText(copy, describe(place, values)));
  }
  place.focus();
  typed.field.select();
  place.scrollIntoView({ block: 'nearest' });
}

/**
 * Lets a field for hashes take identifiers in clear. Nothing sends the field any more: a hidden one has its name, and
 * the hashes.
 */
function beginHashed(field: HTMLInputElement): void {
  const { form, name, dataset } = field;
  if (!form) return;
  const hidden = make('input', '', { type: 'hidden', name });
  const problem = make('p', '', { class: 'problem', role: 'alert' });
  field.removeAttribute('name');
  field.after(hidden, problem);
  find(`#${field.id}-hint`)!.textContent = dataset['hashHint'] ?? '';
  const hasher = createPageHasher(form);
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    const sent = await toSent(field.value, dataset['hashKind'] === 'or-text', hasher);
    isSending = typeof sent === 'string';
    if (typeof sent === 'string') {
      hidden.value = sent;
      return form.submit();
    }
    problem.textContent = sent.problem;
    field.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    problem.textContent = '';
    if (!isSending) void send();
  });
  window.addEventListener('pageshow', () => (isSending = false));
}

/** Returns the hashes of what a person has typed or, for `orText`, a text that has no identifier. */
async function toSent(
  typed: string,
  orText: boolean,
  hasher: PageHasher,
): Promise<string | { readonly problem: string }> {
  const values = splitTypedValues(typed);
  // Only a phone number has spaces: another value with one is a sentence.
  const isPlain = (value: string): boolean => {
    const kind = recogniseKind(value);
    return (
      isHash(value.toLowerCase()) ||
      isCode(value.toLowerCase()) ||
      kind === 'name' ||
      (kind !== 'phone' && /\s/.test(value))
    );
  };
  if (orText && values.every(isPlain))
    return findPersonalData(typed).length === 0
      ? typed
      : { problem: 'Type an email or a phone number alone: your browser then sends its hash only.' };
  const clear = values.filter((value) => !isHash(value.toLowerCase()));
  if (clear.some((value) => /^[0-9a-f]{24,}$/i.test(value))) return { problem: 'A hash has 40 hex characters.' };
  try {
    const ready = clear.map((value): ReadyValue => {
      const kind = recogniseKind(value);
      const read = readValue(kind, value, settings.country, true);
      return { kind, text: typeof read === 'string' ? value : read.text, typed: value };
    });
    const [hashed] = ready.length === 0 ? [] : await hasher.hash([ready]);
    const pairs = `${hashed?.identifiers ?? ''} ${hashed?.also ?? ''}`.split(' ').filter((pair) => pair !== '');
    const hashes = pairs.map((pair) => pair.slice(pair.indexOf('=') + 1));
    return [...new Set([...values.filter((value) => !clear.includes(value)), ...hashes])].join(' ');
  } catch {
    return { problem: 'Your browser could not hash it. Correct it, or use another browser.' };
  }
}

type Advice = readonly [word: 'allow' | 'look' | 'hold', text: string, kind: string];

/** Returns what the shop's own thresholds say of an answer. */
function advise({ points, reliability }: { readonly points: number; readonly reliability: number }): Advice {
  if (points >= settings.hold && reliability >= settings.reliability) return ['hold', 'Hold the order', 'tag'];
  if (points >= settings.look) return ['look', 'Look at the order', 'tag warn'];
  return ['allow', 'Allow', 'tag ok'];
}

function answerOf(place: ParentNode): DOMStringMap | undefined {
  return find('[data-answer]', place)?.dataset;
}

function showAdvice(): void {
  const tag = find('[data-advice]');
  const answer = answerOf(document);
  if (!tag || !answer) return;
  const [, text, kind] = advise({ points: Number(answer['points']), reliability: Number(answer['reliability']) });
  tag.textContent = text;
  tag.className = kind;
  tag.hidden = false;
}

/** Returns the answer as text for a ticket. It has no personal data but what the person typed. */
function describe(place: ParentNode, values: readonly ReadyValue[]): string {
  const answer = answerOf(place) ?? {};
  const [points, reliability] = [Number(answer['points']), Number(answer['reliability'])];
  const lines = [
    `Looked up ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: ${values.map(({ typed }) => typed).join(', ')}`,
    answer['said'] ?? '',
    `Points ${points} of 100, reliability ${reliability.toFixed(1)} of 10, reports ${answer['reported']}, organisations ${answer['organisations']}`,
    `Our threshold says: ${advise({ points, reliability })[1]}`,
    ...(answer['link'] ? [`Record: ${answer['link']}`] : []),
  ];
  return lines.join('\n');
}

function beginSettings(typed: TypedField): void {
  const box = find('[data-settings]')!;
  box.hidden = false;
  for (const control of box.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-setting]')) {
    const name = control.dataset['setting'] as keyof Settings;
    if (control instanceof HTMLSelectElement) showCountries(control, settings.country);
    else if (control.type === 'checkbox') control.checked = settings.keep;
    else control.value = String(settings[name]);
    control.addEventListener('change', () => {
      if (control instanceof HTMLSelectElement) settings.country = control.value;
      else if (control.type === 'checkbox') settings.keep = control.checked;
      else if (control.checkValidity() && control.value !== '')
        settings[name as 'look' | 'hold' | 'reliability'] = Number(control.value);
      writeSettings(settings);
      if (!settings.keep) writeStored(RECENT, undefined);
      typed.refresh();
      showAdvice();
      showRecent(typed);
    });
  }
  find('[data-forget]')!.addEventListener('click', () => {
    writeStored(RECENT, undefined);
    showRecent(typed);
  });
  showRecent(typed);
}

function recent(): string[] {
  const kept = readStored(RECENT);
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
}

function keepRecent(values: readonly ReadyValue[]): void {
  if (!settings.keep) return;
  const text = values.map(({ typed }) => typed).join(', ');
  writeStored(RECENT, [text, ...recent().filter((one) => one !== text)].slice(0, MAX_RECENT));
}

function showRecent(typed: TypedField): void {
  const kept = recent();
  find('[data-recent]')!.hidden = kept.length === 0;
  find('[data-recent-list]')!.replaceChildren(
    ...kept.map((text) => {
      const item = make('li');
      const again = make('button', text, { type: 'button', class: 'button quiet' });
      again.addEventListener('click', () => {
        typed.field.value = text;
        typed.refresh();
        typed.field.form?.requestSubmit();
      });
      item.append(again);
      return item;
    }),
  );
}

/** Says which personal data a text seems to have. The service decides. */
function watchText(form: HTMLFormElement): void {
  const text = find<HTMLTextAreaElement>('[name=text]', form)!;
  const said = find('[data-personal]', form)!;
  const check = (): void => {
    const kinds = kindsOf(findPersonalData(text.value)).map((kind) => PERSONAL_DATA[kind]);
    const words =
      kinds.length === 0 ? '' : `The text seems to have: ${kinds.join(', ')}. Everyone can read it: remove it.`;
    // A screen reader says each change.
    if (said.textContent !== words) said.textContent = words;
  };
  text.addEventListener('input', check);
}

/** Takes "Undo" away from the page of a receipt after some minutes. */
function beginUndo(): void {
  const undo = find('[data-undo]');
  if (undo) setTimeout(() => undo.remove(), Number(undo.dataset['undo']) * 60_000);
}
