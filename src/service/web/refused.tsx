import type { Refusal } from '../../core/domain/refusal.ts';
import { wordWait } from '../../core/domain/text.ts';
import type { Page, PagesPlace, RefusedPlace } from '../../core/http/pages.ts';
import { wordRefusal } from '../../core/protocol/wording.ts';
import { toPage } from './document.tsx';

/** Returns the page in place of one that is refused. */
export function toRefusedPage(refusal: Refusal, { kind, basePath, dialect }: RefusedPlace): Page {
  if (refusal.reason !== 'not-found')
    return toPage(
      'Not available now',
      <>
        <h1>Not available now</h1>
        <div class="notice warn">
          <p>{wordForPerson(refusal)}</p>
        </div>
        <ToStart basePath={basePath} />
      </>,
    );
  if (kind === 'api')
    return toPage(
      'An address for programs',
      <>
        <h1>An address for programs</h1>
        <div class="card">
          <p>
            Programs of shops send forms to this address: reports, deletions and queries. A browser finds nothing here.
          </p>
          {dialect !== 'classic' && (
            <p>
              <a href={`${basePath}/docs`}>The protocol and samples</a> show what a program sends, and what it gets
              back.
            </p>
          )}
        </div>
        <ToStart basePath={basePath} />
      </>,
    );
  return kind === 'record'
    ? toPage(
        'No reports',
        <>
          <h1>No reports</h1>
          <div class="card">
            <p>No report is behind this link. Its reports were deleted, or there never were any.</p>
            <p class="quiet">If you copied the link by hand, make sure that it is complete.</p>
          </div>
          <ToStart basePath={basePath} />
        </>,
      )
    : toPage(
        'Page not found',
        <>
          <h1>Page not found</h1>
          <div class="card">
            <p>{wordRefusal(refusal)}</p>
            <p class="quiet">If you typed the address, check its spelling. Also try it without a slash at its end.</p>
          </div>
          <ToStart basePath={basePath} />
        </>,
      );
}

/** Returns a refusal in words for a person, who has no key and asked for one page. */
export function wordForPerson(refusal: Refusal): string {
  if (refusal.reason !== 'limited') return wordRefusal(refusal);
  return `Too many requests came from your connection. Try again in ${wordWait(refusal.retryAfterSeconds)}.`;
}

function ToStart({ basePath }: Pick<PagesPlace, 'basePath'>) {
  return (
    <p class="actions">
      <a class="button" href={`${basePath}/`}>
        Go to the start page
      </a>
    </p>
  );
}
