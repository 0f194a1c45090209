/**
 * What the suites import as `fast-check`: a law that holds in Node 20 for all its cases needs few in another runtime.
 */
import fc from 'fast-check';

const MAX_RUNS = 10;

const assert = (property: fc.IAsyncProperty<void>, parameters?: fc.Parameters<void>): unknown =>
  fc.assert(property, { ...parameters, numRuns: Math.min(parameters?.numRuns ?? MAX_RUNS, MAX_RUNS) });

export default { ...fc, assert };
