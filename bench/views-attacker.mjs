// The clients of the viewer in the benchmark of views: `views-attacker.mjs <options as JSON>`, in its own process with
// an IPC channel. Each connection asks for the next view after the last reply. Every second connection is a browser and
// gets pages. The first message says that they have begun. After `stop`, the second one has the replies by status, the
// pages among them, and the largest body in bytes.
import { Agent, get } from 'node:http';

const { port, paths, connections } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const statuses = {};
let largest = 0;
let pages = 0;
let stopped = false;

async function ask(path, accept) {
  await new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path, headers: { accept } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => {
        statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
        largest = Math.max(largest, bytes);
        if (accept === 'text/html' && response.statusCode === 200) pages++;
        resolve();
      });
    }).on('error', reject);
  });
}

process.once('message', () => (stopped = true));
process.send('begun');
await Promise.all(
  Array.from({ length: connections }, async (_, connection) => {
    const accept = connection % 2 === 0 ? 'application/json' : 'text/html';
    for (let n = connection; !stopped; n++) await ask(paths[n % paths.length], accept);
  }),
);
agent.destroy();
process.send({ statuses, pages, largest });
process.disconnect();
