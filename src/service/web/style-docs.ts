import { toStyle, type PageStyle } from './document.tsx';
import { LANGUAGES } from './samples.ts';

/** The parts of the page of the protocol: contents, code, tables, and a choice of languages that needs no script. */
export const DOCS_STYLE: PageStyle = toStyle(`
.docs h2 { scroll-margin-top: 1rem; }
.docs > .text > h2:first-child { margin-top: .5rem; }
.docs h3 { margin: 2rem 0 .5rem; font-size: 1.02rem; scroll-margin-top: 1rem; }
.docs p, .docs li { max-width: 46rem; }
.docs > * > ul, .docs .text > ul { margin-bottom: .75rem; }
.docs code { font: .88em/1.5 var(--mono); overflow-wrap: anywhere; }
.docs :not(pre) > code { background: var(--track); border-radius: .3rem; padding: .1em .3em; }
.docs pre {
  margin: 0 0 1rem; padding: .9rem 1rem; overflow-x: auto; tab-size: 2;
  border: 1px solid var(--line); border-radius: var(--round);
}
.docs pre code { overflow-wrap: normal; }
.docs table { border-collapse: collapse; font-size: .92rem; min-width: 100%; }
.docs th, .docs td { text-align: left; vertical-align: top; padding: .45rem .7rem; border-bottom: 1px solid var(--line); }
.docs th { border-bottom-width: 2px; }
.docs td code { overflow-wrap: normal; }
.docs .contents ul { display: block; border: 0; margin: 0; padding: 0; }
.docs .contents li + li { margin-top: .3rem; }
.docs .contents ul ul { margin: .3rem 0 .6rem .9rem; font-size: .9rem; }
.docs .contents a { padding: .1rem 0; color: var(--accent); }
.docs .contents a:hover { background: none; text-decoration: underline; }
.docs .contents h2 { margin: 0 0 .5rem; font-size: 1rem; }
.sample { position: relative; }
.sample pre { padding-top: 2.6rem; }
.sample button {
  position: absolute; top: .5rem; right: .5rem; padding: .2rem .7rem; border-radius: .5rem;
  font: inherit; font-size: .85rem; cursor: pointer;
  color: var(--accent); background: var(--page); border: 1px solid var(--line);
}
.values { margin-bottom: 1.5rem; }
.values .all { grid-column: 1 / -1; }
.languages { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.5rem 0 .5rem; padding: 0; border: 0; }
.languages legend { padding: 0; margin-bottom: .4rem; font-weight: 600; }
.languages input { position: absolute; width: 1px; height: 1px; opacity: 0; }
.languages label {
  margin: 0; padding: .35rem .9rem; font-weight: 500; cursor: pointer;
  background: var(--card); border: 1px solid var(--line); border-radius: 2rem;
}
.languages input:checked + label { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.languages input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
@supports selector(:has(*)) {
  .samples > section { display: none; }
  ${Object.keys(LANGUAGES)
    .map((language) => `.samples:has(#in-${language}:checked) > .${language}`)
    .join(', ')} { display: block; }
}
@media (max-width: 59.99rem) {
  .docs .contents ul ul { display: none; }
  .docs > .text > h2:first-child { margin-top: 2.5rem; }
}
@media (min-width: 60rem) {
  .docs { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
  .docs > header { grid-column: 1 / -1; }
  .docs .contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: var(--gap); margin: 2rem 0; }
.ways .card + .card { margin-top: 0; }
.ways h2 { margin-top: 0; }`);
