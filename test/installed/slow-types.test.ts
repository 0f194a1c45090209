import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type TypeScript from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OFFENCE_TYPES } from '../../src/core/domain/report.ts';
import { isLong } from '../budget.ts';
import { createProject, PACKAGES, reasonToSkip, type Project } from './install.ts';

// test/consumer/types.mts, with every supported minor version of TypeScript and every kind of resolution.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VERSIONS: Readonly<Record<string, string>> = {
  // The oldest and the newest, and under `npm run test:long` those between.
  ...Object.fromEntries(
    ['5.4', ...(isLong ? ['5.5', '5.6', '5.7', '5.8'] : []), '6.0'].map((version) => [
      version,
      join(PACKAGES, `typescript${version}`),
    ]),
  ),
  '5.9': join(ROOT, 'node_modules/typescript'),
};
/** By name of the folder: the files, and what differs in the settings. */
const KINDS: Readonly<Record<string, { readonly files: readonly string[]; readonly settings: object }>> = {
  'ES modules and CommonJS of Node': {
    files: ['types.mts', 'types.cts'],
    settings: { module: 'nodenext', moduleResolution: 'nodenext' },
  },
  'a bundler': { files: ['types.ts'], settings: { module: 'esnext', moduleResolution: 'bundler' } },
  // Before TypeScript 6, the resolution without exports: `typesVersions` leads to the types.
  'CommonJS as TypeScript resolves it by default': { files: ['types.ts'], settings: { module: 'commonjs' } },
};
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

const skipped = reasonToSkip(...Object.values(VERSIONS));
if (skipped !== undefined) console.warn(`test/installed/slow-types.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('the types of the packed package', () => {
  let project: Project;
  beforeAll(async () => {
    // Apart, because the types of sql.js are missing in most projects.
    project = await createProject({ place: 'apart' });
    await mkdir(join(project.folder, 'node_modules/@types'));
    await symlink(join(ROOT, 'node_modules/@types/node'), join(project.folder, 'node_modules/@types/node'));
    for (const [kind, { files, settings }] of Object.entries(KINDS)) {
      const folder = join(project.folder, kind);
      await mkdir(folder);
      for (const file of files) await cp(join(ROOT, 'test/consumer/types.mts'), join(folder, file));
      const options = { compilerOptions: { ...COMPILER_OPTIONS, ...settings }, files };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
    }
  });
  afterAll(() => project?.remove());

  describe.each(Object.entries(VERSIONS))('with TypeScript %s', (version, path) => {
    it('is this version', async () => {
      const found = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as { version: string };
      expect(found.version).toMatch(new RegExp(`^${version}\\.\\d+$`));
    });

    it.each(Object.keys(KINDS))('check for %s', async (kind) => {
      const output = await project
        .run(join(path, 'bin/tsc'), '-p', join(project.folder, kind))
        .catch((error: Error) => error.message);
      expect(output).toBe('');
    });
  });

  it.each(['5.4', '6.0'])('offer the known offence types and kinds in an editor with TypeScript %s', (version) => {
    const ts = createRequire(import.meta.url)(VERSIONS[version]!) as typeof TypeScript;
    const file = join(project.folder, 'a bundler/completion.ts');
    const text = `import type { Engine } from 'redflag';
      import type { Client } from 'redflag/client';
      export const use = (engine: Engine, client: Client) => [
        engine.report({ apiKey: '', type: '', severity: 7, text: '', identifiers: [{ kind: '', hash: '' }] }),
        client.report({ type: '', severity: 7, text: '', identifiers: [] }),
      ];`;
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...COMPILER_OPTIONS, module: 'esnext', moduleResolution: 'bundler' },
      project.folder,
    );
    const service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: (name) => {
        const content = name === file ? text : ts.sys.readFile(name);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => project.folder,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      readFile: (name) => ts.sys.readFile(name),
      directoryExists: (name) => ts.sys.directoryExists(name),
    });
    const offered = (before: string, from = 0): string[] => {
      const at = text.indexOf(before, from) + before.length;
      const entries = service.getCompletionsAtPosition(file, at, undefined)?.entries ?? [];
      return entries.map(({ name }) => name).sort();
    };
    expect(offered("type: '")).toEqual([...OFFENCE_TYPES].sort());
    expect(offered("type: '", text.indexOf('client.report'))).toEqual([...OFFENCE_TYPES].sort());
    expect(offered("kind: '")).toEqual(expect.arrayContaining(['email', 'ip', 'phone']));
  });
});
