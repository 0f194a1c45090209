import { describe, expect, it } from 'vitest';
import { createLink, hashOfLink, linkNeedsDecoding } from '../../src/core/protocol/link.ts';
import { OK, formatResult, parseError, parseResult } from '../../src/core/protocol/reply.ts';
import { formatViewer, parseViewer } from '../../src/core/protocol/viewer.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const LINK = `https://flags.example/report/${HASH}`;

describe('results (protocol 4.4)', () => {
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
    [{ points: 1.5 }, '"points" expected an integer of at least 0, got 1.5'],
    [{ reported: -1 }, '"reported" expected an integer of at least 0, got -1'],
    [{ reliability: 10.1 }, '"reliability" expected 0 to 10, got 10.1'],
    [{ link: `https://my-flags.example/${HASH}` }, '"link" expected no hyphen, got one; write it as %2D'],
    [
      { link: 'https://flags.example/' },
      '"link" expected an http or https address ending in 40 hex characters, got another text',
    ],
  ])('name what is wrong: %j', (change, message) => {
    expect(() => formatResult({ points: 1, reported: 1, reliability: 1, link: LINK, ...change })).toThrow(
      new TypeError(message),
    );
  });

  it('are read as numbers and a link', () => {
    expect(parseResult(`42-3-10.0-${LINK}`)).toEqual({ points: 42, reported: 3, reliability: 10, link: LINK });
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

  it('is OK for a report and a deletion', () => {
    expect(OK).toBe('OK');
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
    expect(() => linkNeedsDecoding(publicUrl)).toThrow(/^"publicUrl" expected/);
  });

  it('refuse a hash that is none', () => {
    expect(() => createLink('https://flags.example')(HASH.toUpperCase())).toThrow(
      new TypeError('"linkHash" expected 40 lowercase hex characters, got another text'),
    );
  });

  it('are read in any case', () => {
    expect(hashOfLink(LINK.toUpperCase())).toBe(HASH);
    expect(hashOfLink(`${LINK}/`)).toBeUndefined();
    expect(hashOfLink(HASH)).toBeUndefined();
    expect(hashOfLink(`See ${LINK}`)).toBeUndefined();
    expect(hashOfLink(`shttps://flags.example/${HASH}`)).toBeUndefined();
  });
});

describe("the viewer's text (protocol 2.2)", () => {
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
    ['2024-05-06T07:08:09Z', Date.UTC(2024, 4, 6, 7, 8, 9)],
    ['2024-05-06T07:08:09.5Z', Date.UTC(2024, 4, 6, 7, 8, 9, 500)],
    ['2024-05-06T07:08:09.123456789Z', Date.UTC(2024, 4, 6, 7, 8, 9, 123)],
  ])('may have the time %s', (createdAt, time) => {
    expect(parseViewer(JSON.stringify({ ReportAdvanceds: [{ ...record, createdAt }], count: 1 }))).toEqual([
      { ...report, createdAt: time },
    ]);
  });

  it.each([1, 10])('may have the severity %d', (value) => {
    expect(parseViewer(JSON.stringify({ ReportAdvanceds: [{ ...record, value }], count: 1 }))).toEqual([
      { ...report, severity: value },
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
    '{"ReportAdvanceds":[[]],"count":1}',
    '{"ReportAdvanceds":["x"],"count":1}',
    '7',
    ...[
      { reportId: 'x' },
      { reportId: 7 },
      { reportId: [record.reportId] },
      { reportId: `${record.reportId}0` },
      { type: null },
      { value: '7' },
      { value: 0 },
      { value: 1.5 },
      { value: 11 },
      { value: null },
      { description: undefined },
      { createdAt: 0 },
      { createdAt: '2024-05-06' },
      { createdAt: '2024-13-06T07:08:09Z' },
      { createdAt: '+012024-05-06T07:08:09Z' },
      { createdAt: '2024-05-06T07:08:09' },
      { createdAt: '2024-05-06T07:08:09+00:00' },
      { createdAt: '2024-05-06T07:08:09.Z' },
      { createdAt: '2024-05-06T07:08:09.0000000000Z' },
      { createdAt: '2024-05-06T07:08:09Z\u0000' },
      { createdAt: ['2024-05-06T07:08:09Z'] },
      { reporter: {} },
    ].map((change) => JSON.stringify({ ReportAdvanceds: [{ ...record, ...change }], count: 1 })),
  ])('%j is none', (text) => {
    expect(parseViewer(text)).toBeUndefined();
  });
});
