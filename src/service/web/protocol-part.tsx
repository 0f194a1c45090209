import { OFFENCE_TYPES } from '../../core/domain/report.ts';
import type { Service, ServiceRules } from '../../core/engine/service.ts';
import type { HttpReply } from '../../core/http/exchange.ts';
import { toBody } from '../../core/http/long-bodies.ts';
import { replyWithPage, type Page } from '../../core/http/pages.ts';
import { toPage, toStyle, type PageStyle } from './document.tsx';
import { createUnpack } from './packed.ts';
import { Labelled } from './parts.tsx';
import type { Part, PublicPlace } from './part.ts';
import { PROTOCOL } from './guides.generated.ts';
import { LANGUAGES, PLACEHOLDERS, toSample, type Language, type SampleAction, type SampleValues } from './samples.ts';
import { addressOfScript } from './scripts.ts';
import { withoutTrailing } from '../../core/domain/text.ts';

/** If a service does not describe itself. */
const NO_RULES: Pick<ServiceRules, 'publicUrl' | 'offenceTypes'> = {
  publicUrl: 'https://reports.example',
  offenceTypes: OFFENCE_TYPES,
};

const ACTIONS: Readonly<Record<SampleAction, string>> = {
  query: 'Query an identifier',
  report: 'Report an identifier',
  delete: 'Delete a report',
};

/**
 * Answers `/docs` and `/docs/`: how a program talks to this service, with samples that the visitor fills in. Not in the
 * classic dialect: the samples read the replies of the specification.
 */
export function createProtocolPart(service: Service, hasPanel: boolean): Part {
  /** The last reply: every visitor gets the same page, of some 95 kB. */
  let last: { readonly name: string; readonly reply: HttpReply } | undefined;
  const answer = async (place: PublicPlace): Promise<HttpReply> => {
    const described = await service.describe?.();
    const { publicUrl, offenceTypes } = described?.ok ? described.value : NO_RULES;
    const name = JSON.stringify([publicUrl, offenceTypes, place.basePath, place.operator]);
    if (last?.name !== name) {
      const page = await toProtocolPage({ publicUrl, offenceTypes }, place, hasPanel);
      last = { name, reply: { ...replyWithPage(page), body: toBody(page.html) } };
    }
    return last.reply;
  };
  return ({ method }, { path, ...place }) =>
    place.dialect !== 'classic' && (path === '/docs' || path === '/docs/') && (method === 'GET' || method === 'HEAD')
      ? answer(place)
      : undefined;
}

const unpack = createUnpack(PROTOCOL.gzip);

async function toProtocolPage(
  { publicUrl, offenceTypes }: typeof NO_RULES,
  { basePath, operator }: PublicPlace,
  hasPanel: boolean,
): Promise<Page> {
  const values = { ...PLACEHOLDERS, baseUrl: withoutTrailing(publicUrl, '/'), type: offenceTypes[0]! };
  return toPage(
    'Protocol',
    <div class="docs">
      <header>
        <p>
          <a href={`${basePath}/`}>About this service</a>
        </p>
        <h1>Use this service from a program</h1>
        <p>
          Ask what is reported about a person before you accept an order, report fraud, and delete your reports. The
          samples need an API key. <WhereKeysAre hasPanel={hasPanel} />
        </p>
        <p>
          Programs can also read <a href={`${basePath}/openapi.json`}>the OpenAPI document</a>.
        </p>
      </header>
      <Contents />
      <div class="text">
        <Samples values={values} />
        <h2 id="protocol">Protocol</h2>
        <div class="text" dangerouslySetInnerHTML={{ __html: await unpack() }} />
      </div>
    </div>,
    { scripts: [addressOfScript('docs', basePath)], wide: true, style: DOCS_STYLE, operator },
  );
}

/** Says how a shop gets an API key. */
export function WhereKeysAre({ hasPanel }: { readonly hasPanel: boolean }) {
  return (
    <>
      The operator of this service gives you one
      {hasPanel && ', or a link to sign in to the panel, where you create keys under Keys'}.
    </>
  );
}

function Contents() {
  const chapters = PROTOCOL.headings.filter(({ level }) => level === 2);
  return (
    <nav class="contents card" aria-label="Contents">
      <h2>Contents</h2>
      <ul>
        <li>
          <a href="#samples">Samples</a>
        </li>
        {chapters.map((chapter, at) => {
          const from = PROTOCOL.headings.indexOf(chapter) + 1;
          const next = chapters[at + 1];
          const sections = PROTOCOL.headings.slice(from, next && PROTOCOL.headings.indexOf(next));
          return (
            <li key={chapter.id}>
              <Link {...chapter} />
              {sections.length > 0 && (
                <ul>
                  {sections.map((section) => (
                    <li key={section.id}>
                      <Link {...section} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Link({ id, text }: { readonly id: string; readonly text: string }) {
  return <a href={`#${id}`}>{text}</a>;
}

function Samples({ values }: { readonly values: SampleValues }) {
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  return (
    <>
      <h2 id="samples">Samples</h2>
      <Values values={values} />
      <div class="samples">
        <fieldset class="languages">
          <legend>Language</legend>
          {languages.map(([language, name]) => (
            <span key={language}>
              <input type="radio" name="language" id={`in-${language}`} checked={language === 'curl'} />
              <label for={`in-${language}`}>{name}</label>
            </span>
          ))}
        </fieldset>
        {languages.map(([language, name]) => (
          <section key={language} class={language} aria-label={name}>
            {Object.entries(ACTIONS).map(([action, title]) => (
              <div key={action}>
                <h3>{title}</h3>
                <div class="sample">
                  <pre tabIndex={0}>
                    <code data-language={language} data-action={action}>
                      {toSample(language, action as SampleAction, values)}
                    </code>
                  </pre>
                </div>
              </div>
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

/** The form is for its script alone, which shows it: nothing is sent. */
function Values({ values: { baseUrl, type } }: { readonly values: SampleValues }) {
  const { kind, text } = PLACEHOLDERS;
  const code = { autocapitalize: 'off', spellcheck: false } as const;
  return (
    <form id="values" class="fields values" autocomplete="off" hidden data-type={type}>
      <p class="all">
        Fill in your own values, and copy a sample. They stay in this page: nothing is sent or stored. Run the samples
        on your server, because an API key must not be in a web page.
      </p>
      <Labelled id="base-url" label="Base address">
        <input type="url" value={baseUrl} {...code} />
      </Labelled>
      <Labelled id="api-key" label="API key">
        <input {...code} />
      </Labelled>
      <Labelled id="kind" label="Kind of identifier">
        <input value={kind} list="kinds" {...code} />
      </Labelled>
      <datalist id="kinds">
        {['email', 'phone', 'ip', 'domain'].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Labelled
        id="hash"
        label="Hash of the identifier"
        hint={
          <>
            40 hex characters. <a href="#23-hashed-identifier-fields">How to hash a value</a>
          </>
        }
      >
        <input {...code} />
      </Labelled>
      <Labelled
        id="text"
        label="Text of the report"
        hint="Public. No email address, phone number or other personal data."
      >
        <input value={text} />
      </Labelled>
      <Labelled id="deletion-code" label="Deletion code" hint="The report sample prints it.">
        <input {...code} />
      </Labelled>
    </form>
  );
}

/** The parts of the page of the protocol: contents, code, tables, and a choice of languages that needs no script. */
export const DOCS_STYLE: PageStyle = toStyle(`
.docs h2 { scroll-margin-top: 1rem; }
.docs > .text > h2:first-child { margin-top: .5rem; }
.docs h3 { margin: 2rem 0 .5rem; font-size: 1.02rem; scroll-margin-top: 1rem; }
.docs p, .docs li { max-width: 46rem; }
.docs > * > ul, .docs .text > ul { margin-bottom: .75rem; }
.docs code { font: .88em/1.5 var(--mono); overflow-wrap: anywhere; }
.docs :not(pre) > code { background: var(--track); border-radius: .3rem; padding: .1em .3em; }
.docs pre { tab-size: 2; }
.docs :is(pre, td) code { overflow-wrap: normal; }
.docs table { font-size: .92rem; width: auto; min-width: 100%; }
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
