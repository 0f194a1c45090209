import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { toSourceHash } from '../../core/crypto/crypto.ts';
import type { Page } from '../../core/http/pages.ts';
import { ICON, STYLE } from '../../lab/page/style.ts';
import { ENGLISH, SpokenWords, useWords } from './spoken.ts';
import { Contact } from './parts.tsx';
import type { PublicOperator } from './part.ts';
import type { Words } from './words.ts';

/** A style that is part of pages. */
export interface PageStyle {
  readonly text: string;
  /** The source of the text in a policy. */
  readonly source: string;
}

/** Returns the style that all pages share, with more after it. */
export function toStyle(more = ''): PageStyle {
  const text = STYLE + more;
  return { text, source: toSourceHash(text) };
}

const SHARED = toStyle();

/** Id of the main part of a page with a header, which may link to it. */
export const MAIN_ID = 'content';

/** What a page needs beside its own text. */
export interface PageNeeds {
  /** Addresses of module scripts of the service. They may hash with WebAssembly in workers, and call the service. */
  readonly scripts?: readonly string[];
  /** True if the page has forms. They can be sent to the service only. */
  readonly forms?: boolean;
  /** True for a page with tables: it uses more of a wide screen. */
  readonly wide?: boolean;
  /** What precedes the main part, such as a navigation. */
  readonly header?: ComponentChildren;
  /** The style, from {@link toStyle}. Default: what all pages share. */
  readonly style?: PageStyle;
  /** What the page says in its language. Default: English. */
  readonly words?: Words;
  /** Who runs the service, at the end of the page. */
  readonly operator?: PublicOperator | undefined;
}

/** The style is part of the page, and its hash is in the policy. So a page without scripts needs one request. */
function toPolicy({ scripts = [], forms = false, style = SHARED }: PageNeeds): string {
  const scripted = ["script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "worker-src 'self'"];
  return [
    "default-src 'none'",
    `style-src ${style.source}`,
    // The icon. Without one, browsers ask the service for /favicon.ico.
    'img-src data:',
    ...(scripts.length > 0 ? scripted : []),
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns a page. `title` has no personal data: browsers keep it in their history. */
export function toPage(title: string, content: ComponentChildren, needs: PageNeeds = {}): Page {
  const { words = ENGLISH } = needs;
  const body = renderToString(
    <html lang={words.language}>
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <link rel="icon" href={ICON} />
        <style dangerouslySetInnerHTML={{ __html: (needs.style ?? SHARED).text }} />
        {needs.scripts?.map((address) => (
          <script key={address} type="module" src={address} />
        ))}
      </head>
      <body>
        <SpokenWords.Provider value={words}>
          {needs.header}
          <main class={needs.wide ? 'wide' : undefined} {...(needs.header ? { id: MAIN_ID, tabIndex: -1 } : {})}>
            {content}
            {needs.operator && <Operator {...needs.operator} />}
          </main>
        </SpokenWords.Provider>
      </body>
    </html>,
  );
  return { html: `<!doctype html>${body}`, policy: toPolicy(needs) };
}

function Operator({ name, contact }: PublicOperator) {
  const words = useWords();
  return (
    <footer class="quiet">
      <p>
        {words.say('operator', { name })}
        {contact !== undefined && (
          <>
            , <Contact of={contact} />
          </>
        )}
      </p>
    </footer>
  );
}
