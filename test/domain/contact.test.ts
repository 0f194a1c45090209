import { describe, expect, it } from 'vitest';
import { linkOfContact, textOfContact, toContact } from '../../src/core/domain/contact.ts';

describe('a public contact', () => {
  it.each([
    ['fraud@shop.example', 'mailto:fraud@shop.example'],
    ['Fräud@läden.example', 'mailto:Fräud@läden.example'],
    ['+49 (30) 123-456/7', undefined],
    ['110', undefined],
    ['https://shop.example/fraud?about=reports#how', 'https://shop.example/fraud?about=reports#how'],
    ['HTTPS://shop.example', 'HTTPS://shop.example'],
    ['mailto:fraud@shop.example', 'mailto:fraud@shop.example'],
  ])('may be %s', (contact, link) => {
    expect(toContact(`  ${contact} `)).toEqual({ ok: true, value: contact });
    expect(linkOfContact(contact)).toBe(link);
  });

  it.each([
    '',
    '   ',
    'ask us',
    'http://shop.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    'https://',
    'https://fraud@shop.example',
    'https://shop.example@evil.example',
    'https://:secret@shop.example',
    'https://shop.example\\@evil.example',
    'https://shop.example and more',
    'mailto:',
    'mailto:fraud@shop.example?bcc=a@evil.example',
    'mailto:a@shop.example,b@evil.example',
    'a@b@shop.example',
    'fraud%40evil.example@shop.example',
    'mailto:fraud%0a@shop.example',
    'help@evil.example#.shop.example',
    'mailto:help#@shop.example',
    'mailto://fraud@shop.example',
    'https:///fraud.example',
    'https:////shop.example',
    'Shop <fraud@shop.example>',
    'fraud@shop',
    '12',
    '+1234567890123456',
    '12+34567',
    'fraud@shop.example\nsecond line',
    'fraud@shop\u200b.example',
    'fraud@\u202eshop.example',
    `https://shop.example/${'x'.repeat(180)}`,
    7 as unknown as string,
  ])('is not %j', (contact) => {
    expect(toContact(contact)).toEqual({ ok: false, refusal: { reason: 'invalid-contact', limitCharacters: 200 } });
    if (typeof contact === 'string' && contact.length < 200) expect(linkOfContact(contact)).toBeUndefined();
  });

  it.each([
    ['https://shöp.example/Über?a=1', 'https://xn--shp-tna.example/Über?a=1'],
    ['https://ѕhop.example', 'https://xn--hop-ehd.example'],
    ['HTTPS://SHOP.example:443/a', 'https://shop.example/a'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https:shop', 'https:shop'],
    ['mailto:fraud@shop.example', 'fraud@shop.example'],
    ['+49 30 1234567', '+49 30 1234567'],
  ])('%s is shown as %s', (contact, text) => expect(textOfContact(contact)).toBe(text));

  it('is stored in Unicode form NFC', () => {
    expect(toContact('cafe\u0301@shop.example')).toEqual({ ok: true, value: 'café@shop.example' });
  });
});
