import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { chooseLanguage, wordsOf } from '../../src/service/web/languages.tsx';
import { DE } from '../../src/service/web/messages/de.ts';
import { CALCULATION, type Message } from '../../src/core/domain/calculation.ts';
import { EN } from '../../src/service/web/messages/en.ts';
import { ES } from '../../src/service/web/messages/es.ts';
import { FR } from '../../src/service/web/messages/fr.ts';
import { PL } from '../../src/service/web/messages/pl.ts';
import { TR } from '../../src/service/web/messages/tr.ts';
import { unwrap } from '../../src/index.ts';
import { createPages } from '../../src/service/web/pages.ts';
import type { MessageName, Messages } from '../../src/service/web/words.ts';
import { hashOf } from '../engine/setup.ts';
import { asking, reading, textOf } from '../http/asking.ts';
import { manyMatches, manyVoices, oneReport, richRecord } from './records.ts';

const OTHERS: Readonly<Record<string, Messages>> = { de: DE, es: ES, fr: FR, pl: PL, tr: TR };
const NAMES = Object.keys(EN) as MessageName[];
const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const valuesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

describe('messages', () => {
  it.each(Object.entries(OTHERS))('have the values of English (%s)', (_, messages) => {
    for (const name of NAMES) {
      const expected = valuesOf(formsOf(EN[name]).at(-1)!);
      for (const form of formsOf(messages[name])) expect(valuesOf(form), `${name}: ${form}`).toEqual(expected);
    }
  });

  it.each(Object.entries({ en: EN, ...OTHERS }))('leave no decision open (%s)', (_, messages) => {
    const said = JSON.stringify(NAMES.filter((name) => name.startsWith('case.')).map((name) => messages[name]));
    expect(said).not.toMatch(/for now|vorerst|por ahora|pour l.instant|na razie|şimdilik/);
    // What was decided is above, and nothing else follows.
    expect(messages['case.closed']).toMatch(/decided|entschieden|decidido|décidé|decyzję|kararını/);
    expect(messages['case.closed']).toMatch(
      /nothing else|nichts weiter|nada más|rien d’autre|nic więcej|başka bir adım yok/,
    );
  });

  it.each(Object.entries(OTHERS))('have each form that whole numbers need (%s)', (language, messages) => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(Array.from({ length: 1_000 }, (_, n) => rules.select(n)));
    for (const name of NAMES)
      if (typeof EN[name] !== 'string')
        for (const form of needed) expect(Object.keys(messages[name]), `${name}: ${form}`).toContain(form);
  });
});

describe('the language of a request', () => {
  it.each([
    ['', undefined, 'en'],
    ['', 'de', 'de'],
    ['', 'de-AT, en;q=0.9', 'de'],
    ['', 'en;q=0.8, pl;q=0.9', 'pl'],
    ['', 'pt-BR, fr;q=0.5, es;q=0.4', 'fr'],
    ['', 'de;q=0, tr', 'tr'],
    ['', 'ja, *;q=0.1', 'en'],
    ['', 'FR-ca', 'fr'],
    ['lang=es', 'de', '?lang=es'],
    ['lang=xx', 'de', 'de'],
    ['lang=constructor', undefined, 'en'],
  ])('%j and %j: %s', (query, header, expected) => {
    expect(chooseLanguage(query, header)).toBe(expected);
  });

  it('is one of few for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (query, header) => {
        expect(['en', ...Object.keys(OTHERS)]).toContain(chooseLanguage(query, header).slice(-2));
      }),
    );
  });
});

describe('pages for persons', () => {
  it('are in the language of the reader: record, dispute, and where nothing is', async () => {
    const { engine, path, linkHash } = await manyMatches(2);
    const answer = createAnswer(engine, { pages: createPages(engine) });
    const get = async (at: string, language: string, query = '') =>
      textOf(await answer(reading(at, query, { accept: 'text/html', 'accept-language': language })));
    const nothing = `/report/${'0'.repeat(40)}`;
    const addresses = [path, `/dispute/${linkHash}`, '/case', nothing];
    for (const [language, messages] of Object.entries(OTHERS))
      for (const address of addresses) {
        const html = await get(address, language);
        expect(html).toContain(`<html lang="${language}">`);
        for (const name of NAMES)
          for (const form of formsOf(EN[name]))
            if (form.length > 20 && form !== messages[name] && !form.includes('{'))
              expect(html, `${address} ${language} ${name}`).not.toContain(form);
        // Without a script, a page does not know the reader's time zone.
        expect(html.includes(messages.utc as string), address).toBe(html.includes('<time'));
        const chosen = await get(address, 'en', `lang=${language}`);
        expect(chosen.replaceAll(/(?<=(report|dispute|case)[\w/]*)\?lang=../g, '')).toBe(html);
      }
    expect(await get(`/dispute/${linkHash}`, 'en')).toContain('Days and times are in UTC.');
    const german = await get(path, 'en', 'lang=de');
    expect(german).toContain(`href="/dispute/${linkHash}?lang=de"`);
    expect(german).toContain('aria-current="true">Deutsch');
    expect(german).toContain('<a href="/docs/points" hreflang="en">Wie Punkte entstehen');
    expect(await get(path, 'ja')).toContain('<html lang="en">');
  });

  it('have nothing in English but what reporters wrote', async () => {
    // Numbers, ids, what reporters wrote, and words that languages share.
    const SAME =
      /^(?:[\d\W]*|[0-9a-f]{16}|Report \d+|The bank took .*|Name|spam|Organisations|(?:spam, )?(?:Second Hand|Books &amp; More),|(?:\d+ )?[Pp]oints?|(?:First reporter|First Shop|Corner Shop|Books &amp; More|Elektro Nord|A travel agency .*|Second Hand),?)$/;
    for (const { engine, path, linkHash } of [await richRecord(), await manyVoices(), await oneReport()]) {
      const answer = createAnswer(engine, { pages: createPages(engine) });
      const textsOf = async (at: string, language: string): Promise<string[]> => {
        const html = textOf(await answer(reading(at, `lang=${language}`, { accept: 'text/html' })));
        const body = html.slice(html.indexOf('<body')).replaceAll(/<(nav|time).*?<\/\1>/gs, '');
        const named = [...body.matchAll(/ (?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, text]) => text!);
        return [...named, ...body.split(/<[^>]*>/)].map((text) => text.trim());
      };
      for (const at of [path, `/dispute/${linkHash}`, '/case', `/report/${'0'.repeat(40)}`]) {
        const english = await textsOf(at, 'en');
        for (const language of Object.keys(OTHERS)) {
          const texts = await textsOf(at, language);
          const same = english.filter((text) => texts.includes(text) && !SAME.test(text));
          expect(same, `${at} ${language}`).toEqual([]);
          // A sentence of the calculation is one text with many parts.
          for (const form of Object.values(CALCULATION).flatMap(formsOf))
            for (const part of form.split(/\{\w+\}/).filter((one) => /[a-z]{3} [a-z]{2}/.test(one)))
              expect(texts.join('\n'), `${at} ${language}`).not.toContain(part);
        }
      }
    }
  });

  it('leave no words about a form to the browser, which may speak another language', async () => {
    const { engine, linkHash } = await manyMatches(1);
    const number = unwrap(
      await engine.requestDispute!({ identifiers: [{ kind: 'email', hash: hashOf(9) }], reason: 'Not me.' }),
    ).caseNumber;
    const answer = createAnswer(engine, { pages: createPages(engine) });
    for (const [at, language] of ['en', ...Object.keys(OTHERS)].entries()) {
      const client = `192.0.2.${at}`;
      const headers = { accept: 'text/html', 'accept-language': language };
      const send = async (fields: Readonly<Record<string, string>>) => {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const text = new URLSearchParams(fields).toString();
        return textOf(await answer(asking({ path: '/case', client, text, headers: { ...headers, ...type } })));
      };
      const words = wordsOf(language);
      const wrong = (field: string, text: string) => `id="${field}-error">${text.replaceAll('"', '&quot;')}<`;
      const empty = await send({ _case: '' });
      expect(empty, language).toContain(wrong('number', words.say('case.unknown')));
      expect(await send({ _case: number, _text: '' }), language).toContain(
        wrong('text', words.say('case.badText', { most: 500 })),
      );
      for (const html of [empty, textOf(await answer(reading(`/dispute/${linkHash}`, '', headers)))])
        for (const [form, attributes] of html.matchAll(/<form([^>]*)>.*?<\/form>/gs))
          // The script of this one switches it off.
          if (/ required[ >/]/.test(form!)) expect(attributes).toMatch(/ novalidate|id="dispute"/);
    }
  });

  it('end with who runs the service', async () => {
    const { engine, path, linkHash } = await manyMatches(1);
    const operator = { name: 'Ada & <Co> Ltd.', contact: 'mailto:fraud@service.example' };
    const answer = createAnswer(engine, { pages: createPages(engine, { operator }) });
    for (const at of [
      path,
      `/dispute/${linkHash}`,
      '/dispute',
      '/',
      '/docs',
      '/docs/points',
      '/nowhere',
      `/report/${'0'.repeat(40)}`,
    ]) {
      const html = textOf(await answer(reading(at, 'lang=de', { accept: 'text/html' })));
      expect(html, at).toContain('Ada &amp; &lt;Co> Ltd., <a href="mailto:fraud@service.example"');
    }
    for (const wrong of [
      { name: '' },
      { name: 'a\u0000' },
      { name: 'A', contact: 'javascript:1' },
      { name: 'A', mail: '' },
    ])
      expect(() => createPages(engine, { operator: wrong })).toThrow(TypeError);
  });

  it('count in each language', () => {
    expect([1, 3, 5, 22].map((n) => wordsOf('pl').count('reports', n))).toEqual([
      '1 zgłoszenie',
      '3 zgłoszenia',
      '5 zgłoszeń',
      '22 zgłoszenia',
    ]);
    expect(wordsOf('de').list(['a', 'b', 'c'])).toBe('a, b und c');
    expect(wordsOf('fr').wait(61 * 60)).toBe('61 minutes');
  });
});
