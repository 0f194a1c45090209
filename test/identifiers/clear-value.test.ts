import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClearValue, recogniseKind, splitTypedValues } from '../../src/core/identifiers/clear-value.ts';

describe('what a person types', () => {
  it.each([
    ['carl@example.com', 'email'],
    [' Carl <carl@example.com> ', 'email'],
    ['+49 30 901820', 'phone'],
    ['030/901820', 'phone'],
    ['(030) 90 18 20', 'phone'],
    ['192.0.2.7', 'ip'],
    ['2001:db8::1', 'ip'],
    ['shop.example', 'domain'],
    ['https://www.shop.example/a?b', 'domain'],
    ['bücher.example', 'domain'],
    ['Carl Ford', 'name'],
    ['Dr. No', 'name'],
    ['4711', 'name'],
    ['', 'name'],
  ])('%j is recognised as %s', (value, kind) => expect(recogniseKind(value)).toBe(kind));

  it.each([
    ['carl@example.com', ['carl@example.com']],
    ['carl@example.com, +49 30 901820; 192.0.2.7', ['carl@example.com', '+49 30 901820', '192.0.2.7']],
    ['carl@example.com\r\ndora@example.com\n', ['carl@example.com', 'dora@example.com']],
    ['carl@example.com 192.0.2.7 shop.example', ['carl@example.com', '192.0.2.7', 'shop.example']],
    ['Carl Ford\t030 901820', ['Carl Ford', '030 901820']],
    ['carl@example.com +49 30 901820', ['carl@example.com', '+49 30 901820']],
    ['030 901820 carl@example.com 192.0.2.7', ['030 901820', 'carl@example.com', '192.0.2.7']],
    ['+49 30 901820 +49 30 901821', ['+49 30 901820', '+49 30 901821']],
    ['+49 30 901820 192.0.2.7', ['+49 30 901820', '192.0.2.7']],
    ['03090182012 03090182013', ['03090182012', '03090182013']],
    ['9018201 9018202', ['9018201 9018202']],
    ['+33 1 42 68 53 00', ['+33 1 42 68 53 00']],
    ['+49 30 901 42.68.53.00', ['+49 30 901 42.68.53.00']],
    ['+49 (0)30 901820', ['+49 (0)30 901820']],
    ['Carl Ford carl@example.com', ['Carl Ford carl@example.com']],
    ['Carl 030 901820', ['Carl 030 901820']],
    ['4711 carl@example.com', ['4711 carl@example.com']],
    ['a@b.example\na@b.example', ['a@b.example']],
    [' ,;\n', []],
  ])('%j is split into %j', (text, values) => expect(splitTypedValues(text)).toEqual(values));

  it('is never lost or changed by splitting, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const values = splitTypedValues(text);
        expect(values.every((value) => value !== '' && text.includes(value) && recogniseKind(value))).toBe(true);
        const bare = (of: string): string => [...new Set(of.replaceAll(/[\s,;]/gu, ''))].sort().join('');
        expect(bare(values.join(''))).toBe(bare(text));
      }),
    );
  });

  it('is read in the canonical form of its kind, or left out with a reason', () => {
    const read = (kind: string, value: string) => readClearValue(kind, value, { canonical: {} });
    expect(read('email', ' Carl@Example.com.')).toEqual({ text: 'carl@example.com', isCanonical: true });
    expect(read('phone', '030 901820')).toEqual({ text: '030901820', isCanonical: false });
    expect(read('phone', '+49 (0)30 901820')).toEqual({ text: '+4930901820', isCanonical: true });
    expect(read('phone', "'+49 30 901820")).toEqual({ text: '+4930901820', isCanonical: true });
    expect(read('phone', "'0000000000 ext. 12")).toBe('placeholder');
    expect(read('email', "b'none@none.com'")).toBe('placeholder');
    expect([read('email', 'none'), read('ip', '127.0.0.1')]).toEqual(['placeholder', 'nobody']);
    expect(readClearValue('email', 'none', { keepAll: true })).toEqual({ text: 'none', isCanonical: true });
    expect(readClearValue('email', ' A@B.example', {})).toEqual({ text: ' A@B.example', isCanonical: true });
  });
});
