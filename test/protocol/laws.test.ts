import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatForm, parseForm } from '../../src/core/protocol/form.ts';
import { createLink, hashOfLink, linkNeedsDecoding } from '../../src/core/protocol/link.ts';
import { formatError, formatResult, parseError, parseResult } from '../../src/core/protocol/reply.ts';
import { formatViewer, parseViewer } from '../../src/core/protocol/viewer.ts';
import { formatRefusal } from '../../src/core/protocol/wording.ts';
import { statusOf } from '../../src/core/http/status.ts';
import { hashes, publicUrls, refusals, reports, requests, results } from './arbitraries.ts';
import { anyCharacter } from '../any-character.ts';

describe('laws of the protocol', () => {
  it('a form reads back as the request that it was made of', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(parseForm(formatForm(request))).toEqual({ ok: true, value: request });
      }),
    );
  });

  it('a form reads back through the encoding of a body, whatever the order of its reserved fields', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const fields = formatForm(request);
        const reserved = fields.filter(([name]) => name.startsWith('_'));
        const others = fields.filter(([name]) => !name.startsWith('_'));
        const sent = new URLSearchParams([...others, ...reserved.reverse()]).toString();
        // A body's line ends are not touched by this encoding, so the text is the same to the character.
        expect(parseForm(new URLSearchParams(sent))).toEqual({ ok: true, value: request });
      }),
    );
  });

  it('any pairs are read or refused, and never thrown at', () => {
    const names = fc.oneof(
      fc.constantFrom('_api', '_action', '_code', 'email', '_API', '__proto__', ''),
      fc.string(),
      fc.string({ unit: anyCharacter }),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            names,
            fc.oneof(fc.constantFrom('query', 'delete', '0'.repeat(16)), fc.string({ unit: anyCharacter })),
          ),
        ),
        (pairs) => {
          expect(parseForm(pairs)).toHaveProperty('ok');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('a result splits into exactly four on the hyphen and reads back', () => {
    fc.assert(
      fc.property(results, (result) => {
        const body = formatResult(result);
        expect(body.split('-')).toHaveLength(4);
        expect(parseResult(body)).toEqual(result);
      }),
    );
  });

  it('what reads as a result is written the same again', () => {
    const near = fc
      .tuple(
        fc.stringMatching(/^[0-9+.e]{1,4}$/),
        fc.stringMatching(/^[0-9+.e]{1,4}$/),
        fc.stringMatching(/^[0-9+.e]{1,4}$/),
        hashes,
        fc.constantFrom('-', '--', ' - '),
      )
      .map(([points, reported, reliability, hash, hyphen]) =>
        [points, reported, reliability, `https://flags.example/report/${hash}`].join(hyphen),
      );
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), results.map(formatResult)), (body) => {
        const result = parseResult(body);
        if (result !== undefined) expect(formatResult(result)).toBe(body);
      }),
      { numRuns: 2000 },
    );
  });

  it('no refusal has a hyphen, more than a line, or fewer words than a sentence', () => {
    fc.assert(
      fc.property(refusals, (refusal) => {
        const body = formatError(refusal);
        expect(body).toMatch(/^ERROR: [A-Z][\x20-\x2c\x2e-\x7e]+\.$/);
        expect(parseError(body)).toBe(formatRefusal(refusal));
        expect(parseResult(body)).toBeUndefined();
        expect(statusOf(refusal)).toBeGreaterThanOrEqual(400);
      }),
      { numRuns: 2000 },
    );
  });

  it("the viewer's text reads back", () => {
    fc.assert(
      fc.property(reports, (list) => {
        expect(parseViewer(formatViewer(list))).toEqual(list);
      }),
    );
  });

  it('a link has no hyphen, ends in its hash, and leads where its address says', () => {
    fc.assert(
      fc.property(publicUrls, hashes, (publicUrl, hash) => {
        const link = createLink(publicUrl)(hash);
        expect(link).not.toContain('-');
        expect(hashOfLink(link)).toBe(hash);
        expect(link.includes('%2D')).toBe(linkNeedsDecoding(publicUrl));
        const [followed, meant] = [new URL(link), new URL(publicUrl)];
        expect(followed.host).toBe(meant.host);
        expect(decodeURIComponent(followed.pathname)).toBe(`${meant.pathname.replace(/\/+$/, '')}/report/${hash}`);
      }),
    );
  });
});
