/** The script of a worker thread in Node: `dist/hash-worker-node.js`, which nothing but {@link nodeWorkers} loads. */
import { parentPort } from 'node:worker_threads';
import { choose } from './choose.ts';
import { createWorker } from './worker.ts';

if (parentPort === null)
  throw new Error('redflag/hash-worker is the script of a worker; it does nothing when it is imported');
const port = parentPort;
port.on(
  'message',
  createWorker(choose, (answer) => port.postMessage(answer)),
);
