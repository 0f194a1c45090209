import { readdirSync, readFileSync } from 'node:fs';
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
      [...readFileSync(join(ROOT, 'dist', name), 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
        ([, part]) => part!,
      ),
    ),
  );
  // The playground is minified, so it has no such lines.
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/playground/main.tsx', 'src/playground/world-worker.ts'],
    outdir: 'dist/playground',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:*'],
    metafile: true,
    write: false,
  });
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
