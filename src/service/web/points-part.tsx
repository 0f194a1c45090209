import { replyWithPage, type Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import { POINTS } from './guides.generated.ts';
import type { Part, PublicPlace } from './part.ts';

/** Below the base path. */
export const POINTS_PATH = '/docs/points';
const TITLE = 'How points arise';

/** Answers `/docs/points`: what the numbers mean. In English, as all guides are. */
export const pointsPart: Part = ({ method }, { path, ...place }) =>
  path === POINTS_PATH && (method === 'GET' || method === 'HEAD')
    ? Promise.resolve(replyWithPage(toPointsPage(place)))
    : undefined;

function toPointsPage({ basePath, operator }: PublicPlace): Page {
  return toPage(
    TITLE,
    <>
      <p class="quiet">
        <a href={`${basePath}/`}>About this service</a>
      </p>
      <h1>{TITLE}</h1>
      <div dangerouslySetInnerHTML={{ __html: POINTS.html }} />
    </>,
    { operator },
  );
}
