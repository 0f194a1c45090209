// npm's page shows the README without the repository, so the README of the package has absolute links. `prepack` writes
// them, `postpack` brings the own README back: node scripts/pack-readme.mjs [--restore]
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const at = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Returns Markdown whose links and images lead to files of the repository at this address. */
export function withAbsoluteLinks(markdown, repository) {
  return markdown.replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g,
    (_, image, text, target) => `${image}[${text}](${repository}/${image ? 'raw' : 'blob'}/main/${target})`,
  );
}

if (argv[1] === at('scripts/pack-readme.mjs')) {
  const [readme, own] = [at('README.md'), at('build/README.md')];
  if (argv.includes('--restore')) renameSync(own, readme);
  else {
    const { repository } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
    copyFileSync(readme, own);
    const address = repository.url.replace(/^git\+|\.git$/g, '');
    writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, 'utf8'), address));
  }
}
