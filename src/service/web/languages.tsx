import { fromQueryText } from '../../core/http/body.ts';
import { DE } from './messages/de.ts';
import { ES } from './messages/es.ts';
import { FR } from './messages/fr.ts';
import { PL } from './messages/pl.ts';
import { TR } from './messages/tr.ts';
import { ENGLISH, useWords } from './spoken.ts';
import { Words } from './words.ts';

// Pages for persons speak several languages. To correct one, edit its file in `messages/`. To add one, add a file with
// the same names, and its line here.

/** Languages by their own names. */
const LANGUAGES: readonly (readonly [name: string, words: Words])[] = [
  ['English', ENGLISH],
  ['Deutsch', new Words('de', DE)],
  ['Español', new Words('es', ES)],
  ['Français', new Words('fr', FR)],
  ['Polski', new Words('pl', PL)],
  ['Türkçe', new Words('tr', TR)],
];
const BY_CODE = new Map(LANGUAGES.map(([, words]) => [words.language, words]));

/** Field of an address that chooses the language. */
const FIELD = 'lang';
/** Characters of a header that are read. */
const MAX_HEADER_CHARACTERS = 500;

/** Returns the words of a language, from {@link chooseLanguage}. */
export function wordsOf(language = ''): Words {
  return BY_CODE.get(language.slice(-2)) ?? ENGLISH;
}

/**
 * Returns the language of a request: the one that the browser likes best (RFC 9110, section 12.5.4), such as `de`. If
 * the address names one, returns what the addresses of the next pages must end with, such as `?lang=de`.
 */
export function chooseLanguage(query: string, acceptLanguage = ''): string {
  const [, language] = [...fromQueryText(query)].find(([name]) => name === FIELD) ?? ['', ''];
  const named = known(language);
  if (named !== undefined) return toQuery(named);
  let [liked, best] = [ENGLISH.language, 0];
  for (const part of acceptLanguage.slice(0, MAX_HEADER_CHARACTERS).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.slice(2)) || 0;
    const offered = known(range);
    if (offered !== undefined && quality > best) [liked, best] = [offered, quality];
  }
  return liked;
}

/** Returns what the address of the next page ends with. */
export function endOfAddress(language = ''): string {
  return language.startsWith('?') ? language : '';
}

function known(range: string): string | undefined {
  const language = range.toLowerCase().split('-')[0]!;
  return BY_CODE.has(language) ? language : undefined;
}

function toQuery(language: string): string {
  return `?${FIELD}=${language}`;
}

/** Links to this page in each language. `sent`: the field of the form whose answer the page is, to be sent again. */
export function LanguageMenu({ sent }: { readonly sent?: readonly [name: string, value: string] | undefined }) {
  const words = useWords();
  const items = (
    <ul>
      {LANGUAGES.map(([name, { language }]) => {
        const current = language === words.language ? 'true' : undefined;
        return (
          <li key={language}>
            {sent ? (
              <button type="submit" formAction={toQuery(language)} lang={language} aria-current={current}>
                {name}
              </button>
            ) : (
              <a href={toQuery(language)} lang={language} hreflang={language} rel="nofollow" aria-current={current}>
                {name}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <nav class="languages" aria-label={words.say('language')}>
      {sent ? (
        <form method="post">
          <input type="hidden" name={sent[0]} value={sent[1]} />
          {items}
        </form>
      ) : (
        items
      )}
    </nav>
  );
}
