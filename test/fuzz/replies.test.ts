import { describe, expect, it } from 'vitest';
import { generate } from './generate.ts';
import { REFUSED, UNKNOWN } from './mutations.ts';
import { createRandom } from './random.ts';
import { readReplies } from './replies.ts';

// What the fuzzing relies on: its strict reader of replies, and its generator.

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK';

describe('the reader of replies', () => {
  it('reads replies of a length, in chunks and without a body, one after the other', () => {
    const chunked = 'HTTP/1.1 417 Expectation Failed\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const bare = 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n';
    const { replies, problem } = readReplies(`HTTP/1.1 100 Continue\r\n\r\n${OK}${chunked}${bare}${OK}`);
    expect(problem).toBeUndefined();
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [200, 'OK'],
      [417, 'abc'],
      [304, ''],
      [200, 'OK'],
    ]);
    expect(replies[2]?.headers.get('etag')).toBe('"1"');
  });

  it('finds what is no reply', () => {
    for (const wrong of [
      'x',
      `${OK}!`,
      `${OK}\r\n${OK}`,
      OK.replace('200', '2000'),
      OK.replace('1.1', '1.0'),
      OK.replace(': 2', ': -2'),
      OK.replace('Content-Length: 2', 'Content-Length: 2\r\nContent-Length: 2'),
      OK.replace('Content-Length: 2', 'Content-Length: 2\r\nTransfer-Encoding: chunked'),
      OK.replace('Content-Length: 2', 'Content-Length: 2\r\nno colon'),
      OK.replace('Content-Length: 2', 'Transfer-Encoding: gzip'),
      OK.replace('Content-Length: 2', 'Transfer-Encoding: chunked').replace('OK', 'zz\r\n'),
    ])
      expect(readReplies(wrong).problem, wrong).toBe('malformed');
    for (let cut = 1; cut < OK.length; cut++) expect(readReplies(OK.slice(0, cut)).problem).toBe('incomplete');
  });
});

describe('the generator', () => {
  it('makes the same scripts from the same seed, and others from another seed', () => {
    const some = (seed: string) => Array.from({ length: 60 }, (_, n) => generate(seed, n));
    expect(some('1')).toEqual(some('1'));
    // A short script, such as one GET, may come twice.
    expect(new Set([...some('1'), ...some('2')].map((script) => JSON.stringify(script))).size).toBeGreaterThan(115);
  });

  it('writes one character per byte, and splits a script without changing its bytes', () => {
    for (let n = 0; n < 300; n++)
      for (const step of generate('bytes', n).steps) if (typeof step === 'string') expect(step).toMatch(/^[\0-\xff]*$/);
    for (const [name, mutate] of Object.entries({ ...REFUSED, ...UNKNOWN }))
      expect(mutate(createRandom(name), '~x~').bytes, name).toMatch(/^[\0-\xff]*$/);
  });
});
