import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describePage } from './describe-page.ts';
import { ROOT } from './terminal.ts';

// README.md has a test file of its own, for the blocks that do not take long.
for (const name of readdirSync(join(ROOT, 'docs'))) if (name.endsWith('.md')) describePage(`docs/${name}`);
if (readFileSync(join(ROOT, 'README.md'), 'utf8').includes('\n```console slow')) describePage('README.md');
