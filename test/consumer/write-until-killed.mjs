// node write-until-killed.mjs FOLDER: adds reports without end and prints the number of each acknowledged report.
import { createEngine, unwrap } from 'redflag';
import { openFolderStore } from 'redflag/node';

const engine = createEngine({
  store: await openFolderStore(process.argv[2]),
  secret: 'a secret of more than sixteen bytes',
  publicUrl: 'https://reports.example',
  limits: { report: { requests: 1e9, windowSeconds: 1 } },
});
const { reporterId } = unwrap(await engine.createReporter({ name: 'A shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(apiKey);
for (let n = 1; ; n++) {
  const hash = n.toString(16).padStart(40, '0');
  unwrap(
    await engine.report({
      apiKey,
      type: 'fraud',
      severity: 7,
      text: `Report ${n}`,
      identifiers: [{ kind: 'email', hash }],
    }),
  );
  console.log(n);
}
