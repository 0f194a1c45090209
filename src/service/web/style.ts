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
 * - `.bars` and `.plot` hold pictures of numbers: SVG with places in percent, and classes for colours.
 * - `.quiet` is small print, `.unseen` is for screen readers only, `.key` is text to copy as a whole.
 */
const BASE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1a1d21; --quiet: #575f69; --line: #dde1e7; --edge: #828b96;
  --accent: #0b57d0; --on-accent: #fff; --accent-soft: #e8f0fe; --hover: #eef1f5; --track: #e6e9ee; --fade: #e9b8b4;
  --risk: #b3261e; --on-risk: #fff; --risk-soft: #fdecea; --risk-text: #8c1d18;
  --ok: #1b7340; --ok-soft: #e6f4ea; --ok-text: #14532d;
  --warn: #b06000; --warn-soft: #fef3e0; --warn-text: #6b3c00;
  --shade: rgb(15 23 42 / .22);
  --gap: 1rem; --round: .75rem; --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #111417; --card: #1a1e22; --text: #e7eaee; --quiet: #a3abb5; --line: #2d333a; --edge: #78828d;
    --accent: #8ab4f8; --on-accent: #0b1d3a; --accent-soft: #1b2b45; --hover: #252b31;
    --track: #2a3037; --fade: #6b413e;
    --risk: #ff8a80; --on-risk: #3b0906; --risk-soft: #3b1c1a; --risk-text: #ffb4ab;
    --ok: #6dd58c; --ok-soft: #15301f; --ok-text: #a8e6bc;
    --warn: #fbbc5c; --warn-soft: #37280f; --warn-text: #fdd79b;
    --shade: rgb(0 0 0 / .7);
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
:is(h1, .card) + .card { margin-top: var(--gap); }
.card > :last-child, .notice > :last-child { margin-bottom: 0; }
summary { cursor: pointer; color: var(--accent); padding: .25rem 0; }
`;

const CONTROLS = `
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0 0 2rem; padding: 0 0 .5rem;
  border-bottom: 1px solid var(--line); }
nav li + li { margin: 0; }
nav a { display: block; padding: .45rem .7rem; border-radius: .5rem; color: var(--text); text-decoration: none; }
nav a:hover { background: var(--hover); }
nav a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.bar { max-width: 72rem; margin: 0 auto; padding: 1rem 1rem 0; }
.bar nav ul { margin: 0; }
h1 + .notice { margin-top: 1rem; }
.card + .after { margin-top: var(--gap); }
.bar + main { padding-top: 1.75rem; }
.who { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 1rem;
  margin-bottom: .25rem; overflow-wrap: anywhere; }
.button { display: inline-block; min-height: 2.6rem; padding: .5rem 1rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; font-weight: 600; line-height: 1.5;
  text-align: center; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--hover); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.danger { border-color: var(--risk); color: var(--risk); }
.button.danger:hover { background: var(--risk-soft); color: var(--risk-text); }
.button.quiet { border-color: transparent; background: none; color: var(--accent); font-size: 1rem; font-weight: 500; }
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
[hidden] { display: none !important; }
input, select, textarea { max-width: 100%; font: inherit; font-weight: 400; color: var(--text); accent-color: var(--accent); }
:is(input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file]), select, textarea) {
  width: 100%; min-height: 2.6rem; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: .5rem;
  background: var(--card); }
textarea { min-height: 7rem; resize: vertical; }
:is(input, select, textarea):focus-visible { outline-offset: 0; border-radius: .5rem; }
:is(input, select, textarea)[aria-invalid=true] { border-color: var(--risk); box-shadow: 0 0 0 1px var(--risk); }
input[type=range] { width: 100%; }
.check { display: flex; gap: .6rem; align-items: baseline; margin: 0 0 .6rem; font-weight: 400; }
.check > label { font-weight: 400; margin: 0; }
.check > input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; translate: 0 .15rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 0 1rem;
  align-items: end; }
.fields > .field { display: grid; grid-template-rows: subgrid; grid-row: span 4; }
.fields > .field > .hint { grid-row: 2; }
.fields > .field > :is(input, select, textarea) { grid-row: 3; }
.fields > .field > .error { grid-row: 4; }
.notice { border: 1px solid var(--line); border-left: .3rem solid var(--accent); border-radius: .5rem;
  background: var(--accent-soft); padding: .8rem 1rem; margin: 0 0 1.25rem; }
.notice.ok { border-left-color: var(--ok); background: var(--ok-soft); color: var(--ok-text); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-soft); color: var(--warn-text); }
.notice.bad { border-left-color: var(--risk); background: var(--risk-soft); color: var(--risk-text); }
.notice a { color: inherit; }
.tag { display: inline-block; background: var(--risk-soft); color: var(--risk-text); border-radius: 1rem;
  padding: .05rem .6rem; font-size: .85rem; font-weight: 500; }
.tag.ok { background: var(--ok-soft); color: var(--ok-text); }
.tag.warn { background: var(--warn-soft); color: var(--warn-text); }
.tag.plain { background: var(--track); color: var(--text); }
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
.dense :is(th, td) { padding-top: .25rem; padding-bottom: .25rem; font-weight: 400; font-size: .9rem; }
tbody tr:last-child > * { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
.scroll, pre { overflow-x: auto; background:
  linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) 0 0 / .8rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) 100% 0 / .8rem 100% no-repeat scroll, var(--card); }
.scroll > table { width: max-content; min-width: 100%; }
.scroll :is(th, td) { max-width: 18rem; }
td time { white-space: nowrap; }
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
.report > h3 { margin: 1.25rem 0 .35rem; }
.report .said { margin: 0 0 .5rem; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** Charts, and steps that open before a button. */
const PANEL = `
.chart { margin: 0 0 1rem; }
.chart figcaption { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; margin-bottom: .5rem; }
.chart figcaption .quiet { margin-left: auto; }
.chart .legend { display: inline-flex; gap: .45rem; align-items: center; font-size: .9rem; }
.chart > svg { display: block; border-bottom: 1px solid var(--edge); }
.chart .one { fill: var(--accent); }
.chart .two { fill: var(--warn); }
.chart .three { fill: var(--risk); }
.chart .axis { display: flex; justify-content: space-between; margin: .25rem 0 .5rem; }
.figures.small { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.figures.small dd { font-size: 1.4rem; }
.inline { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end; }
.inline .field { flex: 0 1 24rem; margin: 0; }
td summary { white-space: nowrap; padding: 0; }
td :is(.button, .tag) { white-space: nowrap; }
.chart :is(td, th) { padding: .35rem .5rem; }
.chart .scroll > table { width: 100%; }
@media (max-width: 40rem) {
  .cards td.block[data-label] { display: block; text-align: left; }
  .cards td.block[data-label]::before { display: block; }
}
.card > table + p { margin-top: 1rem; }
.wide .field { max-width: 40rem; }
.confirm[open] { border-left: .2rem solid var(--line); padding-left: .9rem; margin: .25rem 0 .75rem; }
.confirm > p { margin: .35rem 0 .75rem; max-width: 36rem; }
ul.plain { list-style: none; padding: 0; }
ul.plain > li { border-top: 1px solid var(--line); padding: .75rem 0 .25rem; margin: 0; }
ul.plain p { margin: 0 0 .25rem; }
`;

/** Pictures of numbers are SVG in which classes give the colours: the policy forbids attributes of style. */
const PICTURES = `
svg { display: block; }
svg .track { fill: var(--track); }
svg .added { fill: var(--risk); }
svg .past { fill: var(--risk); opacity: .45; }
svg .faded { fill: var(--fade); }
svg .disputed { fill: var(--warn); }
svg .grid { stroke: var(--line); }
svg .dot { fill: var(--risk); fill-opacity: .75; stroke: var(--card); }
svg .dot.open { fill: var(--card); fill-opacity: 1; stroke: var(--warn); stroke-width: 2.5; }
.bars { list-style: none; padding: 0; }
.bars > li + li { margin-top: 1rem; }
.bars p { margin: .25rem 0; }
.bar-name { display: flex; justify-content: space-between; gap: 1rem; }
.bar-name span { overflow-wrap: anywhere; font-weight: 600; }
.bar-name b { flex: none; }
.bar-sum { border-top: 1px solid var(--line); padding-top: .6rem; margin: 1rem 0 .75rem; }
.swatches { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
.swatches li { margin: 0; display: flex; align-items: center; gap: .4rem; }
figure { margin: 0; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: .25rem .6rem; margin: 0 0 .75rem; }
.plot > p { margin: 0; }
.plot > .plot-name { grid-column: 1 / -1; margin-bottom: .25rem; }
.plot .plot-scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right;
  line-height: 1; font-size: .8rem; margin: -.35rem 0; }
.plot > svg + .plot-name { margin-top: .75rem; }
.plot .plot-ends { grid-column: 2; display: flex; justify-content: space-between; }
.sentences, .after { margin-top: 1rem; }
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
  .sentences::details-content { content-visibility: visible; display: block; height: auto; }
  details:not(.sentences, [open]) { display: none; }
  svg, .tag { print-color-adjust: exact; }
}`;

/** The text of the style. Its hash is in the policy of every page. */
export const STYLE = BASE + CONTROLS + TABLES + FIGURES + PANEL + PICTURES + PRINT;
