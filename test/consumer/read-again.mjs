// node read-again.mjs FOLDER KEY LAST: exits with 0 if reports 1 to LAST are complete, and at most one more exists.
import assert from 'node:assert/strict';
import { createEngine, unwrap } from 'redflag';
import { openFolderStore } from 'redflag/node';

const [folder, apiKey, last] = process.argv.slice(2);
const store = await openFolderStore(folder);
const engine = createEngine({
  store,
  secret: 'a secret of more than sixteen bytes',
  publicUrl: 'https://reports.example',
  limits: { query: { requests: 1e9, windowSeconds: 1 } },
  budgets: { identifiers: { verified: 1e9, new: 1e9 } },
});
for (let n = 1; n <= Number(last); n++) {
  const { reported, link } = unwrap(
    await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: n.toString(16).padStart(40, '0') }] }),
  );
  assert.equal(reported, 1, `report ${n}`);
  if (n === Number(last)) assert.equal(unwrap(await engine.view({ linkHash: link.slice(-40) }))[0].text, `Report ${n}`);
}
const { reports } = await store.count();
assert.ok(reports === Number(last) || reports === Number(last) + 1, `${reports} reports`);
await engine.close();
console.log('all there');
