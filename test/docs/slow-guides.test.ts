import './readme.test.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describePage } from './describe-page.ts';
import { ROOT } from './terminal.ts';

// README.md too, with the blocks that take long.
for (const name of readdirSync(join(ROOT, 'docs'))) if (name.endsWith('.md')) describePage(`docs/${name}`);
