// What the scripts of the panel share. It runs in browsers only.
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { defaultWebPoolSize, webWorkers } from '../../core/hash/web-workers.ts';
import { readClearValue, type ClearValue } from '../../core/identifiers/clear-value.ts';
import { HashPoolError } from '../../core/hash/pool.ts';
import { createHashPoolOn, type HashPool } from '../../core/identifiers/hash-pool.ts';
import { normaliseIdentifier } from '../../core/identifiers/normalise.ts';
import { reasonAgainst, type NotIdentifier } from '../../core/identifiers/not-identifier.ts';
import { isSharedHost } from './shared-hosts.ts';

/** What a person has set in this browser. Nothing of it is sent, and nothing is about a person. */
export interface Settings {
  /** Country of phone numbers without a country code, such as `DE`. */
  country: string;
  /** Points from which the shop looks at an order, and from which it holds one. */
  look: number;
  hold: number;
  /** Reliability below which no order is held. */
  reliability: number;
  /** True to keep look-ups in this browser. */
  keep: boolean;
}

/** As docs/scoring.md proposes: 10 points are what clients act on, and one verified reporter stays below 42. */
const DEFAULTS = { look: 10, hold: 42, reliability: 3, keep: false };
const SETTINGS = 'redflag-panel';

/** Returns what is set in this browser. A browser may forbid storage: the defaults then hold. */
export function readSettings(): Settings {
  const stored = readStored(SETTINGS);
  return { ...DEFAULTS, country: ownCountry(), ...(stored as Partial<Settings> | undefined) };
}

/** Returns the country of the browser's language; empty if it has none. */
function ownCountry(): string {
  try {
    return new Intl.Locale(navigator.language).maximize().region ?? '';
  } catch {
    return '';
  }
}

/** Returns false if the browser forbids storage. */
export function writeSettings(settings: Settings): boolean {
  return writeStored(SETTINGS, settings);
}

/** What the thresholds say of an answer: in one word, in a sentence, and the class of its colour. */
export type Advice = readonly [word: string, said: string, tone: string];

/** Returns what the thresholds say of an answer. */
export function advise(
  { look, hold, reliability: least }: Settings,
  { points, reliability }: { readonly points: number; readonly reliability: number },
): Advice {
  if (points >= hold && reliability >= least) return ADVICE[0];
  return points >= look ? ADVICE[1] : ADVICE[2];
}

/** From the worst to the best. */
export const ADVICE = [
  ['Hold', 'Hold the order', ''],
  ['Look', 'Look at the order', 'warn'],
  ['Allow', 'Allow', 'ok'],
] as const satisfies readonly Advice[];

export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value; undefined removes it. Returns false if the browser forbids storage. */
export function writeStored(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    // The setting holds until the page is left.
    return false;
  }
}

/** Shows moments in the time zone of the browser. The time in UTC is in their titles. */
export function showLocalTimes(within: ParentNode = document): void {
  const local = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  // A day has no `T`, and stays a day of UTC.
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[datetime*="T"]:not([title])')) {
    time.title = time.textContent;
    time.textContent = local.format(new Date(time.dateTime));
  }
}

/** Fills a choice of countries, with the one that is set. */
export function showCountries(select: HTMLSelectElement, chosen: string): void {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const options = getCountries().map((code) => new Option(names.of(code) ?? code, code, false, code === chosen));
  options.sort((a, b) => (a.text < b.text ? -1 : 1));
  select.replaceChildren(new Option('none: only numbers with +', ''), ...options);
  select.value = isSupportedCountry(chosen) ? chosen : '';
}

/** Returns a value in the canonical form of its kind, or why it is no identifier. */
export function readValue(kind: string, value: string, country: string, keepAll = false): ClearValue | NotIdentifier {
  const phones = isSupportedCountry(country) ? { country, parsePhone: parsePhoneNumberFromString } : {};
  // A word for no value has no form, so it is of no kind, or was taken for a name.
  const why = ['', 'name'].includes(kind) && !keepAll ? reasonAgainst(undefined, value, isSharedHost) : undefined;
  return why ?? readClearValue(kind, value, { canonical: phones, keepAll, isSharedHost });
}

/** One value to ask about or to report. */
export interface ReadyValue {
  readonly kind: string;
  /** In the canonical form. */
  readonly text: string;
  /** As it was typed. Programs that do not canonicalise have reported it so. */
  readonly typed: string;
}

/** The hashes of values, each as `kind=hash`, separated by spaces. */
export interface Hashed {
  readonly identifiers: string;
  /**
   * Hashes of other spellings of the same values, as far as they fit in one request. For questions only: in a report,
   * they would count twice.
   */
  readonly also: string;
}

/** Hashes values in workers. */
export interface PageHasher {
  /** Returns the hashes of each row of values. */
  hash(
    rows: readonly (readonly ReadyValue[])[],
    options?: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total: number) => void },
  ): Promise<readonly Hashed[]>;
}

/** Returns what hashes as the clients of the service do. `place` has the data of `HashingPlace`. */
export function createPageHasher(place: HTMLElement): PageHasher {
  const { prefix, iterations, worker = '', most } = place.dataset;
  const start = (): Worker => new Worker(worker, { type: 'module' });
  const pool: HashPool = createHashPoolOn(webWorkers(start), { size: defaultWebPoolSize() });
  return {
    async hash(rows, { signal, onProgress } = {}) {
      // A value may be in many rows. It is hashed once.
      const texts = new Set<string>();
      for (const { text, typed } of rows.flat()) texts.add(normaliseIdentifier(text)).add(normaliseIdentifier(typed));
      const values = [...texts];
      const hashes = await pool.hashIdentifiers(values, {
        prefix,
        iterations: Number(iterations),
        signal,
        onProgress: ({ done, total = 0 }) => onProgress?.(done, total),
      });
      const hashOf = new Map(values.map((value, at) => [value, hashes[at] ?? '']));
      const toPairs = (row: readonly ReadyValue[], name: 'text' | 'typed'): string[] =>
        row.map((value) => `${value.kind}=${hashOf.get(normaliseIdentifier(value[name])) ?? ''}`);
      return rows.map((row) => {
        const own = [...new Set(toPairs(row, 'text'))];
        const also = [...new Set(toPairs(row, 'typed'))].filter((pair) => !own.includes(pair));
        return { identifiers: own.join(' '), also: also.slice(0, Math.max(0, Number(most) - own.length)).join(' ') };
      });
    },
  };
}

/** Returns what a person reads if hashing or sending has failed. */
export function describeFailure(error: unknown): string {
  return error instanceof HashPoolError
    ? 'Your browser could not compute the hashes. Reload the page, or use another browser.'
    : 'The service did not answer. Try again later, or sign in again.';
}

/** Sends a form of the page with more fields than it has, and returns the reply. */
export async function sendForm(form: HTMLFormElement, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return fetch(form.action, { method: 'POST', body });
}

/** What a page says of a required field that is empty, by its name. */
export const IF_EMPTY: Readonly<Record<string, string>> = {
  type: 'Choose what happened.',
  severity: 'Choose a severity from 1 to 10.',
  text: 'Write what happened.',
};

/** Says at a field what is wrong with it, as the service does. An empty message takes it back. */
export function showError(field: Element, message: string): void {
  const id = `${field.id}-error`;
  document.getElementById(id)?.remove();
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== id);
  if (message === '') field.removeAttribute('aria-invalid');
  else {
    field.setAttribute('aria-invalid', 'true');
    field.after(make('p', message, { class: 'error', id }));
    described.push(id);
  }
  const ids = described.join(' ').trim();
  if (ids === '') field.removeAttribute('aria-describedby');
  else field.setAttribute('aria-describedby', ids);
}

/** Says at the fields of a form what is wrong with them, and leads to the first. Returns true if nothing is. */
export function showErrors(
  form: HTMLFormElement,
  wrong: readonly (readonly [field: HTMLElement, message: string])[],
): boolean {
  for (const field of form.querySelectorAll('[aria-invalid]')) showError(field, '');
  for (const [field, message] of wrong) showError(field, message);
  wrong[0]?.[0].focus();
  return wrong.length === 0;
}

/** True where a keyboard is likely: not on a phone, whose keyboard covers the page. */
export function hasKeyboard(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches;
}

/** Shows the buttons that copy what is shown once: a page without a script has none. */
export function showCopies(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copies]')) button.hidden = false;
}

/** Puts a text on the clipboard, and says so on the button. */
export async function copyText(button: HTMLButtonElement, text: string): Promise<void> {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https or the permission, browsers still copy what is selected.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = said), 2_000);
}

/** Returns a new element with a text and attributes. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
