import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 20;

/** Prints the slowest tests at the end, and the slowest files: a file also starts servers and builds. */
export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    );
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return { ms: setupDuration + collectDuration + duration, name: module.relativeModuleId };
    });
    show('tests', tests);
    show('files', files);
  }
}

function show(what: string, all: { readonly ms: number; readonly name: string }[]): void {
  const slowest = all.sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
  console.log(`\nSlowest ${what}:`);
  for (const { ms, name } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name.slice(0, 140)}`);
}
