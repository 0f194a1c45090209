import { prefersHtml, replyWithPage, type Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import type { Part, PublicPlace } from './part.ts';
import { POINTS_PATH } from './points-part.tsx';
import { DOCS_STYLE, WhereKeysAre } from './protocol-part.tsx';

/** Which pages the start page links to. All are below the base path. */
export interface StartLinks {
  /** The page where a person asks for a dispute: `/dispute`. */
  readonly dispute?: boolean;
  /** The panel of reporters and operators: `/panel`. */
  readonly panel?: boolean;
  /** The playground: `/playground`. */
  readonly playground?: boolean;
}

/** Answers `/` for browsers: what this service is, and where to go. Other clients get 404, as the protocol says. */
export function createStartPart(links: StartLinks): Part {
  return (request, { path, ...place }) =>
    (path === '' || path === '/') &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    prefersHtml(request.header('accept'))
      ? Promise.resolve(replyWithPage(toStartPage(links, place)))
      : undefined;
}

function toStartPage({ dispute, panel, playground }: StartLinks, place: PublicPlace): Page {
  const { basePath, dialect, operator, hasCases } = place;
  return toPage(
    'Shared fraud reports',
    <>
      <h1>Shared fraud reports</h1>
      <p>
        Shops and hosting companies use this service to warn each other of fraud. It stores hashes of email addresses,
        phone numbers and other identifiers, never the identifiers themselves.
      </p>
      <div class="ways">
        <section class="card">
          <h2>For shops</h2>
          <p>
            Ask what others have reported before you accept an order. You get points, how reliable they are, and a link
            to the reports. Your own program decides what follows.
          </p>
          <ul>
            {dialect !== 'classic' && (
              <li>
                <a href={`${basePath}/docs`}>Connect your shop</a>: the protocol, with samples for curl, PHP, Python and
                TypeScript
              </li>
            )}
            <li>
              You need an API key. <WhereKeysAre hasPanel={panel === true} />
            </li>
            {panel && (
              <li>
                <a href={`${basePath}/panel`}>Sign in to the panel</a>: your keys, reports and disputes
              </li>
            )}
            {playground && (
              <li>
                <a href={`${basePath}/playground`}>Try it in the playground</a>: nothing leaves your browser
              </li>
            )}
          </ul>
        </section>
        <section class="card">
          <h2>For everyone else</h2>
          <p>
            Did somebody send you a link to this service? It shows which reports match an order, who made them, and{' '}
            <a href={`${basePath}${POINTS_PATH}`}>how the score came about</a>. It shows no email address, phone number
            or other identifier.
          </p>
          <ul>
            {dispute && (
              <li>
                <a href={`${basePath}/dispute`}>Dispute a report about you</a>: the operator examines it
              </li>
            )}
            {hasCases && (
              <li>
                <a href={`${basePath}/case`}>Do you have a case number?</a> See what became of your request
              </li>
            )}
            <li>
              Do you have a deletion code? Send it to the organisation that gave it to you. Only this organisation can
              delete its report.
            </li>
          </ul>
        </section>
      </div>
    </>,
    { wide: true, style: DOCS_STYLE, operator },
  );
}
