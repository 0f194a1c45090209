import { runBundled } from './bundle.mjs';

await runBundled('select');
