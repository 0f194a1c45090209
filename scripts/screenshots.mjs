// Writes pictures of every page at phone and desktop width, light and dark: `npm run screenshots [FOLDER]`.
// The slow tests of pages take them, so each picture shows a page that was tested.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PICTURE = /-(?:desktop|phone)-(?:light|dark)\.png$/;

/** The slow tests that look at pages: those that call `expectGoodLook` of test/web/visit.ts. */
export function findPageTests(root = ROOT) {
  return readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^slow-.*\.test\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes('node_modules') && /\bexpectGoodLook\(/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))
    .sort();
}

function run() {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'build', 'screenshots'));
  mkdirSync(folder, { recursive: true });
  // Pictures of pages that no longer exist would mislead.
  for (const name of readdirSync(folder)) if (PICTURE.test(name)) rmSync(join(folder, name));
  const tests = findPageTests();
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...tests], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, SLOW: '1', SCREENSHOTS: folder },
  });
  const pictures = readdirSync(folder).filter((name) => PICTURE.test(name)).length;
  console.log(`${pictures} pictures of pages are in ${folder}`);
  process.exitCode = status === 0 && pictures > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run();
