import parsePhone, { isSupportedCountry } from 'libphonenumber-js';
import { describe, expect, it } from 'vitest';
import { canonicalise, whyNotIdentifier } from '../../src/canonical.ts';
import { readClearValue } from '../../src/core/identifiers/clear-value.ts';
import { isSharedHost } from '../../src/core/identifiers/platforms.ts';

const read = (country: string | undefined, value: string) =>
  canonicalise('phone', value, country === undefined ? {} : { country, parsePhone });

describe('a number with an extension', () => {
  it.each([
    ['+1 480-680-6850 ext. 55387', '+14806806850;ext=55387'],
    ['+1 480-680-6850 x55387', '+14806806850;ext=55387'],
    ['tel:+1-480-680-6850;ext=55387', '+14806806850;ext=55387'],
    ['tel:+1-480-680-6850;isub=1;ext=55387', '+14806806850;ext=55387'],
    ['+7 495 123-45-67 доб. 12', '+74951234567;ext=12'],
    ['+81 3-1234-5678 内線 12', '+81312345678;ext=12'],
    ['+48 22 123 45 67 wew. 12', '+48221234567;ext=12'],
  ])('%s keeps it, because it may be the person', (value, canonical) => {
    expect(read(undefined, value)).toMatchObject({ value: canonical, isCanonical: false, doubt: 'extension' });
    expect(read('US', value)).toMatchObject({ value: canonical, isCanonical: false, doubt: 'extension' });
    expect(read(undefined, canonical).changes).toEqual([]);
  });

  it('of a country is read as the number without one', () => {
    expect(read('US', '(480) 680-6850 ext 5')).toMatchObject({ value: '+14806806850;ext=5', doubt: 'extension' });
    expect(readClearValue('phone', '+1 000 000 0000 ext. 5', { isSharedHost })).toBe('placeholder');
  });
});

describe('a number that may lack its area', () => {
  it.each([
    ['BR', '91234-5678'],
    ['BR', '9 1234 5678'],
    ['BR', '3456-7890'],
    ['CN', '62345678'],
    ['CN', '6135083'],
    ['PL', '4705970'],
    ['AT', '7858622'],
    ['ID', '6234567'],
    ['IR', '2345678'],
    ['BD', '7123456'],
    ['DE', '2345678'],
    ['DE', '23456789'],
    ['DE', '116117'],
  ])('in %s, %s is no canonical number', (country, value) =>
    expect(read(country, value)).toMatchObject({
      value: value.replace(/[ -]/g, ''),
      isCanonical: false,
      doubt: 'no-area-code',
    }),
  );

  it.each([
    ['BR', '11 91234-5678', '+5511912345678'],
    ['CN', '010 6234 5678', '+861062345678'],
    ['PL', '22 470 59 70', '+48224705970'],
    ['DE', '15112345678', '+4915112345678'],
    ['DE', '030 901820', '+4930901820'],
    ['ID', '0812-3456-780', '+628123456780'],
    ['BA', '61123456', '+38761123456'],
    ['NO', '40612345', '+4740612345'],
    ['CK', '21218', '+68221218'],
  ])('in %s, %s has it', (country, value, canonical) =>
    expect(read(country, value)).toMatchObject({ value: canonical, isCanonical: true }),
  );
});

it.each([
  // Lengths until 2021, 2024 and 2018.
  '+225 07 12 34 56',
  '+229 97 12 34 56',
  '+84 168 1234567',
  '+33 6 12 34 56',
  '+44 7912 34567',
  '+34 612 345 67',
  '+48 600 123 45',
  '+45 40 61 23 4',
  '+55 91234-5678',
  '+86 6234 5678',
])('%s has the wrong length in any country', (value) => {
  expect(read(undefined, value)).toMatchObject({ isCanonical: false, doubt: 'wrong-length' });
  expect(read('DE', value).isCanonical).toBe(false);
});

it.each(['+1 112 555 0123', '+1 911 555 0123', '+1 055 555 0123'])('%s has no area', (value) =>
  expect(read(undefined, value)).toMatchObject({ isCanonical: false, doubt: 'unused-number' }),
);

it.each(['-5947', '-15112296', '-12345780', '\u22125947', '-5947.0', '8916123456_', '+7 916 123-45-6_'])(
  '%s is damaged, with a country too',
  (value) => {
    expect(whyNotIdentifier('phone', value)).toBe('destroyed');
    expect(readClearValue('phone', value, { isSharedHost, canonical: { country: 'RU', parsePhone } })).toBe(
      'destroyed',
    );
    expect(readClearValue('phone', value, { isSharedHost, canonical: { country: 'DE', parsePhone } })).toBe(
      'destroyed',
    );
  },
);

describe('a part of a number', () => {
  it.each(['5679', '12345', '90182', '116117', '4323 '])('%s names no one', (value) => {
    expect(whyNotIdentifier('phone', value)).toMatch(/nobody|placeholder/);
    expect(readClearValue('phone', value, { isSharedHost, canonical: { country: 'DE', parsePhone } })).toMatch(
      /nobody|placeholder/,
    );
  });

  it('is a number where numbers are so short', () => {
    expect(whyNotIdentifier('phone', '+682 21218')).toBe(undefined);
    expect(readClearValue('phone', '21218', { isSharedHost, canonical: { country: 'CK', parsePhone } })).toMatchObject({
      text: '+68221218',
    });
  });
});

it.each([
  '+5511999999999',
  '+55 (11) 99999-9999',
  '+79999999999',
  '+905555555555',
  '+966555555555',
  '+393333333333',
  '+34666666666',
  '+919999999999',
])('the mask %s stands for no number', (value) => expect(whyNotIdentifier('phone', value)).toBe('placeholder'));

it.each(['(212) 555-1212', '1-800-555-1212', '+1 416 555 1212', '555-1212', '01 02 03 04 05', '+33 1 02 03 04 05'])(
  '%s is of no customer',
  (value) => expect(whyNotIdentifier('phone', value)).toBe('placeholder'),
);

it.each([
  ['DE', '0049 151/23456780', '+4915123456780'],
  ['DE', '0049 (0)151/23456780', '+4915123456780'],
  ['DE', '+49 33631/2345678', '+49336312345678'],
  ['US', '011 49 151 23456780', '+4915123456780'],
  ['AU', '0011 49 151 23456780', '+4915123456780'],
  ['RU', '8~10 49 151 23456780', '+4915123456780'],
  ['JP', '010 49 151 23456780', '+4915123456780'],
])('in %s, %s is one number with an international prefix', (country, value, text) => {
  expect(whyNotIdentifier('phone', value)).toBe(undefined);
  expect(read(country, value)).toMatchObject({ value: text, isCanonical: true });
});

it.each(['0049 151 23456780 / 0049 151 23456781', '030 901820/030 901821', '001 212 555 0123/001 212 555 0124'])(
  '%s is two',
  (value) => expect(whyNotIdentifier('phone', value)).toBe('nobody'),
);

describe('the country of numbers', () => {
  it('may be in lower case', () => {
    expect(read('de', '030 901820')).toMatchObject({ value: '+4930901820', isCanonical: true });
  });

  it.each(['UK', 'Germany', ' DE', '', 'D'])('%j is refused', (country) => {
    expect(() => read(country, '030 901820')).toThrow(TypeError);
    expect(isSupportedCountry(country)).toBe(false);
  });
});
