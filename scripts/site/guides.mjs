// The order and the groups of the documents on the site are those of docs/README.md. So the index and the navigation
// of the site cannot differ.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INDEX = join(ROOT, 'docs/README.md');
export const DECISIONS = 'Decisions';

/** Returns each document of the site, in order: its file, its group, and its address without `.html`. */
export function listDocuments() {
  const documents = new Map([[INDEX, { group: 'Start', address: 'documents/index' }]]);
  let group = '';
  for (const line of readFileSync(INDEX, 'utf8').split('\n')) {
    if (line.startsWith('## ')) group = line.slice(3);
    if (group === '') continue;
    for (const [, link] of line.matchAll(/\]\(([^)#]+\.md)\)/g)) {
      const file = resolve(ROOT, 'docs', link);
      if (!documents.has(file)) documents.set(file, { group, address: toAddress(file) });
    }
  }
  for (const name of readdirSync(join(ROOT, 'docs/decisions')).sort()) {
    const file = join(ROOT, 'docs/decisions', name);
    if (!documents.has(file)) documents.set(file, { group: DECISIONS, address: toAddress(file) });
  }
  return documents;
}

/** True for a document that a user of the package reads, and not only who changes it. */
export function isGuide({ group }) {
  return !['Start', 'Change redflag', DECISIONS].includes(group);
}

/** Names are in lower case, because some servers do not tell `Readme.html` from `readme.html`. */
function toAddress(file) {
  const path = file
    .slice(ROOT.length)
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/README$/, 'index');
  return `documents/${path.toLowerCase()}`;
}

/** Returns the first heading of a document, without marks of code. */
export function titleOf(file) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (title === undefined) throw new Error(`${file} expected a heading, got none`);
  return title.replaceAll('`', '');
}
