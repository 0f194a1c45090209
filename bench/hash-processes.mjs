import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The CPU core to which every contender is pinned, if the system has `taskset`. */
const CORE = '0';

function has(program) {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const pinned = process.platform === 'linux' && has('taskset');

/** Starts a program on the core. Returns a function that sends the program one line and resolves with its answer. */
async function start(command, args) {
  const [program, ...rest] = pinned ? ['taskset', '-c', CORE, command, ...args] : [command, ...args];
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command} ended without an answer`);
    return value;
  };
  child.on('error', () => {});
  const greeting = [];
  for (let line = await read(); line !== 'ready'; line = await read()) {
    greeting.push(line);
    if (line.startsWith('not in this program')) throw new Error(line);
  }
  return {
    greeting,
    pid: child.pid,
    close: () => child.kill(),
    async ask(line) {
      child.stdin.write(`${line}\n`);
      const [nanoseconds, ...digests] = (await read()).split(' ');
      return { nanoseconds: Number(nanoseconds), digests };
    },
  };
}

/** Starts the contenders of one Node binary. Resolves with the contenders by name, and the reasons for missing ones. */
export async function nodeContenders(binary, flags = []) {
  const child = await start(binary, [...flags, here('hash-contenders.mjs')]);
  const names = child.greeting.filter((line) => line.startsWith('there ')).map((line) => line.slice(6));
  return {
    close: child.close,
    missing: child.greeting.filter((line) => line.startsWith('missing ')).map((line) => line.slice(8)),
    contenders: Object.fromEntries(
      names.map((name) => [
        name,
        { pid: child.pid, run: (values, rounds) => child.ask([name, rounds, ...values].join('\t')) },
      ]),
    ),
  };
}

function compile() {
  mkdirSync(here('.cache'), { recursive: true });
  const program = here('.cache/chain');
  const source = here('native/chain.c');
  try {
    execFileSync('cc', ['-O3', '-march=native', '-w', '-DWITH_OPENSSL', source, '-lcrypto', '-o', program], {
      stdio: 'ignore',
    });
  } catch {
    execFileSync('cc', ['-O3', '-march=native', '-w', source, '-o', program], { stdio: 'ignore' });
  }
  return program;
}

const NATIVE = {
  'C, scalar': () => [compile(), 'scalar'],
  'C, SHA-NI, one chain': () => [compile(), 'shani'],
  'C, SHA-NI, two chains': () => [compile(), 'shani2'],
  'C, OpenSSL': () => [compile(), 'openssl'],
  'PHP sha1()': () => ['php', here('native/chain.php')],
  'Python hashlib': () => ['python3', here('native/chain.py')],
};

/** Starts the installed native programs. The result has the shape of {@link nodeContenders}. */
export async function nativeContenders() {
  const contenders = {};
  const missing = [];
  const children = [];
  for (const [name, command] of Object.entries(NATIVE)) {
    try {
      const needed = name.startsWith('PHP') ? 'php' : name.startsWith('Python') ? 'python3' : 'cc';
      if (!has(needed)) throw new Error(`${needed} is not installed`);
      const [program, ...args] = command();
      const child = await start(program, args);
      children.push(child);
      contenders[name] = { pid: child.pid, run: (values, rounds) => child.ask([rounds, ...values].join(' ')) };
    } catch (error) {
      missing.push(`${name}: ${error.message}`);
    }
  }
  return { contenders, missing, close: () => children.forEach((child) => child.close()) };
}

/** Returns the nanoseconds that a process has waited for a core; undefined if the system does not count them. */
export function waited(pid) {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) : undefined;
}

export const isPinned = pinned;

/** Pins this process to the contenders' core, or releases it. The calibration loop must measure the same core. */
export function pinThisProcess(isOn) {
  if (pinned)
    execFileSync('taskset', ['-a', '-cp', isOn ? CORE : `0-${cpus().length - 1}`, String(process.pid)], {
      stdio: 'ignore',
    });
}
