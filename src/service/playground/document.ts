import { ICON, STYLE } from '../../lab/page/style.ts';
import { POLICY } from './policy.ts';

/** What only the playground needs. Tokens and shared parts are in `lab/page/style.ts`. */
const PLAYGROUND_STYLE = `
.page { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: 0 2.5rem; margin-top: 1.5rem; }
.part { scroll-margin-top: 1rem; }
.part:focus { outline: none; }
.part > h2 { margin-top: 0; }
.part + .part { margin-top: 3.5rem; }
.contents { position: sticky; top: 1rem; align-self: start; }
.contents ul { flex-direction: column; border: 0; }
.contents > button { display: none; }
.asking {
  display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 var(--gap); align-items: start;
  grid-template-rows: auto auto 1fr;
}
.asking > * { grid-column: 1; margin-top: 0; }
.asking > .answer { grid-area: 1 / 2 / span 3; position: sticky; top: 1rem; }
.choose > .actions { margin-top: 0; }
.button[aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); }
.row { padding: .5rem 1rem; }
.row + .row { margin-top: .5rem; }
.row > summary { font-weight: 600; }
.row[open] { padding-bottom: 1rem; }
.row[open] > summary { margin-bottom: .5rem; }
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
.identifier .line { column-gap: .5rem; }
.identifier .line .field { flex-basis: 12.5rem; }
.identifier .line .field.short { flex-basis: 6rem; }
.line > .button { margin-bottom: 1.25rem; }
.mono { font-family: var(--mono); font-size: .9rem; overflow-wrap: anywhere; }
.subject { overflow-wrap: anywhere; }
#playground pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--page); }
.now { display: none; }
.message .notice { margin: .75rem 0; overflow-wrap: anywhere; }
form.card:has(> .message:empty) > :nth-last-child(2), form.card > .line:nth-last-child(2) > * { margin-bottom: 0; }
form.card > .line:nth-last-child(2) { row-gap: 1rem; }
#playground .fields + .actions { margin-top: 0; }
.offer { margin-top: 1rem; }
@media (max-width: 55rem) {
  .page, .asking { grid-template-columns: minmax(0, 1fr); grid-template-rows: none; }
  .asking > .answer { grid-area: auto; position: static; margin: var(--gap) 0; }
  .part { scroll-margin-top: 4rem; }
  .contents { top: 0; z-index: 2; background: var(--page); padding: .5rem 0; margin-bottom: 1rem; }
  .contents > button { display: block; width: 100%; text-align: left; }
  .contents > button::after { content: "▾" / ""; float: right; }
  .contents ul { display: none; position: absolute; inset: 100% 0 auto; box-shadow: 0 .5rem 1rem var(--shade); }
  .contents ul.open { display: flex; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
    margin: 0; padding: .25rem; }
  .now {
    display: block; position: sticky; top: 3rem; z-index: 1; background: var(--card); padding: .6rem 0;
    border-bottom: 1px solid var(--line); margin-bottom: .75rem; font-weight: 600;
  }
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
      <p>You see what four shops know together about a customer: choose the fraudster, then the honest customer, and
        compare the answers.</p>
      <div id="playground"><p class="quiet" role="status">Loading…</p></div>
      <noscript><p>The playground is a program. It needs JavaScript.</p></noscript>
    </main>
  </body>
</html>
`,
};
