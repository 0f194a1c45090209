import { describe, expect, it } from 'vitest';
import {
  faultOf,
  nameOf,
  optionError,
  refuseUnknown,
  requireBoolean,
  requireFunction,
  requireOneOf,
  requireString,
  requireWhole,
  formatFault,
} from '../../src/core/domain/options.ts';

describe('refuseUnknown', () => {
  it('takes the known names, all of them or some, and no options', () => {
    for (const given of [{ fields: 1, bytes: undefined }, { bytes: 2 }, {}, undefined])
      expect(() => refuseUnknown(given, ['fields', 'bytes'])).not.toThrow();
  });

  it('names the first unknown option, also one that is undefined', () => {
    expect(() => refuseUnknown({ fields: 1, field: undefined, byte: 2 }, ['fields'])).toThrow(
      new TypeError('"field" is not an option'),
    );
  });

  it('names the option inside another one in full', () => {
    expect(() => refuseUnknown({ requets: 1 }, ['requests'], 'limits.query.')).toThrow(
      new TypeError('"limits.query.requets" is not an option'),
    );
  });
});

describe('requireWhole', () => {
  it.each([
    [1, 1, 10],
    [7, 1, 10],
    [10, 1, 10],
    [0, 0, undefined],
    [-5, -5, -5],
    [Number.MAX_SAFE_INTEGER, 1, undefined],
  ])('takes %d from %d to %s', (value, least, most) => {
    expect(() => requireWhole('fields', value, least, most)).not.toThrow();
  });

  it.each<[number, number, number | undefined, string]>([
    [0, 1, 10, 'from 1 to 10, got 0'],
    [11, 1, 10, 'from 1 to 10, got 11'],
    [1.5, 1, 10, 'from 1 to 10, got 1.5'],
    [Number.NaN, 1, 10, 'from 1 to 10, got NaN'],
    [0, 1, undefined, 'of at least 1, got 0'],
    [-1, 0, undefined, 'of at least 0, got -1'],
    [0.5, 0, undefined, 'of at least 0, got 0.5'],
    [2 ** 53, 1, undefined, 'of at least 1, got 9007199254740992'],
    [Number.POSITIVE_INFINITY, 1, undefined, 'of at least 1, got Infinity'],
  ])('refuses %d from %d to %s', (value, least, most, words) => {
    expect(() => requireWhole('fields', value, least, most)).toThrow(
      new RangeError(`"fields" expected a whole number ${words}`),
    );
  });

  it('refuses a text of digits as another type', () => {
    expect(() => requireWhole('fields', '7', 1)).toThrow(new TypeError('"fields" expected a number, got string'));
  });
});

describe('requireOneOf', () => {
  it('takes each text of the list', () => {
    for (const value of ['any', 'exact'])
      expect(() => requireOneOf('matchKinds', value, ['any', 'exact'])).not.toThrow();
  });

  it.each(['all', '', 'Any', undefined, null, ['any']])('refuses %j and lists what is allowed', (value) => {
    expect(() => requireOneOf('matchKinds', value, ['any', 'exact'])).toThrow(
      new TypeError('"matchKinds" expected "any" or "exact"'),
    );
  });
});

describe.each([
  ['requireFunction', requireFunction, () => undefined, 'a function'],
  ['requireString', requireString, '', 'a string'],
  ['requireBoolean', requireBoolean, false, 'true or false'],
] as const)('%s', (_, require, valid, expected) => {
  const test: (label: string, value: unknown) => void = require;

  it(`takes ${expected}`, () => {
    expect(() => test('option', valid)).not.toThrow();
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'number'],
    [{}, 'object'],
    [['yes', 'no'], 'a list of 2'],
  ])('refuses %j by its type', (value, got) => {
    expect(() => test('option', value)).toThrow(new TypeError(`"option" expected ${expected}, got ${got}`));
  });
});

it.each<[unknown, string]>([
  [null, 'null'],
  [undefined, 'undefined'],
  [[], 'a list of 0'],
  [[1, 2], 'a list of 2'],
  [{}, 'object'],
  ['null', 'string'],
])('the type of %j is called %s', (value, name) => {
  expect(nameOf(value)).toBe(name);
});

describe('an error about an option', () => {
  const error = optionError(RangeError, 'port', 'a whole number from 1 to 9', '10');

  it('can be worded under another name', () => {
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe('"port" expected a whole number from 1 to 9, got 10');
    expect(formatFault('--port', faultOf(error)!)).toBe('--port expected a whole number from 1 to 9, got 10');
    expect(formatFault('--port', optionError(TypeError, 'port', 'a number'))).toBe('--port expected a number');
  });

  it('looks like any other error when it is logged', () => {
    expect(Object.keys(error)).toEqual([]);
    expect(faultOf(new RangeError('"port" expected a number'))).toBeUndefined();
    expect(faultOf('port')).toBeUndefined();
  });
});
