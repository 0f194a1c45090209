import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('NOTICE names every package whose code the build includes, and no other', async () => {
  const scripts = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.js'));
  const included = new Set(
    scripts.flatMap((name) =>
      // The bundler writes the source of each part above it.
      [
        ...readFileSync(join(ROOT, 'dist', name), 'utf8').matchAll(
          /^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
        ),
      ].map(([, part]) => part!),
    ),
  );
  // The program and the playground are minified, so they have no such lines.
  const shared = { absWorkingDir: ROOT, bundle: true, splitting: true, format: 'esm', write: false } as const;
  const external = Object.keys(createRequire(import.meta.url)('../package.json').dependencies as object);
  const minified = await Promise.all([
    build({
      ...shared,
      entryPoints: ['src/service/cli/main.ts'],
      outdir: 'dist',
      platform: 'node',
      external: [...external, 'pg', 'libsodium-wrappers-sumo'],
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
  ]);
  for (const { metafile } of minified)
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
  // Parts of d3 that the bundler drops, because nothing uses them.
  const dropped = ['d3-time', 'd3-time-format', 'internmap'];
  expect([...included].sort()).toEqual(named.filter((name) => !dropped.includes(name)).sort());
});
