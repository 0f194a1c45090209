import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { LEFT_OUT } from '../scripts/inputs.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('NOTICE names every package whose code the build includes, and no other', async () => {
  const { dependencies, exports } = createRequire(import.meta.url)('../package.json') as Record<string, object>;
  const doors = Object.keys(exports!).flatMap((entry) =>
    entry.endsWith('.json') ? [] : [`src/${entry === '.' ? 'index' : entry.slice(2)}.ts`],
  );
  // What is built is minified, so no line in it says where it comes from.
  const shared = { absWorkingDir: ROOT, bundle: true, splitting: true, format: 'esm', write: false } as const;
  const builds = await Promise.all([
    build({
      ...shared,
      entryPoints: ['src/service/cli/main.ts', ...doors],
      outdir: 'dist',
      platform: 'node',
      external: [...Object.keys(dependencies!), 'pg', 'libphonenumber-js', ...(LEFT_OUT as string[])],
      metafile: true,
    }),
    build({
      ...shared,
      entryPoints: ['src/service/playground/main.tsx', 'src/service/playground/world-worker.ts'],
      outdir: 'dist/playground',
      platform: 'browser',
      external: ['node:*'],
      metafile: true,
    }),
    // The scripts of pages are texts in the program and in redflag/pages.
    build({
      ...shared,
      entryPoints: ['src/service/web/scripts/*.ts'],
      outdir: 'dist/scripts',
      platform: 'browser',
      metafile: true,
    }),
  ]);
  const included = new Set<string>();
  for (const { metafile } of builds)
    for (const { inputs } of Object.values(metafile.outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
        if (name !== undefined && bytesInOutput > 0) included.add(name);
      }
  expect(included.size).toBeGreaterThan(5);
  const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
  const named = [...notice.matchAll(/^ {2}([a-z@].*)\n {4}Copyright/gm)].flatMap(([, names]) =>
    names!.split(/, (?:and )?/),
  );
  expect([...included].sort()).toEqual(named.sort());
});

it('NOTICE names the lists of which the hosts of mail are, as their file does', () => {
  const [notice, list] = ['NOTICE', 'src/core/identifiers/mail-hosts.ts'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  for (const source of ['email-providers 2.26.0', 'free-email-domains 1.12.6', 'freemail 1.7.0']) {
    expect(notice).toContain(source);
    expect(list).toContain(source);
  }
});
