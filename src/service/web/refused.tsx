import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../core/domain/refusal.ts';
import type { Page, RefusedPlace } from '../../core/http/pages.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import { toPage } from './document.tsx';
import { LanguageMenu, wordsOf } from './languages.tsx';
import type { PublicPlace } from './part.ts';
import { CaseLink } from './parts.tsx';
import { ENGLISH } from './spoken.ts';
import type { Words } from './words.ts';

/** Returns the page in place of one that is refused. */
export function toRefusedPage(
  refusal: Refusal,
  { kind, basePath, dialect, language, operator, hasCases }: RefusedPlace & PublicPlace,
): Page {
  // Programmers read the other pages.
  const words = kind === 'record' ? wordsOf(language) : ENGLISH;
  const toSimplePage = (title: string, text: ComponentChildren, style = 'card') =>
    toPage(
      title,
      <>
        {kind === 'record' && <LanguageMenu />}
        <h1>{title}</h1>
        <div class={style}>{text}</div>
        <p class="actions">
          <a class="button" href={`${basePath}/`}>
            {words.say('refused.start')}
          </a>
        </p>
      </>,
      { words, operator },
    );
  if (refusal.reason !== 'not-found')
    return toSimplePage(
      words.say('refused.unavailable'),
      <p>{formatRefusalForPerson(refusal, words)}</p>,
      'notice warn',
    );
  if (kind === 'api')
    return toSimplePage(
      'An address for programs',
      <>
        <p>
          Programs of shops send forms to this address: reports, deletions and queries. A browser finds nothing here.
        </p>
        {dialect !== 'classic' && (
          <p>
            <a href={`${basePath}/docs`}>The protocol and samples</a> show what a program sends, and what it gets back.
          </p>
        )}
      </>,
    );
  const [title, text, hint] =
    kind === 'record'
      ? [words.say('refused.noReports'), words.say('refused.nothing'), words.say('refused.incomplete')]
      : [
          'Page not found',
          formatRefusal(refusal),
          'If you typed the address, check its spelling. Also try it without a slash at its end.',
        ];
  return toSimplePage(
    title,
    <>
      <p>{text}</p>
      <p class="quiet">{hint}</p>
      {kind === 'record' && hasCases && (
        <p>
          <CaseLink {...{ basePath, language }} />
        </p>
      )}
    </>,
  );
}

/** Returns a refusal in words for a person, who has no key and asked for one page. */
export function formatRefusalForPerson(refusal: Refusal, words: Words = ENGLISH): string {
  if (refusal.reason !== 'limited') return formatRefusal(refusal);
  return words.say('refused.limited', { wait: words.wait(refusal.retryAfterSeconds) });
}
