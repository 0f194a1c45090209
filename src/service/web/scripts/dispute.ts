// The page that asks for a dispute. It hashes the identifier in the browser, and sends the hash only.
import { DISPUTE_BOUNDS } from '../../../core/domain/dispute.ts';
import { findPersonalData, PERSONAL_DATA } from '../../../core/domain/personal-data.ts';
import { toKind } from '../../../core/domain/identifier.ts';
import { findProblem, formatWait, isPublicText, withoutMarks } from '../../../core/domain/text.ts';
import { instantiateChain } from '../../../core/hash/chain-module.ts';
import { runChains } from '../../../core/hash/chain.ts';
import type { Hasher } from '../../../core/hash/hasher.ts';
import { createPlainHasher } from '../../../core/hash/plain.ts';
import { SCALAR_WASM } from '../../../core/hash/scalar.generated.ts';
import { createWasmHasher } from '../../../core/hash/wasm.ts';
import { toChainParameters } from '../../../core/identifiers/hashing-options.ts';
import { NOT_IDENTIFIER, whyNotIdentifier } from '../../../core/identifiers/not-identifier.ts';
import { describeProblem } from '../../../core/protocol/wording.ts';
import { normaliseIdentifier } from '../../../core/identifiers/normalise.ts';

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

find('without-script').hidden = true;
form.hidden = false;
kind.addEventListener('change', showKind);
showKind();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

/** The field of the identifier has the chosen kind as its label. */
function showKind(): void {
  const isOther = kind.value === '';
  find('other').hidden = !isOther;
  otherKind.required = isOther;
  identifier.labels![0]!.textContent = isOther ? 'Value' : kind.selectedOptions[0]!.text;
}

async function send(): Promise<void> {
  problem.textContent = '';
  button.disabled = true;
  try {
    await request();
    form.hidden = true;
    // The page keeps nothing of what was typed.
    form.reset();
    delete identifier.dataset['confirmed'];
    received.hidden = false;
    received.focus();
  } catch (error) {
    const known = error instanceof Problem ? error : new Problem('The service did not answer. Try again later.');
    problem.textContent = known.message;
    known.field?.focus();
  } finally {
    button.disabled = false;
  }
}

async function request(): Promise<void> {
  const name = toKind((kind.value || otherKind.value).trim().toLowerCase().replaceAll(' ', '_'));
  if (name === undefined) throw new Problem('Use letters without accents, digits and hyphens.', otherKind);
  const text = withoutMarks(reason.value.trim());
  const { reasonCharacters } = DISPUTE_BOUNDS;
  const fault = findProblem(text, reasonCharacters);
  if (!isPublicText(text, reasonCharacters))
    throw new Problem(`Write a reason of 1 to ${reasonCharacters} characters.${describeProblem(fault ?? {})}`, reason);
  const found = [...new Set(findPersonalData(text).map(({ kind }) => PERSONAL_DATA[kind]))];
  if (found.length > 0)
    throw new Problem(`Remove personal data from the reason. It seems to have: ${found.join(', ')}.`, reason);
  const why = whyNotIdentifier(name, identifier.value);
  if (why !== undefined && identifier.value !== identifier.dataset['confirmed']) {
    identifier.dataset['confirmed'] = identifier.value;
    throw new Problem(
      `This value is no identifier: it ${NOT_IDENTIFIER[why]}. Correct it, or send it again as it is.`,
      identifier,
    );
  }
  const hash = await hashInPage(identifier.value);
  const reply = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams([
      [name, hash],
      ['_text', text],
      ['_about', about.value.trim()],
    ]),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (reply.ok) return;
  const seconds = Number(reply.headers.get('Retry-After'));
  if (reply.status === 429 && seconds > 0)
    throw new Problem(`Too many requests came from your connection. Try again in ${formatWait(seconds)}.`);
  if (reply.status === 400)
    throw new Problem('The service refuses this request. Remove names, addresses and numbers from the reason.', reason);
  throw new Problem('The service cannot take your request now. Try again later.');
}

/** Normalises and hashes as all clients of the service do (protocol 2.3). Keeps the page responsive. */
async function hashInPage(value: string): Promise<string> {
  const { prefix, iterations } = form.dataset;
  const parameters = toChainParameters({ prefix, iterations: Number(iterations) });
  let normalised: string;
  try {
    normalised = normaliseIdentifier(value);
  } catch {
    throw new Problem('Type the email, the number or the other data that the report may be about.', identifier);
  }
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
