import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Spawn } from './pool.ts';

/** How many workers a pool has unless told otherwise: one for each core that this process may use. */
export function defaultNodePoolSize(): number {
  return availableParallelism();
}

/** Workers on `node:worker_threads`; `script` is `node-worker.ts` as it was built, by default the one beside this file. */
export function nodeWorkers(script: string | URL = scriptBeside()): Spawn {
  return ({ onAnswer, onEnd }) => {
    const worker = new Worker(typeof script === 'string' && script.startsWith('file:') ? new URL(script) : script, {
      // Without the flags of this process: some, such as --input-type, keep a file from being loaded.
      execArgv: [],
      // A worker keeps nothing, so a small nursery does; V8 would let each grow to 48 MB.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on('message', onAnswer);
    worker.on('error', onEnd);
    worker.on('messageerror', onEnd);
    worker.on('exit', (code) => onEnd(new Error(`it exited with code ${code}`)));
    return {
      post: (request) => worker.postMessage(request),
      terminate: () => worker.terminate(),
      keepAlive: (busy) => (busy ? worker.ref() : worker.unref()),
    };
  };
}

/** Every built file is in one folder. CommonJS has no `import.meta` but `__filename`. */
function scriptBeside(): URL {
  return new URL('./hash-worker-node.js', typeof __filename === 'string' ? pathToFileURL(__filename) : import.meta.url);
}
