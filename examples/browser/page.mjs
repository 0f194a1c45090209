// The engine and the hashing in a page, on a store that the browser keeps. Bundle it, copy sql.js's module beside it,
// and serve the folder:
//   npx esbuild examples/browser/page.mjs --bundle --format=esm --outfile=examples/browser/page.js
//   cp node_modules/sql.js/dist/sql-wasm-browser.wasm examples/browser/
import { createEngine, unwrap } from 'redflag';
import { hashIdentifier } from 'redflag/hash';
import { openBrowserStore } from 'redflag/sqljs';

const log = document.querySelector('#log');
const store = await openBrowserStore({
  name: 'example',
  locateFile: (file) => new URL(file, import.meta.url).href,
}).catch((error) => {
  // For example because another tab has the store open.
  log.textContent = error.message;
  throw error;
});
// Everyone can read a secret in a page: use this for experiments, not for a service.
const engine = createEngine({ store, secret: 'only for this page, not secret', publicUrl: location.origin });
const [known] = await store.listReporters();
const { reporterId } = known ?? unwrap(await engine.createReporter({ name: 'This page' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
log.textContent = 'Ready.';

document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const action = event.submitter?.value ?? 'query';
  const email = new FormData(event.target).get('email');
  try {
    const identifiers = [{ kind: 'email', hash: await hashIdentifier(email) }];
    const answer =
      action === 'report'
        ? await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'Reported in a page.', identifiers })
        : await engine.query({ apiKey, identifiers });
    log.textContent = JSON.stringify(unwrap(answer), null, 2);
  } catch (error) {
    log.textContent = error.message;
  }
});
