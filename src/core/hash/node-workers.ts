import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Spawn } from './pool.ts';

/** Returns the default size of a pool: one worker for each core that this process may use. */
export function defaultNodePoolSize(): number {
  return availableParallelism();
}

/**
 * Returns a function that starts worker threads. `script` is the built `src/hash-worker.ts`; default: the file next to
 * this one.
 */
export function nodeWorkers(script: string | URL = scriptBeside()): Spawn {
  return ({ onAnswer, onEnd }) => {
    const worker = new Worker(typeof script === 'string' && script.startsWith('file:') ? new URL(script) : script, {
      // Do not inherit the flags of this process: some, such as --input-type, prevent the script from loading.
      execArgv: [],
      // A worker keeps no data, so a small young generation is enough. V8's default grows to 48 MB.
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

/** All built files are in one folder. CommonJS has no `import.meta`, so use `__filename` there. */
function scriptBeside(): URL {
  return new URL('./hash-worker.js', typeof __filename === 'string' ? pathToFileURL(__filename) : import.meta.url);
}
