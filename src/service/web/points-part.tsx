import { replyWithPage, type Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import { POINTS } from './guides.generated.ts';
import { createUnpack } from './packed.ts';
import type { Part, PublicPlace } from './part.ts';

/** Below the base path. */
export const POINTS_PATH = '/docs/points';
const TITLE = 'How points arise';
const unpack = createUnpack(POINTS.gzip);

/** Answers `/docs/points`: what the numbers mean. In English, as all guides are. */
export const pointsPart: Part = ({ method }, { path, ...place }) =>
  path === POINTS_PATH && (method === 'GET' || method === 'HEAD') ? toPointsPage(place).then(replyWithPage) : undefined;

async function toPointsPage({ basePath, operator }: PublicPlace): Promise<Page> {
  return toPage(
    TITLE,
    <>
      <p class="quiet">
        <a href={`${basePath}/`}>About this service</a>
      </p>
      <h1>{TITLE}</h1>
      <div dangerouslySetInnerHTML={{ __html: await unpack() }} />
    </>,
    { operator },
  );
}
