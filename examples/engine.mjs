// The part that all examples share: an engine in memory, with one reporter and a key for it.
import { createEngine, unwrap } from 'redflag';
import { createSqljsStore } from 'redflag/sqljs';

export const port = Number(process.env.PORT ?? 3000);
// The links in replies begin with this address. Behind a proxy, set PUBLIC_URL to the address of the proxy.
const publicUrl = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}/fraud`;

// To keep the reports, replace both lines below, and import openFolderStore from redflag/node. Keys, links and deletion
// codes follow from the secret: set SECRET to the output of `openssl rand -hex 32`, the same at each start.
//  const store = await openFolderStore('redflag-data');
//  const secret = process.env.SECRET;
const store = await createSqljsStore();
const secret = crypto.randomUUID();

export const engine = createEngine({ store, secret, publicUrl });

console.log(`Form endpoint: ${publicUrl}/api/`);
if ((await store.listReporters()).length === 0) {
  const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
  const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
  console.log(`API key: ${apiKey}`);
}
