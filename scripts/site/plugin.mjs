// Plugin of typedoc: makes the reference a site of all documents, under a strict policy.
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, KindRouter, PageEvent, RendererEvent } from 'typedoc';
import { drawCharts } from './charts.mjs';
import { listDocuments, titleOf } from './guides.mjs';
import { finishPage, isShownAsText } from './pages.mjs';

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
