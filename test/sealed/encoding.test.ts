import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OFFENCE_TYPES } from '../../src/core/domain/report.ts';
import { isKindList, isTypeList, kindCode, typeCode } from '../../src/sealed/codes.ts';
import { fromBase64Url, fromHex, toBase64Url, toHex, toInput } from '../../src/sealed/encoding.ts';
import { refusal } from './group-samples.ts';

/** Not `base64url`, which the Buffer of browsers lacks. */
const ofPlatform = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

describe('base64url and hex', () => {
  it('read back to the same bytes; base64url is that of Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
        expect(toBase64Url(bytes)).toBe(ofPlatform(bytes));
        expect(fromHex(toHex(bytes))).toEqual(bytes);
      }),
    );
    expect([toBase64Url(new Uint8Array(32)).length, toBase64Url(new Uint8Array(64)).length]).toEqual([43, 86]);
  });

  it('have one text for each list of bytes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), (text) => {
        const bytes = fromBase64Url(text);
        if (bytes !== undefined) expect(toBase64Url(bytes)).toBe(text);
      }),
      { numRuns: 1000 },
    );
    for (const text of ['A', 'AA=', 'AA==', 'AB', 'AAB', 'A+/A', 'AA A', ' AAAA', 'AAAA\n', 'ÄAAA', undefined, null, 4])
      expect(fromBase64Url(text), String(text)).toBe(undefined);
    for (const text of ['0', '0G', 'AB', ' 00', '00\n', undefined]) expect(fromHex(text), String(text)).toBe(undefined);
  });

  it('the input of the VOPRF is the 20 bytes of a hash in lower case', () => {
    const hash = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
    expect(toHex(toInput(hash))).toBe(hash);
    for (const wrong of [hash.toUpperCase(), hash.slice(1), `${hash}0`, 'client@example.com', ''])
      expect(refusal(() => toInput(wrong))).toBe('invalid-input');
  });
});

describe('the codes of kinds and types', () => {
  const lists = { kinds: ['email', 'ip', 'phone'], types: [...OFFENCE_TYPES] };

  it('are the places in their lists; 31 and 63 mean "other"', () => {
    expect(lists.kinds.map((kind) => kindCode(lists, kind))).toEqual([0, 1, 2]);
    expect([kindCode(lists, 'vat'), typeCode(lists, 'unheard_of')]).toEqual([31, 63]);
    for (const type of lists.types) expect(lists.types[typeCode(lists, type)]).toBe(type);
  });

  it('have room for 31 kinds and 63 types, each once', () => {
    const names = Array.from({ length: 64 }, (_, n) => `kind${'x'.repeat(n % 8)}_${'y'.repeat(n >> 3)}`);
    expect([isKindList(names.slice(0, 31)), isKindList(names.slice(0, 32))]).toEqual([true, false]);
    expect([isTypeList(names.slice(0, 63)), isTypeList(names)]).toEqual([true, false]);
    for (const wrong of [['ip', 'ip'], ['email2'], ['Email'], ['__proto__'], [''], [1], 'ip', null, [null]])
      expect(isKindList(wrong), String(wrong)).toBe(false);
    for (const wrong of [['spam', 'spam'], [''], ['x'.repeat(65)], [1], {}]) expect(isTypeList(wrong)).toBe(false);
  });
});
