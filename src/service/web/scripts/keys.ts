// What pages of the panel share: copying what is shown once, words for fields that the browser refuses, and single
// keys. A key presses a link, a button or the
// summary of a step, or focuses a field: the one with this key in `data-key`.
import { copyText, IF_EMPTY, showCopies, showError, showLocalTimes } from '../in-page.ts';

/** The browser keeps that single keys are switched off: they can clash with what a person speaks or with a reader. */
const OFF = 'redflag-keys-off';
/** A key that was pressed before a page could be seen must not decide what is on it. */
const SEEN_MS = 300;
/** Where a person types a slash. */
const TYPED_IN = 'textarea, input:not([type=checkbox], [type=radio], [type=file])';

showLocalTimes();
showCopies();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-copies]') : null;
  const text = document.getElementById(button?.dataset['copies'] ?? '')?.textContent;
  if (button && text) void copyText(button, text);
});

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
// The browser would say what is wrong in its own language and place.
document.addEventListener(
  'invalid',
  (event) => {
    event.preventDefault();
    const field = event.target as Control;
    showError(field, wordsFor(field));
    if (field.form?.querySelector(':is(input, select, textarea):invalid') === field) field.focus();
  },
  true,
);
document.addEventListener('input', ({ target }) => {
  const field = target as Control;
  if (field.getAttribute('aria-invalid') && field.validity.valid) showError(field, '');
});

const button = document.querySelector<HTMLButtonElement>('[data-switch-keys]');
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    if (areOff()) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
    showSwitch(button);
  });
  showSwitch(button);
}

// A step that a person opens is ready to be filled in, and its button is on the screen.
document.addEventListener('click', (event) => {
  const { target } = event;
  const pressed = target instanceof Element ? target.closest('.confirm > summary, a[data-opens]') : null;
  const step = pressed instanceof HTMLAnchorElement ? stepOf(pressed) : pressed?.parentElement;
  if (!step) return;
  step.addEventListener('toggle', () => step.hasAttribute('open') && showStep(step), { once: true });
  if (pressed instanceof HTMLAnchorElement) openStep(event, step);
});

/** Returns the step into which a link of the page leads. */
function stepOf({ hash }: HTMLAnchorElement): HTMLElement | null | undefined {
  return document.getElementById(hash.slice(1))?.closest<HTMLElement>('.confirm');
}

/** A fragment opens the step, too, but leaves its field without the focus. */
function openStep(event: Event, step: HTMLElement): void {
  event.preventDefault();
  if (step.hasAttribute('open')) showStep(step);
  else step.setAttribute('open', '');
}

function showStep(step: HTMLElement): void {
  step.scrollIntoView({ block: 'nearest' });
  const fields = [...step.querySelectorAll<Control>(':is(input:not([type=hidden]), select, textarea)')];
  fields.find((field) => field.checkVisibility())?.focus();
}

for (const hint of document.querySelectorAll<HTMLElement>('[data-send-hint]')) hint.hidden = false;
document.addEventListener('keydown', (event) => {
  const { key, target, repeat, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || repeat || !(ctrlKey || metaKey) || !(target instanceof Element)) return;
  const send = target.closest('form')?.querySelector<HTMLElement>('[data-send]');
  if (!send) return;
  event.preventDefault();
  send.click();
});

document.addEventListener('keydown', (event) => {
  const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
  // A key that is held down must not decide what the person has not seen.
  if (repeat || ctrlKey || metaKey || altKey || !/^[a-z1-9/]$/.test(key) || areOff()) return;
  if (target instanceof HTMLElement && target.closest(key === '/' ? TYPED_IN : 'input, textarea, select')) return;
  if (key !== '/' && (event.timeStamp < SEEN_MS || isWriting())) return;
  const pressed = findPressed(key);
  if (!pressed) return;
  event.preventDefault();
  pressed.focus();
  if (pressed instanceof HTMLInputElement || pressed instanceof HTMLTextAreaElement) pressed.select();
  else pressed.click();
});

/** Returns what a key presses. While a step about one report of a case is open, its buttons have their keys alone. */
function findPressed(key: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)];
  const ofSteps = all.filter((one) => one.closest('[data-alone] form'));
  if (ofSteps.length === 0) return all[0];
  const open = ofSteps.filter((one) => one.closest('[data-alone][open]'));
  if (open.length === 0) return all.find((one) => !ofSteps.includes(one));
  const focused = open.find((one) => one.closest('[data-alone]')?.contains(document.activeElement));
  // With two steps open, a key must not choose one.
  return focused ?? (open.length === 1 ? open[0] : undefined);
}

function wordsFor({ type, name, validity }: Control): string {
  if (type === 'date') return 'Type a whole day, as in 2030-01-31.';
  return validity.valueMissing ? (IF_EMPTY[name] ?? 'Fill in this field.') : 'Correct this field.';
}

function areOff(): boolean {
  return localStorage.getItem(OFF) !== null;
}

/** True if the page has a text that was not sent: a key would send half of it, or lose it. */
function isWriting(): boolean {
  return [...document.querySelectorAll('textarea')].some(({ value, defaultValue }) => value !== defaultValue);
}

function showSwitch(of: HTMLButtonElement): void {
  of.textContent = areOff() ? 'Switch single keys on' : 'Switch single keys off';
}
