/**
 * Colours of the page. Models have the Okabe-Ito colours, which colour-blind readers can distinguish. On white, pale
 * colours are darker. The dark theme is for screens only, so paper is white.
 */
const COLOURS = `
:root { color-scheme: light dark;
  --paper: #fffefb; --ink: #1b1d21; --soft: #575c64; --hair: #e6e3dc; --axis: #8f9299; --zero: #b9bbbf; --flag: #c4122f;
  --shade: rgb(27 29 33 / .28);
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #b75d91; --s4: #a87400; --s5: #1b1d21; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #15171a; --ink: #e9e7e2; --soft: #a4a8af; --hair: #2b2e33; --axis: #767b83; --zero: #5d626a; --flag: #ff5a6e;
  --shade: rgb(0 0 0 / .8);
  --s0: #56b4e9; --s1: #e69f00; --s2: #22bb90; --s3: #e09cc4; --s4: #f0e442; --s5: #e9e7e2; } }
@media print { :root { --paper: #fff; color-scheme: light; } }
.s0 { --c: var(--s0) } .s1 { --c: var(--s1) } .s2 { --c: var(--s2) } .s3 { --c: var(--s3) } .s4 { --c: var(--s4) }
.s5 { --c: var(--s5) }
`;

/** Type and layout. All charts are in one grid of columns. If a drawing shrinks, its text grows. */
const LAYOUT = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere;
}
main { max-width: 1180px; margin: 0 auto; padding: 40px 24px 72px; }
h1, h2, .lead {
  font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, "Liberation Serif", serif;
  font-weight: 600; text-wrap: balance;
}
h1 {
  font-size: clamp(28px, 4.4vw, 44px); line-height: 1.12; letter-spacing: -.015em; margin: 0 0 16px; max-width: 24em;
}
h2 { font-size: 26px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -.01em; }
h3 { font-size: 16px; line-height: 1.3; font-weight: 650; margin: 0 0 8px; }
section { margin-top: 56px; padding-top: 20px; border-top: 1px solid var(--hair); }
.mark { display: flex; align-items: center; gap: 8px; margin: 0 0 20px; font-size: 14px; color: var(--soft); }
.mark svg { width: 14px; height: 16px; } .pole { stroke: var(--soft); stroke-width: 1.6; } .flag { fill: var(--flag); }
.lead {
  font-weight: 400; font-size: clamp(18px, 2vw, 22px); line-height: 1.4; margin: 0 0 28px; max-width: 40em;
  text-wrap: pretty;
}
.reading, figcaption { color: var(--soft); font-size: 14.5px; max-width: 78ch; margin: 0; text-wrap: pretty; }
.warning {
  border-left: 3px solid var(--flag); padding-left: 12px; margin: 16px 0 0; font-size: 15px; max-width: 76ch;
  text-wrap: pretty;
}
section > .reading { margin-bottom: 24px; }
figcaption { margin-top: 8px; }
.name-of { display: inline-block; max-width: 100%; }
.aside, small { font-weight: 400; font-size: 13px; color: var(--soft); }

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(104px, 1fr)); gap: 16px 20px; margin: 0 0 20px; }
.facts div {
  display: flex; flex-direction: column-reverse; justify-content: flex-end; border-top: 2px solid var(--ink);
  padding-top: 8px;
}
.facts dt { font-size: 13px; line-height: 1.3; color: var(--soft); }
.facts dd { margin: 0; font-size: 22px; line-height: 1.25; font-weight: 600; white-space: nowrap; }

.grid {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 310px), 1fr)); gap: 40px 32px;
  align-items: start;
}
h2 + .grid { margin-top: 20px; }
.part + .part { margin-top: 36px; }
.grid.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); gap: 28px 24px; }
.small .chart { max-width: 280px; }
h4 { font-size: 14.5px; line-height: 1.3; font-weight: 650; margin: 0 0 8px; } h4 .aside { display: block; }
.few { color: var(--soft); font-size: 14.5px; margin: 0; }
.standings th:first-child {
  white-space: normal; min-width: 9em; max-width: 22em; position: sticky; left: 0; background: var(--paper);
  overflow-wrap: anywhere;
}
.scroll + .rest { margin-top: 10px; }
figure { margin: 0; min-width: 0; }

.scroll { overflow-x: auto; max-width: 100%; background:
  linear-gradient(to right, var(--paper) 40%, transparent) 0 0 / 40px 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) 100% 0 / 40px 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) 0 0 / 12px 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) 100% 0 / 12px 100% no-repeat scroll; }
.scrolls { display: none; color: var(--soft); font-size: 13px; margin: 0 0 6px; text-align: right; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--s0); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 14px; }
th, td {
  text-align: right; padding: 5px 0 5px 20px; white-space: nowrap; border-bottom: 1px solid var(--hair);
  font-weight: 400; overflow-wrap: normal;
}
th:first-child { text-align: left; padding-left: 0; }
thead th { border-bottom-color: var(--axis); color: var(--soft); vertical-align: bottom; }
caption { text-align: left; color: var(--soft); font-size: 13px; padding: 6px 0; }
.models { width: 100%; min-width: 800px; table-layout: fixed; font-size: 15px; }
.models th, .models td { vertical-align: top; padding: 12px 0 12px 28px; text-align: left; }
.models th:first-child {
  width: 21%; padding-left: 0; white-space: normal; position: sticky; left: 0; z-index: 1; background: var(--paper);
  overflow-wrap: anywhere;
}
.models thead th { white-space: normal; padding-bottom: 8px; color: var(--ink); font-weight: 650; }
.models thead .aside, .models small { display: block; }
.models tbody th { font-weight: 650; padding-top: 14px; }
.models td strong, .models td .plain { font-size: 20px; line-height: 1.2; }
.models td strong { font-weight: 750; } .models .plain, .none { color: var(--soft); }
.models .ignorant th, .models .ignorant td {
  color: var(--soft); font-weight: 400; padding-top: 10px; padding-bottom: 10px; border-bottom: 0; font-size: 14px;
}
.strip { display: block; width: 100%; max-width: 120px; height: 12px; margin-top: 4px; }
.swatch {
  display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: var(--c); margin-right: 8px;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}

.advice { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 16px 24px;
  margin: 0 0 32px; }
.advice > div { border: 1px solid var(--hair); border-top: 3px solid var(--s0); border-radius: 6px;
  padding: 16px 18px; }
.advice p { margin: 0 0 6px; } .advice > div > :last-child { margin-bottom: 0; }
.plain-words { font-size: 17px; text-wrap: pretty; }
.verdicts { margin: 24px 0 0; padding-left: 20px; max-width: 78ch; }
.grid + .reading { margin-top: 24px; }

.chart { display: block; width: 100%; max-width: 480px; height: auto; overflow: visible; }
.chart text { font-size: 12px; fill: var(--ink); }
.chart .tick, .chart .name, .chart .note { fill: var(--soft); }
.chart .strong { fill: var(--ink); font-weight: 700; }
.chart .note, .key text { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.chart .first, .chart .value { font-weight: 700; }
.chart .of { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.rule { stroke: var(--hair); } .base { stroke: var(--axis); } .truth { stroke: var(--ink); stroke-width: 1.2; }
.ignorance { stroke: var(--axis); stroke-width: 1; stroke-dasharray: 1 3; stroke-linecap: round; }
.line { fill: none; stroke: var(--c); stroke-linejoin: round; stroke-linecap: butt; }
.line.faint { stroke-width: 1.4; opacity: .45; }
.key line { stroke: var(--c); }
.whisker { stroke: var(--c); stroke-width: 2; } .strip .whisker { stroke-width: 5; opacity: .4; }
.strip .dot { stroke: none; } .track { stroke: var(--hair); }
.area { fill: var(--c); opacity: .55; } .band { fill: var(--c); opacity: .3; } .mark { stroke-dasharray: 4 3; }
.dot { fill: var(--c); stroke: var(--paper); stroke-width: 1.2; }
.bar, .ones { fill: var(--c); } .zeros { fill: var(--zero); } .tear { fill: var(--paper); }
@media (max-width: 520px) { .chart text { font-size: 13.5px; } }

summary { cursor: pointer; }
.numbers { margin-top: 10px; font-size: 14px; }
.numbers summary { color: var(--soft); font-size: 13px; width: fit-content; }
.misses h3 { margin-bottom: 4px; }
.miss { border-top: 1px solid var(--hair); padding: 9px 0; font-size: 15px; }
.miss .aside { float: right; } .miss summary::after { content: ""; display: block; clear: both; }
.miss .one { color: var(--flag); } .miss .label { font-weight: 650; }
.miss ul, .miss p { margin: 8px 0 4px; padding-left: 20px; font-size: 14.5px; color: var(--soft); }
.miss li { margin: 3px 0; }

@media (max-width: 520px) {
  main { padding: 24px 16px 48px; }
  section { margin-top: 40px; }
  .facts { grid-template-columns: repeat(4, 1fr); gap: 14px 10px; }
  .scrolls { display: block; }
  .models th:first-child { width: 132px; }
  .models th, .models td { padding-left: 20px; }
  .facts dd { font-size: 19px; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 12px; } main { padding: 0; max-width: none; } section { margin-top: 24px; padding-top: 12px; }
  figure, .miss, tr, .facts { break-inside: avoid; } h2, h3, .reading { break-after: avoid; }
  .grid { grid-template-columns: repeat(2, 1fr); gap: 24px; } .misses { display: block; }
  .misses > div { margin-bottom: 16px; }
  .scroll { overflow: visible; } .models { min-width: 0; font-size: 12px; }
  .models th, .models td { padding-left: 12px; } .models th:first-child { position: static; }
  .numbers:not([open]) { display: none; }
  .miss::details-content { content-visibility: visible; display: block; height: auto; }
  .scrolls { display: none; } .advice { grid-template-columns: repeat(3, 1fr); } .advice > div { break-inside: avoid; }
  .chart, .area, .band, .dot, .bar, .ones, .zeros { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

export const STYLE = COLOURS + LAYOUT;
