// Prints the figures by which the sources are kept small: node scripts/figures.mjs (`npm run figures` builds first).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chdir, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

chdir(fileURLToPath(new URL('..', import.meta.url)));

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.generated.'))
    .map((name) => `${folder}/${name}`);
const linesOf = (files) => files.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));

/** Prints what a page carries that imports one name of a door. */
async function printBundle(door, name) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${name} } from './src/${door}.ts'`, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['sql.js', 'node:*'],
    write: false,
    metafile: true,
  });
  const files = Object.entries(Object.values(metafile.outputs)[0].inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
  const own = files.filter((file) => file.startsWith('src/'));
  const layers = [...new Set(own.map((file) => file.split('/')[1]).filter((part) => !part.endsWith('.ts')))].sort();
  const kilobytes = (gzipSync(outputFiles[0].contents, { level: 9 }).length / 1024).toFixed(1);
  console.log(`${name} of ${door}: ${kilobytes} KB with gzip, ${own.length} source files, of ${layers.join(', ')}`);
}

await printBundle('index', 'createEngine');
await printBundle('hash', 'hashIdentifier');
await printBundle('scoring', 'createLinkClaimModel');

const types = new Set();
for (const [, list] of readFileSync('src/index.ts', 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g))
  for (const name of list.split(',')) types.add(name.replace('type ', '').trim());
console.log(`names that the root door exports: ${[...types].filter(Boolean).length}, and its own`);

const named = ['core', 'stores', 'operator'].flatMap((layer) => linesOf(sourcesOf(`src/${layer}`)));
console.log(`lines of core, stores and operator with "seal": ${named.filter((line) => /seal/i.test(line)).length}`);
for (const folder of ['src/core', 'src']) {
  const files = sourcesOf(folder);
  const small = files.filter((file) => linesOf([file]).length < 40);
  console.log(`${folder}: ${linesOf(files).length} lines in ${files.length} files, ${small.length} under 40 lines`);
}

process.stdout.write(execFileSync(execPath, ['scripts/crossings.mjs'], { encoding: 'utf8' }));

const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
const [{ unpackedSize }] = JSON.parse(packed);
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
console.log(
  `package: ${(unpackedSize / 1e6).toFixed(1)} MB, ${Object.keys(dependencies).length} dependencies at run time`,
);

/** Returns the median milliseconds of a process. */
function timed(code) {
  const times = Array.from({ length: 15 }, () => {
    const from = performance.now();
    execFileSync(execPath, ['--input-type=module', '-e', code]);
    return performance.now() - from;
  });
  return times.sort((a, b) => a - b)[7];
}
const bare = timed('');
console.log(
  `import of redflag: ${(timed("await import('./dist/index.js')") - bare).toFixed(0)} ms beside ${bare.toFixed(0)}`,
);
