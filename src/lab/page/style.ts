/**
 * The design of all pages: a few tokens, light and dark, and the parts that pages share.
 *
 * - `.button` is a link or button: plain, `primary` (one on a page), `quiet` or `danger`. `.actions` puts buttons in a
 *   row.
 * - `.field` (`Labelled`) has a label, a hint, a control and an error. `.check` has a checkbox or radio before its
 *   label. `.fields` puts short fields beside each other: their labels, hints and controls are in lines.
 * - `.notice` is a message: plain, `ok`, `warn` or `bad`. `.tag` is a word about a thing: bad unless `ok`,
 *   `warn` or `plain`.
 * - `table` has a `caption`; numbers have the class `number`. `table.cards` becomes a list of cards on a phone: each
 *   `td` has its heading in `data-label`. Otherwise, wrap the table: `<div class="scroll" tabindex="0" role="region"
 *   aria-label="…">`. A shadow shows that it scrolls.
 * - `nav` has one `ul` of links. The current one has `aria-current="page"`.
 * - `dl.facts` lists names and values, `dl.figures` shows a few large numbers, `pre` is code, which scrolls.
 * - `lab/page/chart.ts` makes charts: `.bars`, `.plot` and `.drawing`, each with its numbers in a `table.dense`.
 * - `.quiet` is small print, `.unseen` is for screen readers only, `.key` is text to copy as a whole.
 */
const BASE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1a1d21; --quiet: #575f69; --line: #dde1e7; --edge: #828b96;
  --accent: #0b57d0; --on-accent: #fff; --accent-soft: #e8f0fe; --hover: #eef1f5; --track: #e6e9ee; --fade: #e9b8b4;
  --risk: #b3261e; --risk-soft: #fdecea; --risk-text: #8c1d18;
  --ok: #1b7340; --ok-soft: #e6f4ea; --ok-text: #14532d;
  --warn: #b06000; --warn-soft: #fef3e0; --warn-text: #6b3c00;
  --shade: rgb(15 23 42 / .22);
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #b75d91; --s4: #a87400; --s5: #1a1d21;
  --gap: 1rem; --round: .75rem; --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #111417; --card: #1a1e22; --text: #e7eaee; --quiet: #a3abb5; --line: #2d333a; --edge: #78828d;
    --accent: #8ab4f8; --on-accent: #0b1d3a; --accent-soft: #1b2b45; --hover: #252b31;
    --track: #2a3037; --fade: #6b413e;
    --risk: #ff8a80; --risk-soft: #3b1c1a; --risk-text: #ffb4ab;
    --ok: #6dd58c; --ok-soft: #15301f; --ok-text: #a8e6bc;
    --warn: #fbbc5c; --warn-soft: #37280f; --warn-text: #fdd79b;
    --shade: rgb(0 0 0 / .7);
    --s0: #56b4e9; --s1: #e69f00; --s2: #22bb90; --s3: #e09cc4; --s4: #f0e442; --s5: #e7eaee;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; overflow-wrap: break-word; }
main.wide { max-width: 72rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; letter-spacing: -.015em; margin: 0 0 .35rem; }
h2 { font-size: 1.2rem; letter-spacing: -.005em; margin: 2.75rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
.card > :is(h2, h3):first-child { margin-top: 0; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: .2rem solid var(--accent); outline-offset: .15rem; border-radius: .25rem; }
.quiet { color: var(--quiet); font-size: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
ul, ol { margin: 0 0 .75rem; padding-left: 1.2rem; }
li + li { margin-top: .4rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
footer ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
footer li + li { margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: 1.25rem; }
:is(h1, .card, section) + .card { margin-top: var(--gap); }
.card > :last-child, .notice > :last-child { margin-bottom: 0; }
summary { cursor: pointer; color: var(--accent); padding: .25rem 0; }
/* The ring of the focus is around the summary alone. */
details[open] > summary { margin-bottom: .4rem; }
`;

const CONTROLS = `
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0 0 2rem; padding: 0 0 .5rem;
  border-bottom: 1px solid var(--line); }
nav li + li { margin: 0; }
nav :is(a, li > button) { display: block; padding: .45rem .7rem; border: 0; border-radius: .5rem; background: none;
  color: var(--text); font: inherit; text-decoration: none; cursor: pointer; }
nav :is(a, li > button):hover { background: var(--hover); }
.languages ul { justify-content: flex-end; margin: 0 0 1rem; padding: 0; border: 0; font-size: .9rem; }
.languages :is(a, li > button) { padding: .6rem .5rem; }
nav :is(a, li > button)[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem;
  max-width: 72rem; margin: 0 auto; padding: .5rem 1rem 0; }
.top > nav { flex: 1 0 100%; order: 1; }
/* Its text ends where the line below ends. */
.top > form > .button { margin-right: -1rem; }
.top nav ul { margin: 0; }
.skip { position: absolute; top: .25rem; left: 1rem; z-index: 1; }
.skip:not(:focus) { clip-path: inset(50%); pointer-events: none; }
main:focus { outline: none; }
h1 + .notice { margin-top: 1rem; }
.card + :is(.after, nav) { margin-top: var(--gap); }
:where(.card, section, table, .scroll) + :is(p, ul, ol) { margin-top: var(--gap); }
.scroll + :is(pre, .scroll), .scroll + .reading { margin-top: var(--gap); }
.top + main { padding-top: 1.75rem; }
.titled { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.titled > .button { margin-right: -1rem; }
.titled + .card { margin-top: var(--gap); }
.who { flex: 1 1 12rem; margin: 0; overflow-wrap: anywhere; }
.button { display: inline-block; min-height: 2.6rem; padding: .5rem 1rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; font-weight: 600; line-height: 1.5;
  text-align: center; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--hover); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.danger { border-color: var(--risk); color: var(--risk); }
.button.danger:hover { background: var(--risk-soft); color: var(--risk-text); }
.button.quiet { border-color: transparent; background: none; color: var(--accent); font-size: 1rem; font-weight: 500; }
.actions > .button.quiet:first-child { margin-left: calc(-1rem - 1px); }
form > .button + .button { margin-top: .5rem; }
.button.quiet:hover { background: var(--hover); }
.button.primary:hover { filter: brightness(1.12); }
button:disabled { opacity: .55; cursor: not-allowed; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 1.25rem 0 .75rem; }
.actions form { margin: 0; }
.field { margin: 0 0 1.25rem; border: 0; padding: 0; min-width: 0; }
.field > legend, .label { display: block; font-weight: 600; margin-bottom: .3rem; padding: 0; }
.hint { color: var(--quiet); font-size: .9rem; margin: 0 0 .4rem; }
.error { color: var(--risk); font-size: .9rem; font-weight: 600; margin: .35rem 0 0; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
.problem { color: var(--risk); font-weight: 600; }
.problem:empty { margin: 0; }
.field > .problem:not(:empty) { margin: .35rem 0 0; }
[hidden] { display: none !important; }
input, select, textarea { max-width: 100%; font: inherit; font-weight: 400; color: var(--text); accent-color: var(--accent); }
:is(input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file]), select, textarea) {
  width: 100%; min-height: 2.6rem; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: .5rem;
  background: var(--card); }
textarea { min-height: 7rem; resize: vertical; }
:is(input, select, textarea):focus-visible { outline-offset: 0; border-radius: .5rem; }
:is(input, select, textarea)[aria-invalid=true] { border-color: var(--risk); box-shadow: 0 0 0 1px var(--risk); }
input[type=range] { width: 100%; }
::file-selector-button { margin-right: .75rem; padding: .45rem 1rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; font-weight: 600; cursor: pointer; }
.check { display: flex; gap: .6rem; align-items: baseline; margin: 0 0 .6rem; font-weight: 400; }
.check > label { font-weight: 400; margin: 0; }
.check > input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; translate: 0 .15rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 0 1rem;
  align-items: end; }
.fields > .field { display: grid; grid-template-rows: subgrid; grid-row: span 4; }
.fields > .field > .hint { grid-row: 2; }
.fields > .field > :is(input, select, textarea) { grid-row: 3; }
.fields > .field > :is(.error, .saved) { grid-row: 4; }
.notice { border: 1px solid var(--line); border-left: .3rem solid var(--accent); border-radius: .5rem;
  background: var(--accent-soft); padding: .8rem 1rem; margin: 0 0 1.25rem; }
.notice.ok { border-left-color: var(--ok); background: var(--ok-soft); color: var(--ok-text); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-soft); color: var(--warn-text); }
.notice.bad { border-left-color: var(--risk); background: var(--risk-soft); color: var(--risk-text); }
.notice[id], [tabindex="-1"] { scroll-margin-top: 5rem; }
/* A link to a field shows its label and its hints, too. */
:is(input, select, textarea)[id] { scroll-margin-top: 9rem; }
.notice a { color: inherit; }
.tag { display: inline-block; background: var(--risk-soft); color: var(--risk-text); border-radius: 1rem;
  padding: .05rem .6rem; font-size: .85rem; font-weight: 500; }
.tag.ok { background: var(--ok-soft); color: var(--ok-text); }
.tag.warn { background: var(--warn-soft); color: var(--warn-text); }
.tag.plain { background: var(--track); color: var(--text); }
/* What was recognised in a field. */
.found { list-style: none; padding: 0; margin: -.5rem 0 1rem; }
.found li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .35rem 0; margin: 0;
  border-bottom: 1px solid var(--line); }
.found li:last-child { border-bottom: 0; }
.found .value { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; font-weight: 600; }
.found select { width: auto; min-height: 2.2rem; padding: .2rem .5rem; }
.found .check { margin: 0; }
.found .wrong { color: var(--risk); font-size: .9rem; }
.found.typing .late { display: none; }
.lead { font-size: 1.15rem; font-weight: 600; }
/* The headline of an answer. */
.card > .verdict { font-size: 1.9rem; margin-bottom: .25rem; color: var(--risk-text); }
.card > .verdict.warn { color: var(--warn-text); }
.card > .verdict.ok { color: var(--ok-text); }
/* A hint about keys or commands. */
@media not all and (hover: hover) and (pointer: fine) { .by-keyboard { display: none; } }
p.by-keyboard { margin: .6rem 0 0; }
textarea[data-typed] { min-height: 2.6rem; max-height: 14rem; field-sizing: content; }
section.after:empty { display: none; }
code, .key { font-family: var(--mono); font-size: .92em; }
code { overflow-wrap: normal; }
.key { display: block; margin: 0 0 1rem; word-break: break-all; padding: .7rem .9rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--page); user-select: all; }
pre { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1rem;
  font: .88rem/1.5 var(--mono); }
pre code { font: inherit; overflow-wrap: normal; }
`;

/** The shadows of what scrolls lie below covers that move with the content, so a shadow shows where more is. */
const TABLES = `
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .5rem; }
th, td { text-align: left; vertical-align: baseline; padding: .6rem .75rem; border-bottom: 1px solid var(--line); }
:is(th, td):first-child { padding-left: 0; }
:is(th, td):last-child { padding-right: 0; }
thead th { color: var(--quiet); font-size: .85rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
.compact :is(th, td) { padding: .35rem .5rem; }
.compact :is(th, td):first-child { padding-left: 0; }
.compact :is(th, td):last-child { padding-right: 0; }
.dense :is(th, td) { padding: .25rem 0 .25rem 1.25rem; font-weight: 400; font-size: .9rem; text-align: right;
  white-space: nowrap; }
.dense :is(td, th):first-child { padding-left: 0; text-align: left; }
tbody tr:last-child > * { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
.scroll, pre { overflow-x: auto; background:
  linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) 0 0 / .8rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) 100% 0 / .8rem 100% no-repeat scroll, var(--card); }
.scroll > table { width: max-content; min-width: 100%; }
.scroll :is(th, td) { max-width: 18rem; }
td time, code.whole { white-space: nowrap; }
th > .said { display: block; min-width: 10rem; }
@media (max-width: 40rem) {
  main { padding-top: 1.5rem; }
  .card { padding: 1rem; }
  table.cards, .cards :is(tbody, tr, td, th[scope=row]), .cards > caption { display: block; }
  .cards > thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  .cards tbody tr:first-child { padding-top: 0; }
  .compact :is(th, td) { font-size: .9rem; }
  .compact :is(th, td):not(:first-child, :last-child) { padding: .35rem .2rem; }
  .compact thead th { font-size: .8rem; }
  .cards tbody tr:last-child { border-bottom: 0; padding-bottom: 0; }
  .cards :is(td, th[scope=row]) { border: 0; padding: .15rem 0; text-align: left; white-space: normal;
    overflow-wrap: anywhere; }
  .cards td[data-label] { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
    text-align: right; }
  .cards td time { white-space: normal; }
  .cards td:empty { display: none; }
  .cards td[data-label]::before { content: attr(data-label); flex: none; color: var(--quiet); font-size: .9rem;
    text-align: left; }
}
`;

const FIGURES = `
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 1.25rem; margin: 0 0 1rem; }
.figures dt { color: var(--quiet); font-size: .9rem; }
.figures dd { margin: 0; font-size: 2rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.figures.words { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
.figures dd, .tag { overflow-wrap: normal; }
.figures small { font-size: 1rem; font-weight: 400; color: var(--quiet); }
.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .4rem 1.25rem; margin: 0 0 1rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  .facts { display: block; }
  .facts dd + dt { margin-top: .6rem; }
}
meter {
  display: block; width: 100%; height: .5rem; margin-top: .4rem;
  appearance: none; border: 0; border-radius: 1rem; background: var(--track);
}
meter::-webkit-meter-bar { border: 0; border-radius: 1rem; background: var(--track); height: .5rem; }
meter::-webkit-meter-optimum-value { border-radius: 1rem; background: var(--accent); }
meter::-moz-meter-bar { border-radius: 1rem; background: var(--accent); }
meter.risk::-webkit-meter-optimum-value { background: var(--risk); }
meter.risk::-moz-meter-bar { background: var(--risk); }
.report header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-bottom: .5rem; }
.report header :is(h2, h3, h4) { margin: 0; }
.report header :is(h2, h3, h4)::first-letter { text-transform: uppercase; }
.card > .report { margin-top: 1rem; }
.card > .report > :last-child { margin-bottom: 0; }
.report > h3 { margin: 1.25rem 0 .35rem; }
.report .said { margin: 0 0 .5rem; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; overflow: clip; } .said.flat { white-space: normal; }
`;

/**
 * Charts are SVG in which classes give the colours, because the policy forbids attributes of style. Bars, dots and
 * areas have the colour --c. Models have the Okabe-Ito colours, which colour-blind readers can distinguish. `.plot`
 * fills its width and has its texts beside it; in `.drawing`, all texts grow if the drawing shrinks.
 */
const CHARTS = `
.s0 { --c: var(--s0) } .s1 { --c: var(--s1) } .s2 { --c: var(--s2) } .s3 { --c: var(--s3) } .s4 { --c: var(--s4) }
.s5 { --c: var(--s5) } .one, .speed { --c: var(--accent) } .two, .disputed { --c: var(--warn) }
.three, .added, .past { --c: var(--risk) } .faded { --c: var(--fade) } .track { --c: var(--track) }
figure { margin: 0; min-width: 0; }
svg { display: block; }
svg :is(rect, circle, .area, .band) { fill: var(--c); }
.past { opacity: .45; } .area { opacity: .55; } .band { opacity: .3; }
.rule { stroke: var(--line); } .base { stroke: var(--edge); }
.dot { stroke: var(--card); stroke-width: 1.2; }
svg .dot.open { fill: var(--card); stroke: var(--warn); stroke-width: 2.5; }
.bars { list-style: none; padding: 0; }
.bars > li + li { margin-top: 1rem; }
.bars p { margin: .25rem 0; }
.bars svg { border-radius: .2rem; }
.bar-name { display: flex; justify-content: space-between; gap: 1rem; }
.bar-name span { overflow-wrap: anywhere; font-weight: 600; }
.bar-name b { flex: none; }
.bar-sum { border-top: 1px solid var(--line); padding-top: .6rem; margin: 1rem 0 .75rem; }
.swatches { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
.swatches li { margin: 0; display: flex; align-items: center; gap: .4rem; }
.swatches svg { flex: none; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: .25rem .6rem; margin: 0 0 .75rem; }
.plot > p { margin: 0; }
.plot > .plot-name { grid-column: 1 / -1; margin-bottom: .25rem; }
.plot .plot-scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right;
  line-height: 1; font-size: .8rem; margin: -.35rem 0; }
.plot > svg + .plot-name { margin-top: .75rem; }
.plot .plot-ends { grid-column: 2; display: flex; justify-content: space-between; }
.sentences, .after { margin-top: 1rem; }
`;

/** Steps that open before a button, and lists of forms. */
const STEPS = `
.figures.small { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.figures.small dd { font-size: 1.4rem; }
.inline { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end; }
.inline .field { flex: 0 1 24rem; margin: 0; }
td summary { white-space: nowrap; }
td :is(.button, .tag) { white-space: nowrap; }
@media (max-width: 40rem) {
  summary { padding: .55rem 0; }
  td .confirm + .confirm { margin-top: .5rem; }
  nav ul { gap: 0; }
  nav :is(a, li > button) { padding: .7rem .35rem; font-size: .9rem; }
  .languages :is(a, li > button) { padding: .7rem .25rem; font-size: .85rem; }
  /* One line: the page is in this language. */
  .languages [aria-current] { display: none; }
  :is(.actions, .inline) > .button.quiet { margin-left: 0; padding-inline: 0; }
  .cards td.block[data-label] { display: block; text-align: left; }
  .cards td.block[data-label]::before { display: block; }
}
.card > table + p { margin-top: 1rem; }
.wide :is(.field, .found) { max-width: 40rem; }
.confirm[open] { border-left: .2rem solid var(--line); padding-left: .9rem; margin: .25rem 0 .75rem; }
table + :is(.confirm, .confirm[open]) { margin-top: var(--gap); }
.card > .confirm:first-child { margin-top: 0; }
.card > .confirm:last-child { margin-bottom: 0; }
.confirm > p { margin: .35rem 0 .75rem; max-width: 36rem; }
.more { margin: 0 0 1rem; } .more > .fields { margin-top: .5rem; }
.desk { display: grid; gap: 1.5rem; }
.desk > *, .case > * { min-width: 0; }
.desk > nav > ul { display: block; margin: 0; padding: 0; border: 0; }
.desk nav a { border-left: .2rem solid transparent; }
.desk nav a[aria-current] { border-color: var(--accent); font-weight: 400; color: inherit; }
.desk nav span { display: block; overflow-wrap: anywhere; }
.desk nav .line { font-weight: 600; }
.desk nav .line::first-letter { text-transform: uppercase; }
.desk nav .begins { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-size: .9rem; }
.desk .keys { display: none; }
.desk .keys .button { padding-inline: 0; text-align: left; }
/* Buttons that stay on the screen, above what they cover. On a phone, the page has room for them below its end. */
.bar { position: relative; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
/* The next case loads below the thumb: for a moment, a cover takes the taps that were meant for the case before. */
.desk .bar::after { content: ""; position: absolute; inset: 0; visibility: hidden; background: var(--card);
  opacity: .6; animation: guard .6s; }
/* Unlike the button that decides about the whole case. */
[data-alone] .button.primary { background: none; color: var(--accent); }
@keyframes guard { from, to { visibility: visible; } }
.bar > p { flex: 1 0 100%; margin: 0; }
.bar.screen { position: sticky; bottom: 0; background: var(--card); padding: .6rem 0; }
html:has(.bar:is(.screen, .phone)) { scroll-padding-bottom: 6rem; }
.undo { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; margin: 0 0 1rem; } .undo > p { margin: 0; }
td .undo { margin: .35rem 0 0; }
@media (max-width: 59.99rem) {
  .bar.phone { position: fixed; z-index: 1; inset: auto 0 0; padding: .6rem 1rem;
    background: var(--card); border-top: 1px solid var(--line); }
  .bar.phone > .button { flex: 1; }
  body:has(.bar.phone) { padding-bottom: 5rem; }
}
.case { display: grid; gap: 1rem 1.5rem; }
.case .figures { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem; }
.case section.after { margin-top: 1.75rem; }
.case h2 { margin-top: 0; }
.case details + h2 { margin-top: 1.5rem; }
@media (min-width: 60rem) {
  .desk { grid-template-columns: 14rem minmax(0, 1fr); align-items: start; }
  .desk > nav { grid-area: 1 / 1; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
  .desk > div { grid-area: 1 / 2; }
  .desk .keys { display: block; margin: 1rem .7rem; }
  .on-phone { display: none; }
  .case { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; }
}
ul.plain { list-style: none; padding: 0; }
ul.plain > li { border-top: 1px solid var(--line); padding: .75rem 0 .25rem; margin: 0; }
ul.plain p { margin: 0 0 .25rem; }
`;

const PRINT = `
@media print {
  :root { --page: #fff; --card: #fff; --text: #000; --quiet: #333; --line: #999; color-scheme: light; }
  main { padding: 0; max-width: none; }
  .card, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  nav, .actions { display: none; }
  a { color: inherit; }
  a[data-printed]::after { content: " (" attr(data-printed) ")"; overflow-wrap: anywhere; }
  :is(.sentences, .miss)::details-content { content-visibility: visible; display: block; height: auto; }
  details:not(.sentences, .miss, [open]) { display: none; }
  svg, .tag, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}`;

/** The style of all pages. A page adds what it alone needs; the hash of both is in its policy. */
export const STYLE = BASE + CONTROLS + TABLES + FIGURES + CHARTS + STEPS + PRINT;

/** The address of the icon of all pages, a red flag. It has no double quotes, so it can be an attribute as it is. */
export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  "<path d='M3 1h1.6v14H3z' fill='%23828b96'/><path d='M5 1.5h9l-2.4 3.6L14 8.7H5z' fill='%23c5221f'/></svg>";

/** What only the report of the lab needs. Its charts are in one grid of columns, on white. */
export const LAB_STYLE = `
body { background: var(--card); font-variant-numeric: tabular-nums lining-nums; }
main.wide { max-width: 74rem; }
section { margin-top: 3.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
section > h2 { font-size: 1.5rem; margin: 0 0 .35rem; }
figure > h3 { margin: 0 0 .5rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.25rem; }
.brand svg { width: 14px; height: 16px; } .pole { stroke: var(--quiet); stroke-width: 1.6; } .flag { fill: var(--risk); }
h1 { font-size: clamp(1.75rem, 4.4vw, 2.75rem); line-height: 1.12; margin: 0 0 1rem; overflow-wrap: anywhere; }
.lead { font-size: clamp(1.1rem, 2vw, 1.35rem); line-height: 1.4; margin: 0 0 1.75rem; max-width: 40em; }
.name-of { display: inline-block; max-width: 100%; }
.reading, figcaption { color: var(--quiet); font-size: .9rem; max-width: 78ch; margin: 0; text-wrap: pretty; }
section > .reading { margin-bottom: 1.5rem; } .reading + .notice { margin-top: 1.25rem; }
figcaption { margin: .5rem 0 0; } .grid + .reading { margin: 1.25rem 0 .5rem; }
.figures { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); align-items: end; }
.figures dd { font-size: 1.4rem; }
small { font-size: .8rem; color: var(--quiet); } .figures.small small { display: block; }
h1, h3, h4, th, dt, li, summary, .name-of, .quiet { overflow-wrap: anywhere; }

.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 310px), 1fr)); gap: 2.5rem 2rem;
  align-items: start; }
h2 + .grid { margin-top: 1.25rem; }
.grid .swatches { margin: .25rem 0 0; }
:is(h3, h4) > .quiet { font-weight: 400; }
.scrolls { display: none; color: var(--quiet); font-size: .8rem; margin: 0 0 .4rem; text-align: right; }
.models { min-width: 50rem; table-layout: fixed; }
.models :is(th, td) { vertical-align: top; padding: .75rem 0 .75rem 1.75rem; }
.models th:first-child { width: 21%; }
:is(.models, .standings) th:first-child { white-space: normal; min-width: 9em; max-width: 22em; padding-left: 0;
  position: sticky; left: 0; z-index: 1; background: var(--card); }
.models thead th { color: var(--text); white-space: normal; } .models thead span { font-weight: 400; }
.models :is(thead span, small) { display: block; }
.models td :is(strong, .plain) { font-size: 1.25rem; line-height: 1.2; }
.models td strong { font-weight: 750; } .models .plain { color: var(--quiet); }
.ignorant :is(th, td) { color: var(--quiet); font-weight: 400; font-size: .9rem; }
.strip { width: 100%; max-width: 120px; height: 12px; margin-top: .25rem; }
.swatch { display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: var(--c);
  margin-right: .5rem; }
.advice { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 1rem 1.5rem;
  margin: 0 0 2rem; }
.advice > .card { border-top: 3px solid var(--s0); margin: 0; }
.verdicts { margin: 1.5rem 0; max-width: 78ch; }

.drawing { width: 100%; max-width: 480px; height: auto; overflow: visible; }
.drawing text { font-size: 12px; fill: var(--text); }
.drawing :is(.tick, .name, .note) { fill: var(--quiet); }
.drawing .strong { fill: var(--text); font-weight: 700; }
.drawing :is(.note, .of) { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
.drawing .value { font-weight: 700; }
.truth { stroke: var(--text); stroke-width: 1.2; } .mark { stroke-dasharray: 4 3; }
.ignorance { stroke: var(--edge); stroke-width: 1; stroke-dasharray: 1 3; stroke-linecap: round; }
.curve { fill: none; stroke: var(--c); stroke-linejoin: round; stroke-linecap: butt; }
.curve.faint { stroke-width: 1.4; opacity: .45; }
.whisker { stroke: var(--c); stroke-width: 2; } .strip .whisker { stroke-width: 5; opacity: .4; }
.strip .dot { stroke: none; }
svg .zeros { fill: var(--edge); opacity: .6; } .tear { fill: var(--card); }

.miss { border-top: 1px solid var(--line); padding: .5rem 0; }
.miss summary { color: inherit; } .miss summary > .quiet { float: right; }
.miss summary::after { content: ""; display: block; clear: both; }
.miss :is(ul, p) { margin: .5rem 0 .25rem; padding-left: 1.25rem; font-size: .9rem; color: var(--quiet); }
@media (max-width: 520px) {
  .drawing text { font-size: 13.5px; }
  section { margin-top: 2.5rem; }
  .figures { grid-template-columns: repeat(4, 1fr); gap: .9rem .6rem; }
  .figures dd { font-size: 1.2rem; } .figures dt { font-size: .8rem; line-height: 1.3; }
  .scrolls { display: block; }
  .models th:first-child { width: 132px; }
  .models :is(th, td) { padding-left: 1.25rem; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 12px; } section { margin-top: 24px; padding-top: 12px; }
  figure, .miss, .figures, .advice > .card { break-inside: avoid; } .reading { break-after: avoid; }
  .grid { grid-template-columns: repeat(2, 1fr); gap: 24px; } .misses { display: block; }
  .misses > div { margin-bottom: 16px; }
  .scroll { overflow: visible; } .models { min-width: 0; font-size: 12px; }
  .models :is(th, td) { padding-left: 12px; } .models th:first-child { position: static; }
  .scrolls { display: none; } .advice { grid-template-columns: repeat(3, 1fr); }
}`;
