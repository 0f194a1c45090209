import { ICON, STYLE } from '../../lab/page/style.ts';
import { POLICY } from './policy.ts';

/** What only the playground needs. Tokens and shared parts are in `lab/page/style.ts`. */
const PLAYGROUND_STYLE = `
[role="tablist"] {
  display: flex; flex-wrap: wrap; gap: .25rem; margin: 1.25rem 0 0; border-bottom: 1px solid var(--line);
}
[role="tab"] {
  font: inherit; cursor: pointer; border: 0; border-bottom: 3px solid transparent; border-radius: .5rem .5rem 0 0;
  background: none; color: var(--quiet); padding: .5rem .8rem; margin-bottom: -1px;
}
[role="tab"]:hover { color: var(--text); background: var(--hover); }
[role="tab"][aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
[role="tabpanel"] > h2:first-child { margin-top: 1.5rem; }
[role="tabpanel"]:focus { outline: none; }
.button.small { padding: .15rem .6rem; min-height: 2rem; font-size: .9rem; font-weight: 500; }
.link {
  font: inherit; cursor: pointer; border: 0; background: none; color: var(--accent); padding: 0; min-height: 1.5rem;
  text-decoration: underline;
}
.file { position: relative; margin: 0; }
.file input { position: absolute; inset: 0; opacity: 0; cursor: pointer; }
.file:focus-within { outline: .2rem solid var(--accent); outline-offset: .15rem; }
input[type="range"] { display: block; min-height: 1.75rem; margin: 0; }
progress { width: 100%; accent-color: var(--accent); }
.identifier { min-width: 0; margin: 0 0 1rem; }
.identifier legend { font-weight: 600; padding: 0 .4rem; }
#playground .field { max-width: none; }
.line { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: flex-end; }
.line .field { flex: 1 1 14rem; }
.line .field.short { flex: 0 1 8rem; }
.line > .button { margin-bottom: 1.25rem; }
.mono { font-family: var(--mono); font-size: .9rem; overflow-wrap: anywhere; }
.subject { overflow-wrap: anywhere; }
#playground pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--page); }
.sides { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: var(--gap); align-items: start; }
.both { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--gap); align-items: start;
  margin-top: var(--gap); }
.both > .card { margin: 0; }
.now { display: none; }
.message .notice { margin: .75rem 0; overflow-wrap: anywhere; }
form.card:has(> .message:empty) > :nth-last-child(2), form.card > .line:nth-last-child(2) > * { margin-bottom: 0; }
form.card > .line:nth-last-child(2) { row-gap: 1rem; }
#playground .fields + .actions { margin-top: 0; }
.offer { margin-top: 1rem; }
@media (min-width: 55.01rem) { .sides > :last-child { position: sticky; top: 1rem; } }
@media (max-width: 55rem) {
  .sides, .both { grid-template-columns: minmax(0, 1fr); }
  .now {
    display: block; position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--line);
    padding: .6rem 0; margin-bottom: .75rem; font-weight: 600;
  }
}
@media (max-width: 30rem) {
  [role="tab"] { padding: .4rem .5rem; }
}`;

/** The static files of the page. Addresses are relative, so any folder of any server will do. */
export const FILES: Readonly<Record<string, string>> = {
  'playground.css': `${STYLE}\n${PLAYGROUND_STYLE}`.trim(),
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <title>redflag playground</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="Report, query and score in your browser. Nothing leaves the page.">
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="./playground.css">
    <script type="module" src="./playground.js"></script>
  </head>
  <body>
    <main class="wide">
      <h1>Playground</h1>
      <p>Report, query and score in your browser, with the real engine. There is no server.</p>
      <div id="playground"><p class="quiet" role="status">Loading…</p></div>
      <noscript><p>The playground is a program. It needs JavaScript.</p></noscript>
    </main>
  </body>
</html>
`,
};
