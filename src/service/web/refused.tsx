import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../core/domain/refusal.ts';
import { formatWait } from '../../core/domain/text.ts';
import type { Page, RefusedPlace } from '../../core/http/pages.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import { toPage } from './document.tsx';

/** Returns the page in place of one that is refused. */
export function toRefusedPage(refusal: Refusal, { kind, basePath, dialect }: RefusedPlace): Page {
  const toSimplePage = (title: string, text: ComponentChildren, style = 'card') =>
    toPage(
      title,
      <>
        <h1>{title}</h1>
        <div class={style}>{text}</div>
        <p class="actions">
          <a class="button" href={`${basePath}/`}>
            Go to the start page
          </a>
        </p>
      </>,
    );
  if (refusal.reason !== 'not-found')
    return toSimplePage('Not available now', <p>{formatRefusalForPerson(refusal)}</p>, 'notice warn');
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
      ? [
          'No reports',
          'No report is behind this link. Its reports were deleted, or there never were any.',
          'If you copied the link by hand, make sure that it is complete.',
        ]
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
    </>,
  );
}

/** Returns a refusal in words for a person, who has no key and asked for one page. */
export function formatRefusalForPerson(refusal: Refusal): string {
  if (refusal.reason !== 'limited') return formatRefusal(refusal);
  return `Too many requests came from your connection. Try again in ${formatWait(refusal.retryAfterSeconds)}.`;
}
