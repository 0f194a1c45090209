/**
 * `redflag/hash-worker`: script of a Web Worker and of a worker thread in Node, built as one file without imports. The
 * pools of `redflag/browser` and `redflag/node` start it.
 */
import { choose } from './core/hash/choose.ts';
import { createWorker, type WorkerRequest } from './core/hash/worker.ts';

// An import of a Node module would stop browsers. A page has no `process`, or one without this function.
const port = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort;
if (port)
  port.on(
    'message',
    createWorker(choose, (answer) => port.postMessage(answer)),
  );
else if (typeof globalThis.postMessage === 'function') {
  const receive = createWorker(choose, (answer) => globalThis.postMessage(answer));
  globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => receive(data));
} else
  throw new Error(
    'redflag/hash-worker is the script of a worker; start it with createHashPool instead of importing it',
  );
