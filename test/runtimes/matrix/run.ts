import { startTests, type VitestRunner } from '@vitest/runner';
import type { RunnerTask as Task } from 'vitest';

/** What one suite came to in one runtime. Names are those of files, groups and tests, joined by ` > `. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly error: string }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** Milliseconds for one test. The slowest runtime takes two seconds for the slowest test. */
const TIMEOUT = 60_000;

/** Runs files with tests, one after another. */
export async function runSuite(files: Readonly<Record<string, () => Promise<unknown>>>): Promise<SuiteResult> {
  const runner: VitestRunner = {
    config: {
      root: '/',
      setupFiles: [],
      name: '',
      passWithNoTests: false,
      allowOnly: false,
      sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
      maxConcurrency: 1,
      testTimeout: TIMEOUT,
      hookTimeout: TIMEOUT,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    } as unknown as VitestRunner['config'],
    importFile: (path) => files[path.slice(1)]!(),
  };
  const passed: string[] = [];
  const failed: { name: string; error: string }[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const collect = (task: Task, within: string): void => {
    const name = `${within}${task.name}`;
    for (const error of task.result?.errors ?? [])
      failed.push({ name, error: `${error.message}\n${error.diff ?? error.stack ?? ''}`.slice(0, 700) });
    if ('tasks' in task) for (const inner of task.tasks) collect(inner, `${name} > `);
    else if (task.result?.state === 'pass') passed.push(name);
    else if (task.result?.state !== 'fail')
      skipped.push({ name, reason: (task.result as { note?: string } | undefined)?.note ?? 'no reason given' });
  };
  for (const file of await startTests(
    Object.keys(files).map((path) => `/${path}`),
    runner,
  ))
    collect(file, '');
  return { passed: passed.length, failed, skipped };
}
