/** Script of a worker thread in Node, built as `dist/hash-worker-node.js`. Only `nodeWorkers` starts it. */
import { parentPort } from 'node:worker_threads';
import { choose } from './choose.ts';
import { createWorker } from './worker.ts';

if (parentPort === null)
  throw new Error(
    'redflag/hash-worker is the script of a worker; start it with createHashPool instead of importing it',
  );
const port = parentPort;
port.on(
  'message',
  createWorker(choose, (answer) => port.postMessage(answer)),
);
