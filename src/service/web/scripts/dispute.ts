// The page that asks for a dispute. It hashes the identifier in the browser, and sends the hash only.
import { DISPUTE_BOUNDS } from '../../../core/domain/dispute.ts';
import { findPersonalData, kindsOf } from '../../../core/domain/personal-data.ts';
import { toKind } from '../../../core/domain/identifier.ts';
import { findProblem, withoutMarks } from '../../../core/domain/text.ts';
import { instantiateChain } from '../../../core/hash/chain-module.ts';
import { runChains } from '../../../core/hash/chain.ts';
import type { Hasher } from '../../../core/hash/hasher.ts';
import { createPlainHasher } from '../../../core/hash/plain.ts';
import { SCALAR_WASM } from '../../../core/hash/scalar.generated.ts';
import { createWasmHasher } from '../../../core/hash/wasm.ts';
import { toChainParameters } from '../../../core/identifiers/hashing-options.ts';
import { canonicalise } from '../../../core/identifiers/canonicalise.ts';
import { reasonAgainst } from '../../../core/identifiers/not-identifier.ts';
import { normaliseIdentifier } from '../../../core/identifiers/normalise.ts';
import { CASE_HEADER } from '../dispute-form.ts';
import { isSharedHost, loadSharedHosts, needsSharedHosts } from '../shared-hosts.ts';
import { PERSONAL_DATA_NAMES, Words, type Messages } from '../words.ts';

/** What is wrong, and the field to mend; undefined if the person can only wait. */
class Problem extends Error {
  readonly field: HTMLElement | undefined;

  constructor(message: string, field?: HTMLElement) {
    super(message);
    this.field = field;
  }
}

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const form = find<HTMLFormElement>('dispute');
const kind = find<HTMLSelectElement>('kind');
const otherKind = find<HTMLInputElement>('other-kind');
const identifier = find<HTMLInputElement>('identifier');
const reason = find<HTMLTextAreaElement>('reason');
const about = find<HTMLInputElement>('about');
const button = find<HTMLButtonElement>('send');
const problem = find('problem');
const received = find('received');
const caseNumber = find('case-number');
const copy = find<HTMLButtonElement>('copy');
const words = new Words(document.documentElement.lang, JSON.parse(form.dataset['messages']!) as Messages);

find('without-script').hidden = true;
form.hidden = false;
// The browser would say what is wrong in its own language.
form.noValidate = true;
kind.addEventListener('change', showKind);
showKind();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

// What is said of a field is about what it had.
form.addEventListener('input', ({ target }) => {
  if (!(target instanceof Element) || !target.hasAttribute('aria-invalid')) return;
  problem.textContent = '';
  target.removeAttribute('aria-invalid');
  target.removeAttribute('aria-errormessage');
});

copy.addEventListener('click', () => {
  const isCopied = navigator.clipboard?.writeText(caseNumber.textContent);
  // Without https, browsers still copy what is selected.
  const select = () => getSelection()?.selectAllChildren(caseNumber);
  if (!isCopied) select();
  else void isCopied.then(() => (copy.textContent = words.say('dispute.copied')), select);
});

// What was typed is nowhere but in the form, so a link to another language would lose it.
addEventListener('beforeunload', (event) => {
  if (!form.hidden && (identifier.value || reason.value)) event.preventDefault();
});

/** What was sent. It stays in this page, so that a person corrects it and sends it again. */
const sent = { value: '', text: '' };
find('another').addEventListener('click', () => {
  received.hidden = true;
  form.hidden = false;
  identifier.value = sent.value;
  reason.value = sent.text;
  identifier.focus();
  identifier.select();
});

/** The field of the identifier has the chosen kind as its label. */
function showKind(): void {
  const isOther = kind.value === '';
  find('other').hidden = !isOther;
  otherKind.required = isOther;
  identifier.labels![0]!.textContent = isOther ? words.say('dispute.value') : kind.selectedOptions[0]!.text;
  find('identifier-hint').textContent = words.say(kind.value === 'phone' ? 'dispute.phoneHint' : 'dispute.valueHint');
}

async function send(): Promise<void> {
  problem.textContent = '';
  form.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
  button.disabled = true;
  try {
    const number = await request();
    if (caseNumber.textContent) {
      const earlier = Object.assign(document.createElement('code'), { className: 'key' });
      earlier.textContent = caseNumber.textContent;
      find('earlier').append(earlier);
    }
    caseNumber.textContent = number;
    copy.textContent = words.say('dispute.copy');
    find('asked').textContent = identifier.value;
    Object.assign(sent, { value: identifier.value, text: reason.value });
    find<HTMLInputElement>('case-field')?.setAttribute('value', number);
    form.hidden = true;
    find('intro').hidden = true;
    // The form keeps nothing of what was typed, until the person wants to correct it.
    identifier.value = '';
    reason.value = '';
    delete identifier.dataset['confirmed'];
    received.hidden = false;
    received.focus();
  } catch (error) {
    const known = error instanceof Problem ? error : new Problem(words.say('dispute.noAnswer'));
    // Beside the field that is wrong, where it is seen. A list of boxes is longer than a screen.
    const [box, place] = ['.check', '.field'].map((one) => known.field?.closest(one));
    if (box) box.before(problem);
    else if (place) place.append(problem);
    else button.before(problem);
    problem.textContent = known.message;
    known.field?.setAttribute('aria-invalid', 'true');
    known.field?.setAttribute('aria-errormessage', problem.id);
    button.disabled = false;
    (known.field ?? button).focus();
  } finally {
    button.disabled = false;
  }
}

/** Sends the request. Returns the number of the case. */
async function request(): Promise<string> {
  const name = toKind((kind.value || otherKind.value).trim().toLowerCase().replaceAll(' ', '_'));
  if (name === undefined) throw new Problem(words.say('dispute.badKind'), otherKind);
  if (identifier.value.trim() === '') throw new Problem(words.say('dispute.noValue'), identifier);
  const text = withoutMarks(reason.value.trim());
  const { reasonCharacters } = DISPUTE_BOUNDS;
  const fault = findProblem(text, reasonCharacters);
  if (fault) {
    const { characters: n, at } = fault;
    const what = [words.say('dispute.badReason', { most: reasonCharacters })];
    if (n) what.push(words.say('dispute.tooLong', { n }));
    if (at !== undefined) what.push(words.say('dispute.badCharacter', { at }));
    throw new Problem(what.join(' '), reason);
  }
  const found = kindsOf(findPersonalData(text)).map((kind) => words.say(PERSONAL_DATA_NAMES[kind]));
  if (found.length > 0) throw new Problem(words.say('dispute.personal', { kinds: words.list(found) }), reason);
  const ticked = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked')];
  const named = [about.value.trim(), ...ticked.map(({ value }) => value)].filter(Boolean);
  if (named.length > DISPUTE_BOUNDS.about)
    throw new Problem(words.say('dispute.tooManyChosen', { most: DISPUTE_BOUNDS.about }), ticked[0]);
  if (needsSharedHosts([name])) await loadSharedHosts();
  const why = reasonAgainst(name, identifier.value, isSharedHost);
  if (why !== undefined && identifier.value !== identifier.dataset['confirmed']) {
    identifier.dataset['confirmed'] = identifier.value;
    throw new Problem(words.say('dispute.noIdentifier', { why: words.say(`noIdentifier.${why}`) }), identifier);
  }
  // Shops may have hashed it as it is, or in its canonical form.
  const canonical = canonicalise(name, identifier.value);
  if (name === 'phone' && !canonical.isCanonical && identifier.value !== identifier.dataset['confirmed']) {
    identifier.dataset['confirmed'] = identifier.value;
    throw new Problem(words.say('dispute.noCountry'), identifier);
  }
  const hashes: string[] = [];
  for (const value of new Set([normalise(identifier.value), canonical.value])) hashes.push(await hashInPage(value));
  const reply = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams([
      ...hashes.map((hash, at) => [at === 0 ? name : `${name}${at + 1}`, hash]),
      ['_text', text],
      ...named.map((one) => ['_about', one]),
    ]),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (reply.ok) return reply.headers.get(CASE_HEADER) ?? '';
  const seconds = Number(reply.headers.get('Retry-After'));
  if (reply.status === 429 && seconds > 0)
    throw new Problem(words.say('refused.limited', { wait: words.wait(seconds) }));
  if (reply.status === 400) throw new Problem(words.say('dispute.refused'), reason);
  throw new Problem(words.say('dispute.notNow'));
}

function normalise(value: string): string {
  try {
    return normaliseIdentifier(value);
  } catch {
    throw new Problem(words.say('dispute.noValue'), identifier);
  }
}

/** Hashes a normalised value as all clients of the service do (protocol 2.3). Keeps the page responsive. */
async function hashInPage(normalised: string): Promise<string> {
  const { prefix, iterations } = form.dataset;
  const parameters = toChainParameters({ prefix, iterations: Number(iterations) });
  const chain = runChains(createHasher(), [normalised], parameters);
  for (;;) {
    const step = chain.next();
    if (step.done) return step.value[0]!;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** One identifier needs no vectors, whose module is eight times as long. */
function createHasher(): Hasher {
  try {
    return createWasmHasher('scalar', instantiateChain(SCALAR_WASM));
  } catch {
    return createPlainHasher();
  }
}
