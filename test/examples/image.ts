import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type JSONInstruction } from 'dockerfile-ast';

// Runs the steps of a Dockerfile without Docker: each stage is a folder that a process sees as its root. The system's
// own folders stand in for the base image, read-only. So does everything else when the image runs, except volumes.
const SYSTEM = ['bin', 'etc', 'lib', 'lib32', 'lib64', 'opt', 'sbin', 'usr'];
/** In place of the user `node` of the base image, who has this number there. */
const NODE = '1000';

/** An image that was built, and its settings. */
export interface Image {
  /** The folder that commands see as the root. */
  readonly root: string;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  /** Starts a command in the image, as its user. The root is read-only, except for the volumes. */
  run(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess;
}

/** Returns true if this process may make roots of its own. If not, says why; in CI that is an error. */
export function canBuild(): boolean {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0) return true;
  const missing = 'The steps of the Dockerfile do not run: they need Linux, root and unshare';
  if (process.env['CI']) throw new Error(missing);
  console.warn(missing);
  return false;
}

/** Runs all steps. `context` is the folder that is mounted for builds, `args` replace values of ARG. */
export function build(text: string, folder: string, context: string, args: Readonly<Record<string, string>>): Image {
  const stages = new Map<string, string>();
  const state = { root: '', env: {} as Record<string, string>, cwd: '/', user: '0' };
  const found = { volumes: [] as string[], command: [] as string[], healthcheck: [] as string[] };
  const json = (instruction: unknown): string[] =>
    (instruction as JSONInstruction).getJSONStrings().map((one) => JSON.parse(one.getValue()) as string);
  const inside = (path: string): string => join(state.root, path);

  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const content = instruction.getArgumentsContent() ?? '';
    switch (instruction.getKeyword()) {
      case 'FROM': {
        const name = / AS (\w+)$/.exec(content)?.[1] ?? 'last';
        Object.assign(state, { root: join(folder, name), env: {}, cwd: '/', user: '0' });
        stages.set(name, state.root);
        for (const path of ['proc', 'dev', 'tmp', 'context', ...SYSTEM]) mkdirSync(inside(path), { recursive: true });
        break;
      }
      case 'ARG': {
        const [name = '', value = ''] = content.split('=');
        state.env[name] = args[name] ?? value;
        break;
      }
      case 'ENV':
        for (const [, name, value] of content.matchAll(/(\w+)=(\S+)/g))
          state.env[name!] = value!.replace('$PATH', process.env['PATH']!);
        break;
      case 'WORKDIR':
        state.cwd = content;
        mkdirSync(inside(content), { recursive: true });
        break;
      case 'USER':
        state.user = content === 'node' ? NODE : content;
        break;
      case 'COPY': {
        const [, stage] = /--from=(\w+)/.exec(instruction.getTextContent())!;
        const [from, to] = content.split(' ') as [string, string];
        cpSync(join(stages.get(stage!)!, from), inside(to), { recursive: true, verbatimSymlinks: true });
        break;
      }
      case 'RUN': {
        const command = content.replace(/\\\n/g, ' ').replaceAll(' node ', ` ${NODE} `);
        const { args: words, env } = enter(state, ['/bin/sh', '-c', command], { context });
        // npm finds its registry as on this machine.
        execFileSync('unshare', words, { env: { ...process.env, ...env }, stdio: 'pipe' });
        break;
      }
      case 'VOLUME':
        found.volumes = json(instruction);
        break;
      case 'HEALTHCHECK':
        found.healthcheck = JSON.parse(content.slice(content.indexOf('['))) as string[];
        break;
      case 'CMD':
        found.command = json(instruction);
        break;
      default:
        if (!['EXPOSE', 'STOPSIGNAL'].includes(instruction.getKeyword()))
          throw new Error(`the step ${instruction.getKeyword()} cannot be run here`);
    }
  }
  const built = { ...state };
  return {
    ...found,
    root: built.root,
    run(command, env) {
      const entered = enter({ ...built, env: { ...built.env, ...env } }, command, { volumes: found.volumes });
      return spawn('unshare', entered.args, { env: entered.env, stdio: ['ignore', 'pipe', 'pipe'] });
    },
  };
}

interface Root {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: string;
}

/** Returns what runs a command in a root. With `volumes`, the root is read-only except for these. */
function enter(
  { root, env, cwd, user }: Root,
  command: readonly string[],
  { context, volumes }: { readonly context?: string; readonly volumes?: readonly string[] },
): { args: string[]; env: NodeJS.ProcessEnv } {
  const mounts = [
    'set -e',
    'mount --make-rprivate /',
    `mount --bind ${root} ${root}`,
    ...SYSTEM.filter((name) => existsSync(`/${name}`)).flatMap((name) => bind(`/${name}`, join(root, name), true)),
    ...['proc', 'dev'].map((name) => `mount --rbind /${name} ${join(root, name)}`),
    ...(context === undefined ? [] : bind(context, join(root, 'context'), true)),
    ...(volumes ?? []).flatMap((volume) => bind(join(root, volume), join(root, volume), false)),
    ...(volumes ? [`mount -o remount,ro,bind ${root}`] : []),
  ];
  const rights = volumes ? '--no-new-privs --bounding-set -all' : '';
  const enterIt = `exec setpriv --reuid ${user} --regid ${user} --clear-groups ${rights}`;
  const chroot = `exec chroot ${root} /bin/sh -c 'cd "$0" && ${enterIt} "$@"' ${cwd} "$@"`;
  return {
    args: ['--mount', '/bin/sh', '-c', `${mounts.join('\n')}\n${chroot}`, 'sh', ...command],
    env: { PATH: process.env['PATH'], HOME: '/tmp', ...env },
  };
}

function bind(from: string, to: string, isReadOnly: boolean): string[] {
  return [`mount --bind ${from} ${to}`, ...(isReadOnly ? [`mount -o remount,ro,bind ${to}`] : [])];
}
