import type { ComponentChildren } from 'preact';
import { isHash, toIdentifier, type Identifier } from '../../core/domain/identifier.ts';
import { accept, type Outcome } from '../../core/domain/refusal.ts';
import { addressOfScript } from '../web/scripts.ts';
import { Labelled } from '../web/parts.tsx';
import type { PanelRequest } from './page.ts';

/** Returns what a script reads of an element to hash as the clients of the service do. */
export function hashingData({ place: { hashing, basePath } }: Pick<PanelRequest, 'place'>) {
  return {
    'data-prefix': hashing.prefix,
    'data-iterations': hashing.iterations,
    'data-worker': addressOfScript('hash-worker', basePath),
  };
}

/** Identifiers that one field of the operator takes. */
export const MAX_HASHES = 32;
/** Characters of a search: enough for so many hashes. */
export const MAX_SEARCH_CHARACTERS = 1_500;

/** Returns the hashes that a field has, or what is in their place. */
export function readHashes(text: string): string[] {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[\s,;]+/);
  return [...new Set(parts)];
}

/** What a search form asks for. */
export interface HashedSearch {
  /** A part of a text; empty for none. */
  readonly text: string;
  /** Undefined: of any identifier. */
  readonly hashes: readonly string[] | undefined;
}

/** Reads the field `text` of a search, and the box of {@link SearchedIdentifier}. */
export function readHashedSearch(fields: ReadonlyMap<string, string>): HashedSearch {
  const text = (fields.get('text') ?? '').trim().slice(0, MAX_SEARCH_CHARACTERS);
  const [typed, searched] = [text, fields.get('searched') ?? ''].map(readHashes);
  if (typed?.every(isHash)) return { text: '', hashes: typed.slice(0, MAX_HASHES) };
  return { text, hashes: searched?.every(isHash) ? searched.slice(0, MAX_HASHES) : undefined };
}

/**
 * The identifier that was searched for, below its field, which is empty: a hash tells a person nothing, and what was
 * typed was not sent. Ticked, the next search is about it, too.
 */
export function SearchedIdentifier({ hashes: [first, ...others] = [] }: Pick<HashedSearch, 'hashes'>) {
  if (first === undefined) return null;
  return (
    <p class="check">
      <input type="checkbox" id="searched" name="searched" value={[first, ...others].join(' ')} checked />
      <label for="searched">Only with the identifier that you searched for</label>
    </p>
  );
}

/** Returns what a form with a `hashed` field needs for the script. */
export function hashedForm(request: Pick<PanelRequest, 'place'>) {
  return { 'data-most': MAX_HASHES, ...hashingData(request) };
}

/** Ends the hint of a field that hashes what is typed: what it takes, and what is sent. */
export const IDENTIFIERS = 'an email, phone number, IP address or domain: your browser sends its hash only';
/** The hint of a field for identifiers alone. */
export const IDENTIFIERS_ALONE =
  'Email, phone number, IP address, domain or hash. Your browser hashes it, and sends the hash only.';

/**
 * The field in which a person types identifiers. It has no name, so no browser sends it. The script of the page
 * recognises the kinds, hashes the values and sends the hashes in the hidden fields.
 */
export function TypedIdentifiers({
  label,
  hint,
  error,
}: {
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly error?: string | undefined;
}) {
  return (
    <>
      <input type="hidden" name="identifiers" value="" />
      <input type="hidden" name="also" value="" />
      <Labelled id="identifiers" label={label} hint={hint} error={error}>
        <textarea data-typed data-key="/" rows={1} autocomplete="off" autocapitalize="none" spellcheck={false} />
      </Labelled>
    </>
  );
}

/** In the same form: what was recognised in the field, and of which kind. */
export function Recognised() {
  return <ul class="found" data-found aria-label="What was recognised" hidden />;
}

/** In place of a form that hashes, until its script runs. */
export function WithoutScript({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="card" data-without-script>
      <p>
        This page needs JavaScript: your browser computes the hashes, so that nothing you type leaves it. Without
        JavaScript, use the command:
      </p>
      {children}
    </div>
  );
}

/**
 * Returns the identifiers of a hidden field: each is `kind=hash`, with spaces between them. Refuses what is no hash,
 * without repeating it.
 */
export function readHashed(text = ''): Outcome<Identifier[]> {
  const identifiers: Identifier[] = [];
  for (const pair of text.split(' ')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const identifier = toIdentifier(pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1));
    if (!identifier.ok) return identifier;
    identifiers.push(identifier.value);
  }
  return accept(identifiers);
}
