import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files that are small. At the end of a run, other workers would wait a minute or longer for each. */
const SMALL_AND_LONG = new Set([
  'slow-operator-commands.test.ts',
  'slow-store-contract.test.ts',
  'slow-matrix.test.ts',
  'slow-guides.test.ts',
  'slow-regular-expressions.test.ts',
  'slow-http.test.ts',
]);

/** In a fresh clone, Vitest knows no times, and begins with the largest files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => SMALL_AND_LONG.has(basename(moduleId));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
