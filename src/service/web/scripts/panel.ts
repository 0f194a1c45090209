// Look up and report in the panel: recognises what a person types, hashes it in workers, and sends the hashes only.
import { isCode, isHash } from '../../../core/domain/identifier.ts';
import { recogniseKind, splitTypedValues } from '../../../core/identifiers/clear-value.ts';
import {
  advise,
  copyText,
  createPageHasher,
  describeFailure,
  hasKeyboard,
  IF_EMPTY,
  make,
  readSettings,
  readStored,
  readValue,
  sendForm,
  showCopies,
  showCountries,
  showError,
  showErrors,
  showLocalTimes,
  writeSettings,
  writeStored,
  type PageHasher,
  type ReadyValue,
  type Settings,
} from '../in-page.ts';
import { watchTyped, type TypedBefore, type TypedField } from '../typed-field.ts';

const RECENT = 'redflag-panel-recent';
const MAX_RECENT = 20;
const settings = readSettings();
const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T | null =>
  within.querySelector<T>(selector);

/** What stays in the page when the next one comes into it. */
interface Kept {
  readonly hasher: PageHasher;
  readonly before: TypedBefore;
  /** The other fields of a report that was sent, by name. "Undo" brings them back. */
  readonly fields?: ReadonlyMap<string, string>;
}

/** The address of what is shown. */
const shown = { path: location.pathname };
// Links to fields of the page move in the history, too.
window.addEventListener('popstate', () => {
  if (location.pathname !== shown.path) location.reload();
});
start();

function start(kept?: Kept): void {
  const form = find<HTMLFormElement>('form[data-hashes]');
  if (form) begin(form, kept);
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-hash-kind]')) beginHashed(field);
  beginUndo(kept);
}

/** Shows the page of a reply in this one, so that what a person typed stays in the browser and is not lost. */
async function show(reply: Response, path: string, kept: Kept): Promise<void> {
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // Such as over a limit: what the person has written stays.
  if (!reply.ok && !find('form[data-hashes]', page)) throw new Error('the service refused the form');
  document.title = page.title;
  document.body.replaceChildren(...page.body.children);
  for (const script of page.querySelectorAll('script')) loadOnce(script.getAttribute('src')!);
  if (path !== shown.path) history.pushState(null, '', path);
  shown.path = path;
  scrollTo(0, 0);
  start(kept);
  // As the script `keys` does for a page that the browser loads.
  showLocalTimes();
  showCopies();
  // What became of a form. The browser gives it the focus only in a page that it loads.
  find('[autofocus]')?.focus();
}

/** Loads a script of a page that is shown in this one. A script of a parsed page does not run. */
function loadOnce(src: string): void {
  if (find(`script[src="${src}"]`)) return;
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
}

function begin(form: HTMLFormElement, kept?: Kept): void {
  find('[data-without-script]')!.hidden = true;
  form.hidden = false;
  // The browser would say what is wrong in its own language and place.
  form.noValidate = true;
  const isQuestion = form.dataset['hashes'] === 'ask';
  const most = Number(form.dataset['most']);
  const typed = watchTyped(form, most, () => settings.country, isQuestion, kept?.before);
  const hasher = kept?.hasher ?? createPageHasher(form);
  const problem = find('[data-problem]', form)!;
  const button = find<HTMLButtonElement>('button.primary', form)!;
  const hidden = (name: string): HTMLInputElement => find<HTMLInputElement>(`[name=${name}]`, form)!;

  const send = async (): Promise<void> => {
    problem.textContent = '';
    if (isQuestion) clearAnswer();
    button.disabled = true;
    try {
      const values = await readAll(form, typed);
      if (!values) return;
      const [hashed = { identifiers: '', also: '' }] = await hasher.hash([values]);
      hidden('identifiers').value = hashed.identifiers;
      hidden('also').value = hashed.also;
      const reply = await sendForm(form);
      if (isQuestion) await showAnswer(reply, typed, values, hasher);
      else
        await show(reply, new URL(form.action).pathname, {
          hasher,
          before: { values, anyway: typed.anyway },
          fields: new Map(fieldsOf(form).map(({ name, value }) => [name, value])),
        });
    } catch (error) {
      problem.textContent = describeFailure(error);
      button.disabled = false;
      // Beside the message.
      button.focus();
    } finally {
      button.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void send();
  });
  form.addEventListener('input', ({ target }) => showError(target as Element, ''));
  if (isQuestion) beginSettings(typed);
  for (const field of fieldsOf(form)) field.value = kept?.fields?.get(field.name) ?? field.value;
  if (kept) find('[name=type]', form)?.focus();
  else typed.field.focus();
}

type Field = HTMLSelectElement | HTMLTextAreaElement;

/** Returns the fields of a report that are sent as they are. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>(':is(select, textarea)[name]')];
}

/** Returns the values of a form, or says at its fields what is wrong with them. */
async function readAll(form: HTMLFormElement, typed: TypedField): Promise<readonly ReadyValue[] | undefined> {
  const read = await typed.read();
  const wrong: [field: HTMLElement, message: string][] = [];
  if ('wrong' in read) wrong.push([read.at, read.wrong]);
  else if (read.length === 0) wrong.push([typed.field, 'Type an email, a phone number, an IP address or a domain.']);
  for (const field of form.querySelectorAll<Field>('[required]'))
    if (field.value.trim() === '') wrong.push([field, IF_EMPTY[field.name] ?? 'Fill in this field.']);
  return showErrors(form, wrong) && !('wrong' in read) ? read : undefined;
}

function clearAnswer(): void {
  find('#answer')!.replaceChildren();
  find('[data-spoken]')!.textContent = '';
}

/** Puts the answer of a reply into the page. */
async function showAnswer(
  reply: Response,
  typed: TypedField,
  values: readonly ReadyValue[],
  hasher: PageHasher,
): Promise<void> {
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const place = find('#answer')!;
  const found = find('#answer', page);
  const notice = page.querySelector('.notice[role=alert]');
  if (!found) throw new Error('the reply has no answer');
  place.replaceChildren(...(found.children.length > 0 ? found.children : notice ? [notice] : []));
  const left = find('[data-left]', page);
  if (left) find('[data-left]')?.replaceWith(document.adoptNode(left));
  showLocalTimes(place);
  const advice = showAdvice();
  // Only this is said by a screen reader, which would else read the whole card or nothing.
  if (advice) find('[data-spoken]')!.textContent = `${advice}. ${answerOf(place)?.['said']}`;
  keepRecent(values);
  showRecent(typed);
  const copy = find<HTMLButtonElement>('[data-copy]', place);
  if (copy) {
    copy.hidden = false;
    copy.addEventListener('click', () => void copyText(copy, describe(place, values)));
  }
  const report = find<HTMLFormElement>('[data-begin]', place);
  report?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { pathname } = new URL(report.action);
    fetch(pathname)
      .then((next) => show(next, pathname, { hasher, before: { values, anyway: new Set() } }))
      // The page says why it cannot be shown.
      .catch(() => report.submit());
  });
  if (hasKeyboard()) typed.field.select();
  else place.focus();
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
  const hint = find(`#${field.id}-hint`)!;
  (find('span', hint) ?? hint).textContent = dataset['hashHint'] ?? '';
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

/** Parts of emails, phones, accounts and addresses. A text with one is not sent as it is. */
const MAY_BE_CLEAR = /@|::|(?:\d[^\p{L}\d]{0,3}){6}/u;

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
    return !MAY_BE_CLEAR.test(typed)
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

function answerOf(place: ParentNode): DOMStringMap | undefined {
  return find('[data-answer]', place)?.dataset;
}

/** Shows what the thresholds say of the answer, and returns it. */
function showAdvice(): string | undefined {
  const verdict = find('[data-advice]');
  const answer = answerOf(document);
  if (!verdict || !answer) return undefined;
  const [, said, tone] = advise(settings, numbersOf(answer));
  verdict.textContent = said;
  verdict.className = `verdict ${tone}`;
  verdict.hidden = false;
  return said;
}

function numbersOf(answer: DOMStringMap): { readonly points: number; readonly reliability: number } {
  return { points: Number(answer['points']), reliability: Number(answer['reliability']) };
}

/** Returns the answer as text for a ticket. It has no personal data but what the person typed. */
function describe(place: ParentNode, values: readonly ReadyValue[]): string {
  const answer = answerOf(place) ?? {};
  const { points, reliability } = numbersOf(answer);
  const lines = [
    `Looked up ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: ${values.map(({ typed }) => typed).join(', ')}`,
    answer['said'] ?? '',
    `Points ${points} of 100, reliability ${reliability.toFixed(1)} of 10, reports ${answer['reported']}, organisations ${answer['organisations']}`,
    `Our threshold says: ${advise(settings, { points, reliability })[1]}`,
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
      const isNumber = control instanceof HTMLInputElement && control.type === 'number';
      const isWrong = isNumber && (control.value === '' || !control.checkValidity());
      // The number before stays in force.
      showError(control, isWrong ? `Type a ${whole(control)}number from ${control.min} to ${control.max}.` : '');
      find('.saved')?.remove();
      if (isWrong) return;
      if (control instanceof HTMLSelectElement) settings.country = control.value;
      else if (isNumber) settings[name as 'look' | 'hold' | 'reliability'] = Number(control.value);
      else settings.keep = control.checked;
      const saved = writeSettings(settings) ? 'Saved.' : 'Your browser stores nothing: set until you leave the page.';
      control.parentElement?.append(make('span', saved, { class: 'quiet saved' }));
      find('[data-spoken]')!.textContent = saved;
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

function whole({ step }: HTMLInputElement): string {
  return step === '1' ? 'whole ' : '';
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

/**
 * Takes "Undo" away from the page of a receipt after some minutes. Until then, it leads back to the form with what was
 * typed, which only this page has: nothing of it is stored.
 */
function beginUndo(kept?: Kept): void {
  const undo = find('[data-undo]');
  if (!undo) return;
  setTimeout(() => undo.remove(), Number(undo.dataset['undo']) * 60_000);
  const form = find<HTMLFormElement>('form', undo);
  if (!form || !kept) return;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    form.inert = true;
    sendForm(form)
      .then((reply) => show(reply, new URL(form.action).pathname, kept))
      // The page says why it cannot be undone.
      .catch(() => form.submit());
  });
}
