import { describePage } from './describe-page.ts';

// slow-guides.test.ts runs the page on a journal.
describePage('docs/recovery.md', ['--store', 'sqlite']);
