// Options of the documentation site (npm run docs:site): those of the reference, and what a site needs beside them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DECISIONS, listDocuments } from './guides.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const documents = listDocuments();
const REFERENCE = 'API reference';
/** A module's page lists its names. In the navigation they would need a link inside a button. */
const doors = Object.keys(JSON.parse(readFileSync(here('../../package.json'), 'utf8')).exports);

export default {
  extends: [here('../../typedoc.json')],
  plugin: [here('../reference-links.mjs'), here('../reference-properties.mjs'), here('./plugin.mjs')],
  // A door is called redflag, too.
  name: 'redflag documentation',
  out: here('../../dist-site'),
  router: 'site',
  projectDocuments: [...documents.keys()],
  searchInDocuments: true,
  searchInComments: true,
  // The switches of TypeDoc write a style into the page, which the policy of the site forbids.
  visibilityFilters: {},
  includeHierarchySummary: false,
  customCss: here('./site.css'),
  customJs: here('./site.js'),
  favicon: here('./favicon.svg'),
  locales: { en: { kind_plural_module: REFERENCE } },
  navigation: { includeGroups: true, includeCategories: false, includeFolders: false, excludeReferences: true },
  navigationLeaves: doors.map((door) => door.replace(/^\./, 'redflag')),
  groupOrder: [
    ...new Set([...documents.values()].map(({ group }) => group).filter((group) => group !== DECISIONS)),
    REFERENCE,
    DECISIONS,
  ],
  sort: ['kind', 'instance-first', 'alphabetical-ignoring-documents'],
  headings: { readme: false, document: false },
};
