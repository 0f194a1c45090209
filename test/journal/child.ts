import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'tsup';

const HERE = import.meta.dirname;

/** Makes the programs of `children/` into `folder`, so that plain Node runs them. */
export async function buildChildren(folder: string): Promise<void> {
  const sources = await readdir(path.join(HERE, 'children'));
  await build({
    entry: sources.map((name) => path.join(HERE, 'children', name)),
    format: 'esm',
    outDir: folder,
    outExtension: () => ({ js: '.mjs' }),
    config: false,
    silent: true,
    clean: false,
  });
}

/** A running program and the lines it has written so far. */
export interface Child {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves with the line of this number once it is there; rejects when the program ends before. */
  line(index: number): Promise<string>;
  /** `kill -9`, and waits for the end. Nothing when it has ended. */
  kill(): Promise<void>;
}

export function startChild(program: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const child = spawn(process.execPath, [program, ...args], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout! });
  output.on('line', (line) => lines.push(line));
  const ended = once(output, 'close');
  return {
    process: child,
    lines,
    async line(index) {
      while (lines.length <= index) {
        const over = await Promise.race([once(output, 'line').then(() => false), ended.then(() => true)]);
        if (over && lines.length <= index) throw new Error(`the program ended after ${lines.length} lines`);
      }
      return lines[index]!;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
