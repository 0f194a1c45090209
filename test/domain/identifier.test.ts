import { describe, expect, it } from 'vitest';
import { isCode, isHash, toIdentifier, toIdentifiers, toKind } from '../../src/core/domain/identifier.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)] as const;
const EMPTY = '0'.repeat(40);
const HEX = '0123456789abcdef';
const HASH = HEX + HEX + HEX.slice(0, 8);
const refusal = (reason: string, more = {}) => ({ ok: false, refusal: { reason, ...more } });

describe.each([
  ['isHash', isHash, HASH],
  ['isCode', isCode, HEX],
] as const)('%s', (_, test, valid) => {
  it('returns true for hex characters in lower case, exactly as many as the specification says', () => {
    expect(test(valid)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['one character more at the end', `${valid}0`],
    ['one character more at the beginning', `0${valid}`],
    ['one character less', valid.slice(1)],
    ['a line break at the end', `${valid}\n`],
    ['upper case', valid.toUpperCase()],
    ['a letter after f', valid.replace('f', 'g')],
    ['no text at all', ''],
    ['a list whose text is valid', [valid]],
    ['undefined', undefined],
    ['null', null],
  ])('returns false for %s', (_, value) => {
    expect(test(value)).toBe(false);
  });
});

describe('toKind (protocol 2.3)', () => {
  it.each([
    ['email', 'email'],
    ['email2', 'email'],
    ['email10', 'email'],
    ['email0', 'email0'],
    ['email02', 'email0'],
    ['ipv4', 'ipv'],
    ['a', 'a'],
    ['a9', 'a'],
    ['paypal-e_mail', 'paypal-e_mail'],
    ['k'.repeat(32), 'k'.repeat(32)],
    [`${'k'.repeat(31)}2`, 'k'.repeat(31)],
  ])('%s is of the kind %s', (name, kind) => {
    expect(toKind(name)).toBe(kind);
  });

  it.each<unknown>([
    '',
    '2',
    '2email',
    '_api',
    '-email',
    'E-mail',
    'eMail',
    'e mail',
    'email\n',
    ' email',
    'k'.repeat(33),
    ['email'],
    undefined,
    null,
  ])('%j has no kind', (name) => {
    expect(toKind(name)).toBeUndefined();
  });
});

describe('toIdentifier (protocol 2.3)', () => {
  it('removes the number of the kind and lowers the hash', () => {
    expect(toIdentifier('email2', HASH.toUpperCase())).toEqual({ ok: true, value: { kind: 'email', hash: HASH } });
  });

  it('refuses a name before it looks at the value', () => {
    expect(toIdentifier('E mail', 'x')).toEqual(refusal('invalid-field-name'));
    expect(toIdentifier('E mail', A)).toEqual(refusal('invalid-field-name'));
  });

  it.each<[string, unknown]>([
    ['an address in clear text', 'jane@example.org'],
    ['41 characters that end in a hash', `0${HASH}`],
    ['41 characters that begin with a hash', `${HASH}0`],
    ['39 characters', HASH.slice(1)],
    ['a list that holds a hash', [HASH]],
    ['nothing', undefined],
  ])('refuses %s and names the field as it was sent', (_, value) => {
    expect(toIdentifier('email2', value as string)).toEqual(refusal('invalid-identifier', { field: 'email2' }));
  });
});

describe('toIdentifiers', () => {
  const email = { kind: 'email', hash: A };
  const phone = { kind: 'phone', hash: B };

  it('keeps the order and leaves out repeated pairs of kind and hash', () => {
    const given = [{ kind: 'phone2', hash: B }, email, phone, { kind: 'email3', hash: A.toUpperCase() }];
    expect(toIdentifiers(given, 32, EMPTY)).toEqual({ ok: true, value: [phone, email] });
  });

  it('keeps one hash under two kinds, and two hashes under one kind', () => {
    const given = [email, { kind: 'paypal', hash: A }, { kind: 'email', hash: B }];
    expect(toIdentifiers(given, 32, EMPTY)).toEqual({ ok: true, value: given });
  });

  it('leaves out the hash of the empty string', () => {
    expect(toIdentifiers([{ kind: 'ip', hash: EMPTY }, email], 32, EMPTY)).toEqual({ ok: true, value: [email] });
    expect(toIdentifiers([{ kind: 'ip', hash: EMPTY }], 32, EMPTY)).toEqual(refusal('no-identifier'));
  });

  it('refuses a list without an identifier', () => {
    expect(toIdentifiers([], 32, EMPTY)).toEqual(refusal('no-identifier'));
  });

  it('takes as many as the bound, copies counted once, and not one more', () => {
    expect(toIdentifiers([email, phone], 2, EMPTY)).toEqual({ ok: true, value: [email, phone] });
    expect(toIdentifiers([email, phone, phone, { ...phone, kind: 'phone2' }], 2, EMPTY).ok).toBe(true);
    expect(toIdentifiers([email, phone, { ...phone, kind: 'other' }], 2, EMPTY)).toEqual(
      refusal('too-many-identifiers', { limit: 2 }),
    );
  });

  it('returns the first refusal in the order of the list', () => {
    const given = [email, { kind: 'phone2', hash: 'x' }, { kind: 'E mail', hash: A }];
    expect(toIdentifiers(given, 32, EMPTY)).toEqual(refusal('invalid-identifier', { field: 'phone2' }));
    expect(toIdentifiers([{}], 32, EMPTY)).toEqual(refusal('invalid-field-name'));
  });

  it.each([undefined, null, 'email', { length: 1, 0: email }, [null], [undefined], ['email'], [email, 7]])(
    'throws for %j, which is no list of identifiers',
    (given) => {
      expect(() => toIdentifiers(given, 32, EMPTY)).toThrow(
        new TypeError('"identifiers" expected an array of { kind, hash }, got something else'),
      );
    },
  );
});
