// Cloudflare Workers. The reports are in the SQLite database of one Durable Object, which also answers the requests.
import { createEngine, unwrap } from 'redflag';
import { createDurableObjectStore } from 'redflag/durable-object';
import { createFetchHandler } from 'redflag/http';

export class Reports {
  constructor(context, { SECRET, PUBLIC_URL }) {
    context.blockConcurrencyWhile(async () => {
      const store = await createDurableObjectStore({ storage: context.storage });
      const engine = createEngine({ store, secret: SECRET, publicUrl: PUBLIC_URL });
      // Such as a secret that is not the one of the stored reports.
      const log = ({ event, error }) => console.error(`${event}: ${error}`);
      this.fraud = createFetchHandler(engine, { basePath: '/fraud', log });
      if ((await store.listReporters()).length > 0) return;
      const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
      const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
      // Printed once. Read it with `wrangler tail` during the first request. Do not let a log keep the key
      // (`observability` in wrangler.jsonc, Logpush); if one did, issue another key and revoke this one.
      console.log(`API key: ${apiKey}`);
    });
  }

  fetch(request) {
    // Only Cloudflare replaces what a client wrote into this header. Elsewhere, any client can choose its address.
    return this.fraud(request, { address: request.headers.get('CF-Connecting-IP') ?? undefined });
  }
}

export default { fetch: (request, { REPORTS }) => REPORTS.get(REPORTS.idFromName('reports')).fetch(request) };
