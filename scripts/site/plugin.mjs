// Plugin of typedoc: makes the reference a site of all documents, under a strict policy.
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, IndexEvent, KindRouter, PageEvent, ReflectionKind, RendererEvent } from 'typedoc';
import { drawCharts } from './charts.mjs';
import { isGuide, listDocuments, titleOf } from './guides.mjs';
import { finishPage, isShownAsText } from './pages.mjs';

/**
 * Weights of the search. A guide that has a word ranks before a name of the reference that has it, and a heading before
 * a text. An exact name of a function or type still ranks first: the page multiplies it by ten.
 */
const [GUIDE, HEADING, MEMBER] = [80, 10, 0.05];

export function load(app) {
  const documents = listDocuments();
  const fileOf = (document) => document.project.files.getReflectionPath(document);

  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const file = fileOf(document);
    document.name = titleOf(file);
    document.frontmatter.group = documents.get(file).group;
  });

  app.renderer.defineRouter(
    'site',
    class extends KindRouter {
      getIdealBaseName(reflection) {
        return reflection.isDocument() ? documents.get(fileOf(reflection)).address : super.getIdealBaseName(reflection);
      }
    },
  );

  app.renderer.on(IndexEvent.PREPARE_INDEX, ({ searchResults, searchFields, searchFieldWeights }) => {
    searchFieldWeights.headings = HEADING;
    for (const [at, found] of searchResults.entries()) {
      if (!found.isDocument()) found.relevanceBoost = found.kindOf(ReflectionKind.SomeMember) ? MEMBER : 1;
      else if (isGuide(documents.get(fileOf(found)))) {
        const text = found.content.map((part) => part.text).join('');
        searchFields[at] = { headings: [...text.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading]) => heading).join('\n') };
        found.relevanceBoost = GUIDE;
      }
    }
  });

  app.renderer.on(PageEvent.END, (page) => {
    const base = '../'.repeat(page.url.split('/').length - 1);
    page.contents = finishPage(drawCharts(page.contents), base);
  });

  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    const media = join(outputDirectory, 'media');
    rmSync(join(media, 'README.md'), { force: true });
    for (const name of readdirSync(media).filter(isShownAsText))
      renameSync(join(media, name), join(media, `${name}.txt`));
    copyFileSync(fileURLToPath(new URL('./theme.js', import.meta.url)), join(outputDirectory, 'assets/theme.js'));
  });
}
