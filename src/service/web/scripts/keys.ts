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
const TEXT = 'textarea, input[type=text]';
/** A browser that shows no next page for so long was stopped. */
const WAITS_MS = 30_000;

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

// A step that a person opens is ready to be filled in, and its button is on the screen. The browser leads to the form
// of a refused one.
document.addEventListener('click', (event) => {
  const { target } = event;
  const pressed = target instanceof Element ? target.closest('main summary, a[data-opens]') : null;
  const step = pressed instanceof HTMLAnchorElement ? stepOf(pressed) : pressed?.parentElement;
  if (!step || event.defaultPrevented) return;
  // At once: what a person types before the browser reports the change would be lost.
  event.preventDefault();
  step.toggleAttribute('open', pressed instanceof HTMLAnchorElement || !step.hasAttribute('open'));
  if (step.hasAttribute('open')) showStep(step);
});

/** Returns the step into which a link of the page leads. */
function stepOf({ hash }: HTMLAnchorElement): HTMLElement | null | undefined {
  return document.getElementById(hash.slice(1))?.closest<HTMLElement>('.confirm');
}

function showStep(step: HTMLElement): void {
  const fields = [...step.querySelectorAll<Control>(':is(input:not([type=hidden]), select, textarea)')];
  const visible = fields.filter((field) => field.checkVisibility());
  if (visible.length === 0) return;
  step.scrollIntoView({ block: 'nearest' });
  // An empty text first: letters that a person types at once must not be keys, or choose in a list.
  (visible.find((field) => field.matches(TEXT) && field.value === '') ?? visible[0]!).focus();
}

// One page sends one form: a second tap, or another key, would act on what the person does not see any more.
const page = { isSent: false };
addEventListener('submit', (event) => {
  if (event.defaultPrevented || (event.target as HTMLFormElement).method !== 'post') return;
  if (page.isSent) event.preventDefault();
  page.isSent = true;
  // The person may have stopped the browser.
  setTimeout(() => (page.isSent = false), WAITS_MS);
});
// The browser goes back to a page that it kept.
addEventListener('pageshow', () => (page.isSent = false));

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
  if (!pressed || isCovered(pressed)) return;
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

/**
 * True if a step with a text is open, or has a text that was not sent: a letter of it must not decide, and a key would
 * send half of it, or lose it.
 */
function isWriting(): boolean {
  return [...document.querySelectorAll<Control>('textarea, details[open] input[type=text]')].some(
    (field) =>
      (field instanceof HTMLTextAreaElement && field.value !== field.defaultValue) ||
      (field.closest('details') && field.checkVisibility()),
  );
}

/** True while the cover of the style lies above a button: the person has not seen what it decides. */
function isCovered(pressed: HTMLElement): boolean {
  return (pressed.closest('.bar')?.getAnimations({ subtree: true }) ?? []).length > 0;
}

function showSwitch(of: HTMLButtonElement): void {
  of.textContent = areOff() ? 'Switch single keys on' : 'Switch single keys off';
}
