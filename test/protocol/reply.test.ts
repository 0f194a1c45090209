import { describe, expect, it } from 'vitest';
import { createLink, hashOfLink, linkNeedsDecoding } from '../../src/protocol/link.ts';
import { OK, formatResult, parseError, parseResult } from '../../src/protocol/reply.ts';
import { formatViewer, parseViewer } from '../../src/protocol/viewer.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const LINK = `https://flags.example/report/${HASH}`;

describe('results (spec 4.4)', () => {
  it('are four segments', () => {
    expect(formatResult({ points: 0, reported: 0, reliability: 0, link: LINK })).toBe(`0-0-0.0-${LINK}`);
    expect(formatResult({ points: 42, reported: 3, reliability: 10, link: LINK })).toBe(`42-3-10.0-${LINK}`);
    expect(formatResult({ points: -0, reported: -0, reliability: -0, link: LINK })).toBe(`0-0-0.0-${LINK}`);
  });

  it.each([
    { points: 1.5 },
    { points: -1 },
    { points: Number.NaN },
    { points: 1e21 },
    { reported: 0.1 },
    { reliability: 10.1 },
    { reliability: -0.1 },
    { reliability: Number.NaN },
    { link: `https://my-flags.example/report/${HASH}` },
    { link: 'https://flags.example/' },
    { link: '' },
  ])('that cannot be written are a misuse: %j', (change) => {
    expect(() => formatResult({ points: 1, reported: 1, reliability: 1, link: LINK, ...change })).toThrow(TypeError);
  });

  it.each([
    '',
    OK,
    'ERROR: The API key is not valid.',
    '<html><body>down-for-maintenance-now-sorry</body></html>',
    `1-1-1.0`,
    `1-1-1.0-${LINK}-`,
    `-1-1-1.0-${LINK}`,
    `+1-1-1.0-${LINK}`,
    `1e2-1-1.0-${LINK}`,
    `1.0-1-1.0-${LINK}`,
    `01-1-1.0-${LINK}`,
    `1-1-1-${LINK}`,
    `1-1-1.00-${LINK}`,
    `1-1-10.1-${LINK}`,
    `1-1-,5-${LINK}`,
    ` 1-1-1.0-${LINK}`,
    `1-1-1.0-${LINK}\n`,
    `1-1-1.0-${HASH}`,
    `1-1-1.0-ftp://flags.example/${HASH}`,
    `1-1-1.0-javascript:alert(1)//${HASH}`,
    `1-1-1.0-https://flags.example/?x/${HASH}`,
    `1-1-1.0-https://flags.example/#/${HASH}`,
    `1-1-1.0-https:///${HASH}`,
    `1-1-1.0-${LINK.slice(0, -1)}`,
    `1-1-1.0-https://flags.example/a b/${HASH}`,
    `99999999999999999999-1-1.0-${LINK}`,
  ])('%j is none', (body) => {
    expect(parseResult(body)).toBeUndefined();
  });

  it('reads errors', () => {
    expect(parseError('ERROR: Not now.\r\n')).toBe('Not now.');
    expect(parseError('OK')).toBeUndefined();
    expect(parseError('<b>ERROR: </b>')).toBeUndefined();
  });
});

describe('links', () => {
  it.each([
    ['https://flags.example', `https://flags.example/report/${HASH}`, false],
    ['https://flags.example/fraud//', `https://flags.example/fraud/report/${HASH}`, false],
    ['http://my-flags.example:8080/red-flag/', `http://my%2Dflags.example:8080/red%2Dflag/report/${HASH}`, true],
    ['https://xn--bcher-kva.example', `https://xn%2D%2Dbcher%2Dkva.example/report/${HASH}`, true],
    ['http://[::1]:80/', `http://[::1]/report/${HASH}`, false],
  ])('of %s', (publicUrl, link, needsDecoding) => {
    expect(createLink(publicUrl)(HASH)).toBe(link);
    expect(linkNeedsDecoding(publicUrl)).toBe(needsDecoding);
    expect(hashOfLink(link)).toBe(HASH);
  });

  it.each([
    '',
    'flags.example',
    '/fraud',
    'ftp://flags.example',
    'javascript:alert(1)',
    'https://user:word@flags.example',
    'https://flags.example/?a=1',
    'https://flags.example/?',
    'https://flags.example/#x',
    'https://flags.example/a/../b',
    'http://flags.example/-/.a/.',
    'https://flags.example/%2E%2e/a',
  ])('refuse the address %j', (publicUrl) => {
    expect(() => createLink(publicUrl)).toThrow(/^"publicUrl" expected/);
    expect(() => createLink(publicUrl)).not.toThrow('word@');
    expect(() => linkNeedsDecoding(publicUrl)).toThrow(TypeError);
  });

  it('refuse a hash that is none', () => {
    expect(() => createLink('https://flags.example')(HASH.toUpperCase())).toThrow(TypeError);
  });

  it('are read in any case', () => {
    expect(hashOfLink(LINK.toUpperCase())).toBe(HASH);
    expect(hashOfLink(`${LINK}/`)).toBeUndefined();
    expect(hashOfLink(HASH)).toBeUndefined();
  });
});

describe("the viewer's text (spec 2.2)", () => {
  const record = {
    reportId: '0123456789abcdef',
    type: 'fraud',
    value: 7,
    description: 'Text.',
    createdAt: '2024-05-06T07:08:09.010Z',
    reporter: 'Shop',
  };
  const report = {
    reportId: '0123456789abcdef',
    type: 'fraud',
    severity: 7,
    text: 'Text.',
    createdAt: Date.UTC(2024, 4, 6, 7, 8, 9, 10),
    reporter: 'Shop',
  };

  it('has exactly these names in this order', () => {
    expect(formatViewer([report])).toBe(`{"ReportAdvanceds":[${JSON.stringify(record)}],"count":1}`);
    expect(formatViewer([])).toBe('{"ReportAdvanceds":[],"count":0}');
  });

  it('is read with members that it does not know', () => {
    expect(parseViewer(JSON.stringify({ ReportAdvanceds: [{ ...record, more: 1 }], count: 1, more: 2 }))).toEqual([
      report,
    ]);
  });

  it.each([
    '',
    '<html>',
    'null',
    '[]',
    '{}',
    '{"ReportAdvanceds":{},"count":0}',
    '{"ReportAdvanceds":[]}',
    '{"ReportAdvanceds":[],"count":1}',
    '{"ReportAdvanceds":[null],"count":1}',
    ...[
      { reportId: 'x' },
      { reportId: 7 },
      { type: null },
      { value: '7' },
      { value: 0 },
      { value: 1.5 },
      { description: undefined },
      { createdAt: 0 },
      { createdAt: '2024-05-06' },
      { createdAt: '2024-13-06T07:08:09Z' },
      { reporter: {} },
    ].map((change) => JSON.stringify({ ReportAdvanceds: [{ ...record, ...change }], count: 1 })),
  ])('%j is none', (text) => {
    expect(parseViewer(text)).toBeUndefined();
  });
});
