import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The packages of test/installed/package.json. */
export const PACKAGES: string = join(HERE, 'node_modules');

/** A folder as a user has it: with the packed package installed, and the packages of test/installed in reach. */
export interface Project {
  readonly folder: string;
  /** Runs a program of {@link PACKAGES} in the folder, to its end. Throws with its output if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Starts such a program in the folder. Returns a function that ends it. */
  start(program: string, ...args: readonly string[]): () => Promise<void>;
  /** Copies the folder as it is now to a new one, whose programs run on `node`. Faster than another installation. */
  copy(node?: string): Promise<Project>;
  remove(): Promise<void>;
}

/** Returns why tests that need these packages cannot run here; undefined if they can. In CI they run and fail. */
export function reasonToSkip(...paths: readonly string[]): string | undefined {
  if (process.env['CI']) return undefined;
  const missing = paths.find((path) => !existsSync(path));
  return missing && `${missing} is missing; npm install --prefix test/installed && npm install --prefix test/runtimes`;
}

/** Where a project is: in reach of the packages of test/installed, or of no packages but its own. */
const PLACES = { near: join(HERE, 'projects'), apart: tmpdir() };

/** Packs the package as it is built, and installs it into a new project. */
export async function createProject({
  node = process.execPath,
  place = 'near',
}: { readonly node?: string | undefined; readonly place?: keyof typeof PLACES } = {}): Promise<Project> {
  const folder = await makeFolder(place);
  // Without scripts: prepack would build dist again while other tests use it.
  const packed = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT);
  const [, tarball] = /"filename": "([^"]+)"/.exec(packed)!;
  // As `npm init -y` writes it.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }\n');
  await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball!)], folder);
  return projectIn(folder, node, place);
}

async function makeFolder(place: keyof typeof PLACES): Promise<string> {
  await mkdir(PLACES[place], { recursive: true });
  return mkdtemp(join(PLACES[place], 'redflag-project-'));
}

/** The environment without what `npm test` sets: another npm would use it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|FORCE_COLOR$)/i.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

async function execute(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...cleanEnvironment(), NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    maxBuffer: 1 << 26,
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

function projectIn(folder: string, node: string, place: keyof typeof PLACES): Project {
  return {
    folder,
    run: (program, ...args) => execute(node, [resolve(PACKAGES, program), ...args], folder),
    start(program, ...args) {
      const env = cleanEnvironment();
      const child = spawn(node, [resolve(PACKAGES, program), ...args], { cwd: folder, env, stdio: 'ignore' });
      const closed = once(child, 'close');
      return async () => {
        child.kill('SIGKILL');
        await closed;
      };
    },
    async copy(other = process.execPath) {
      const target = await makeFolder(place);
      await cp(folder, target, { recursive: true, verbatimSymlinks: true });
      return projectIn(target, other, place);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
