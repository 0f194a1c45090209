import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { AnswerOptions } from '../../src/core/http/answer-options.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { HttpReply } from '../../src/core/http/exchange.ts';
import { unwrap, type EngineOptions } from '../../src/index.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import { createFormToken } from '../../src/service/panel/forms.ts';
import { createPanel, type PanelOptions } from '../../src/service/panel/panel.tsx';
import { createPages, type PagesOptions } from '../../src/service/web/pages.ts';
import { createTestEngine, type TestEngine } from '../engine/setup.ts';
import { asking, textOf } from '../http/asking.ts';
import { isStrict } from '../web/visit.ts';

export const HOST = 'reports.example';
/** What a browser sends with a form of the service. */
export const FORM_HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  host: HOST,
  origin: `https://${HOST}`,
  'sec-fetch-site': 'same-origin',
};

export type Fields = Readonly<Record<string, string>>;
type Headers = Readonly<Record<string, string | undefined>>;

/** A service with a panel, on a clock that stands still. The engine's address is https. */
export async function createTestPanel(
  options: Partial<EngineOptions> &
    Pick<AnswerOptions, 'dialect'> &
    Pick<PagesOptions, 'operator'> & { readonly panel?: PanelOptions; readonly basePath?: string } = {},
) {
  const { panel, dialect, operator, basePath = '', publicUrl = `https://${HOST}${basePath}`, ...settings } = options;
  const test = await createTestEngine({
    limits: { panel: { requests: 1_000_000, windowSeconds: 1 } },
    publicUrl,
    ...settings,
  });
  const { engine, clock } = test;
  const part = createPanel(engine, { clock: () => clock.nowMs, ...panel });
  const failures: string[] = [];
  const answer = createAnswer(engine, {
    basePath,
    dialect,
    pages: createPages(engine, { panel: part, operator }),
    log: ({ error }) => failures.push(error),
  });
  const [, second] = await engine.listReporters();
  return {
    ...test,
    otherId: second!.reporterId,
    failures,
    answer,
    /** A browser that keeps cookies, without a session. */
    browser: () => new TestBrowser(answer, basePath, publicUrl),
    /** A browser that is signed in: for a reporter, or for the operator (null). */
    signedIn: (reporterId: string | null, name?: string) =>
      signIn(engine, new TestBrowser(answer, basePath, publicUrl), reporterId, name),
  };
}

export type TestPanel = Awaited<ReturnType<typeof createTestPanel>> & TestEngine;

async function signIn(engine: Engine, browser: TestBrowser, reporterId: string | null, name = 'Ada') {
  const { token } = unwrap(await engine.createSignInLink({ reporterId, name, by: 'Ops' }));
  await browser.post(`/panel/sign-in/${token}`);
  return browser;
}

/**
 * What a browser does with cookies and forms. A test writes the addresses of its session without the part that belongs
 * to the session, such as `/panel/keys`, and gets them back so.
 */
export class TestBrowser {
  cookie: string | undefined;
  /** The part of the addresses that belongs to the session. It stays after the session. */
  place = '';

  constructor(
    private readonly answer: ReturnType<typeof createAnswer>,
    private readonly basePath: string,
    private readonly publicUrl: string,
  ) {}

  async get(path: string, headers: Headers = {}): Promise<HttpReply> {
    return this.send('GET', path, '', { host: HOST, ...headers });
  }

  async post(path: string, fields: Fields = {}, headers: Headers = {}): Promise<HttpReply> {
    return this.send('POST', path, new URLSearchParams(fields).toString(), { ...FORM_HEADERS, ...headers });
  }

  /** Sends the form `action` of a page, as the page shows it, with more fields. */
  async act(path: string, action: string, fields: Fields = {}): Promise<HttpReply> {
    return this.post(path, { ...formOf(textOf(await this.get(path)), action), ...fields });
  }

  /** Sends the form and shows the page to which it redirects. */
  async done(path: string, action: string, fields: Fields = {}): Promise<string> {
    const reply = await this.act(path, action, fields);
    const next = reply.headers['Location'];
    return textOf(
      next === undefined
        ? reply
        : await this.get(next.slice(new URL(this.publicUrl).pathname.replace(/\/$/, '').length)),
    );
  }

  private withoutPlace(reply: HttpReply): HttpReply {
    const { place } = this;
    if (place === '') return reply;
    const plain = (text: string): string =>
      text
        .replaceAll(new RegExp(`/panel/${place}/(?=["?#]|$)`, 'g'), '/panel')
        .replaceAll(`/panel/${place}/`, '/panel/');
    const { Location: to, ...headers } = reply.headers;
    return {
      ...reply,
      headers: to === undefined ? headers : { ...headers, Location: plain(to) },
      body: typeof reply.body === 'string' ? plain(reply.body) : reply.body,
    };
  }

  async send(method: string, path: string, text: string, headers: Headers): Promise<HttpReply> {
    // Browsers keep the fragment.
    const [written = '', query = ''] = path.split('#', 1)[0]!.split('?');
    const isOfSession = /^\/panel(\/|$)/.test(written) && !written.startsWith('/panel/sign-in/');
    const at = isOfSession && this.place !== '' ? `/panel/${this.place}/${written.slice(7)}` : written;
    const own = isOfSession ? { cookie: this.cookie } : {};
    const sent = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined);
    const reply = await this.answer(
      asking({
        method,
        path: this.basePath + at,
        query,
        text,
        headers: Object.fromEntries(sent) as Record<string, string>,
        client: '192.0.2.1',
      }),
    );
    if (reply.headers['Content-Type']?.startsWith('text/html'))
      expect(isStrict(reply.headers['Content-Security-Policy'] ?? '')).toBe(true);
    const set = reply.headers['Set-Cookie'];
    if (set !== undefined) this.cookie = set.includes('Max-Age=0;') ? undefined : set.split(';')[0];
    const [, place] = /; Path=[^;]*\/panel\/([0-9a-f]{32})\/; Max-Age=[1-9]/.exec(set ?? '') ?? [];
    if (place !== undefined) this.place = place;
    return this.withoutPlace(reply);
  }
}

/** Returns a token that the panel would give this browser for forms that are sent to a page. */
export function tokenFor({ cookie = '', place }: TestBrowser, page: string, nowMs: number): string {
  return createFormToken(cookie.slice(cookie.indexOf('=') + 1) + place, page, nowMs, randomBytes(8).toString('hex'));
}

/** Returns the hidden fields of the first form of an action. */
export function formOf(html: string, action: string): Fields {
  const form = (html.match(/<form.*?<\/form>/gs) ?? []).find((one) => one.includes(`name="do" value="${action}"`));
  if (form === undefined) throw new Error(`the page has no form ${action}`);
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
}
