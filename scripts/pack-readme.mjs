// The package has some pages of the repository, and npm's page shows the README alone. So the links of packed pages to
// files that are not beside them become absolute. `prepack` writes the links, `postpack` brings the own pages back:
// node scripts/pack-readme.mjs [--restore]
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const at = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** The pages of the package. */
export const PAGES = ['README.md', 'docs/protocol.md', 'examples/README.md'];

/**
 * Returns a page whose links and images lead to files of the repository at this address.
 * @param markdown the page
 * @param repository address of the repository
 * @param page path of the page in the repository
 * @param kept whether a link to this path stays as it is
 */
export function withAbsoluteLinks(markdown, repository, page = 'README.md', kept = () => false) {
  return markdown.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g, (link, image, text, target) => {
    const { pathname, hash } = new URL(target, `file:///${page}`);
    if (kept(pathname.slice(1))) return link;
    return `${image}[${text}](${repository}/${image ? 'raw' : 'blob'}/main${pathname}${hash})`;
  });
}

/** Returns the page as the package has it. */
export function toPacked(page, markdown, { repository, files }) {
  const address = repository.url.replace(/^git\+|\.git$/g, '');
  const isPacked = (path) => files.some((file) => path === file || path.startsWith(`${file}/`));
  return withAbsoluteLinks(markdown, address, page, page === 'README.md' ? undefined : isPacked);
}

if (argv[1] === at('scripts/pack-readme.mjs')) {
  const description = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  for (const page of PAGES) {
    const [packed, own] = [at(page), at(`build/pages/${page}`)];
    if (argv.includes('--restore')) renameSync(own, packed);
    else {
      mkdirSync(dirname(own), { recursive: true });
      copyFileSync(packed, own);
      writeFileSync(packed, toPacked(page, readFileSync(packed, 'utf8'), description));
    }
  }
}
