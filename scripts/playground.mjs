// Builds the playground and says how to look at it: npm run playground
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { cwd, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(execPath, ['scripts/build.mjs', 'playground'], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) exit(status ?? 1);

const folder = relative(cwd(), `${ROOT}dist/playground`) || '.';
console.log(`The playground is in ${folder}. It is static: any web server can serve it, under any path.
To look at it here:  npx --yes serve ${folder}
or:                  python3 -m http.server --bind 127.0.0.1 --directory ${folder} 8000`);
