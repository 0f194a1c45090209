import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalise, whyNotIdentifier } from '../../src/canonical.ts';
import { readClearValue } from '../../src/core/identifiers/clear-value.ts';
import { isMailHost, isSharedHost } from '../../src/core/identifiers/platforms.ts';
import { isMailProvider } from '../../src/core/identifiers/words-for-no-value.ts';

const LIST = new URL('../../src/core/identifiers/mail-hosts.ts', import.meta.url);

/** Why a value is left out, as it is written or in its canonical form. */
const left = (kind: string, value: string) =>
  whyNotIdentifier(kind, value) ?? whyNotIdentifier(kind, canonicalise(kind, value).value);

describe('a domain', () => {
  it.each(
    (
      'https://www.facebook.com/adasshop http://m.facebook.com/ada de-de.facebook.com/ada instagram.com/ada t.me/ada ' +
      'https://linktr.ee/ada https://www.etsy.com/shop/ada https://www.ebay.de/usr/ada youtube.com/@ada ' +
      'https://github.com/ada https://sites.google.com/view/ada https://docs.google.com/forms/d/1 ' +
      'https://drive.google.com/file/d/1 https://forms.gle/a bit.ly/a https://storage.googleapis.com/b/x.html ' +
      'https://s3.amazonaws.com/b/x.html https://s3.eu-west-1.amazonaws.com/b https://ipfs.io/ipfs/Qm1 ' +
      'https://web.archive.org/web/2024/https://shop.example https://translate.google.com?u=x facebook.com ' +
      'gmail.com @gmail.com outlook.com co.uk com.br github.io myshopify.com https://www.amazon.co.uk/dp/1 x.com ' +
      'https://vk.com/ada tiktok.com/@ada wa.me/15550100199 https://web.facebook.com/ada canva.site amazonaws.com ' +
      'https://articulo.mercadolibre.com.ar/MLA-1 https://www.mercadolibre.cl/a trendyol.com/a https://jp.mercari.com/item/m1 ' +
      'marktplaats.nl https://buy.stripe.com/a'
    ).split(' '),
  )('of many people names no person: %s', (value) => expect(left('domain', value)).toBe('nobody'));

  it.each(
    (
      'ada.blogspot.com adasshop.myshopify.com ada.github.io adasshop.etsy.com ada.tumblr.com ada.t.me ' +
      'facebook.com.evil.example facebook-login.com amazon.tk ebay-kauf.de myebay.com com.de shop.co.uk ' +
      'ada.sharepoint.com bucket.s3.amazonaws.com kundenservice.shop paypa1.com facebook.xyz'
    ).split(' '),
  )('of one owner is an identifier: %s', (value) => expect(left('domain', value)).toBe(undefined));

  it.each(['shop.example_deleted', 'shop.example-old', 'shop.example1', 'https://shop.example_old/a'])(
    '%s is damaged',
    (value) => expect(left('domain', value)).toBe('destroyed'),
  );

  it.each(['shop.example shop2.example', 'shop.example / shop2.example', 'shop.example, www.shop2.example'])(
    '%s is two',
    (value) => {
      expect(left('domain', value)).toBe('nobody');
      expect(readClearValue('domain', value, { isSharedHost, canonical: {} })).toBe('nobody');
    },
  );

  it.each(['my–shop.example', 'my\u2011shop.example', 'https://my\u2212shop.example/a'])('%s has a hyphen', (value) =>
    expect(canonicalise('domain', value)).toMatchObject({ value: 'my-shop.example', isCanonical: true }),
  );

  it.each(['shop.example - Shop', 'www shop.example', 'Shop shop.example'])('%s joins no words', (value) =>
    expect(canonicalise('domain', value).isCanonical).toBe(false),
  );

  it.each([
    'shop .example',
    ' shop.example ',
    'https:// shop.example/a b',
    'shop. example',
    'https://shop.example/?a=b c',
  ])('%s has spaces that mean nothing', (value) =>
    expect(canonicalise('domain', value)).toMatchObject({ value: 'shop.example', isCanonical: true }),
  );
});

const PROVIDERS = (
  'yahoo.co.jp yahoo.com.br yahoo.com.tw yahoo.ca hotmail.com.tr hotmail.be outlook.fr outlook.com.br live.nl live.com.mx ' +
  'me.com ymail.com onet.pl o2.pl virgilio.it tim.it btinternet.com telenet.be ziggo.nl centrum.cz ukr.net ' +
  'freemail.hu sbcglobal.net att.net cox.net bigpond.com uol.com.br bol.com.br docomo.ne.jp ' +
  'ezweb.ne.jp 126.com sina.com daum.net'
).split(' ');

describe('a provider of mail', () => {
  it.each(PROVIDERS)('is no domain of a person: %s', (host) => {
    expect(left('domain', host)).toBe('nobody');
    expect(left('email', `test@${host}`)).toBe('placeholder');
    expect(left('email', `ada@${host}`)).toBe(undefined);
  });

  it.each(['yahoo.tk', 'outlook-login.com', 'live.shop', 'hotmail.com.evil.example', 'aliveit.com'])(
    'has not the host %s',
    (host) => expect(left('domain', host)).toBe(undefined),
  );
});

/** Written from what providers of each country say of themselves, without a look at the list. */
const MORE_PROVIDERS = (
  'posteo.de mailbox.org tutanota.com tuta.io fastmail.com hey.com zoho.com pm.me duck.com mozmail.com passmail.net ' +
  'privaterelay.appleid.com mac.com interia.pl tlen.pl abv.bg mail.bg centrum.sk azet.sk post.cz email.cz rediffmail.com ' +
  'nate.com yeah.net 139.com aliyun.com foxmail.com shaw.ca rogers.com telus.net sympatico.ca videotron.ca charter.net ' +
  'earthlink.net juno.com netzero.net optonline.net bellsouth.net windstream.net skynet.be proximus.be xs4all.nl ' +
  'planet.nl home.nl hetnet.nl casema.nl chello.nl tele2.nl bbox.fr neuf.fr numericable.fr club-internet.fr alice.it ' +
  'tiscali.it fastwebnet.it sapo.pt clix.pt netcabo.pt telefonica.net terra.es ono.com telia.com comhem.se bredband.net ' +
  'online.no broadpark.no tdcadsl.dk mail.dk stofanet.dk elisanet.fi kolumbus.fi otenet.gr hol.gr mynet.com walla.co.il ' +
  'netvision.net.il bezeqint.net rambler.ru i.ua meta.ua tut.by inbox.lv one.lv xtra.co.nz optusnet.com.au ' +
  'iinet.net.au tpg.com.au softbank.ne.jp nifty.com biglobe.ne.jp ocn.ne.jp plala.or.jp so-net.ne.jp au.com ' +
  'terra.com.br ig.com.br globo.com r7.com prodigy.net.mx arnet.com.ar fibertel.com.ar mweb.co.za telkomsa.net ' +
  'talktalk.net sky.com virginmedia.com ntlworld.com blueyonder.co.uk plusnet.com tiscali.co.uk eircom.net arcor.de ' +
  'online.de netcologne.de a1.net hispeed.ch mailinator.com hotmail.co.th outlook.sk yahoo.fi live.com.ph ' +
  'https://www.web.de/mail WEB.DE @posteo.de Posteo.de.'
).split(' ');

describe('a less used provider of mail', () => {
  it.each(MORE_PROVIDERS)('is no domain of a person: %s', (value) => {
    expect(left('domain', value)).toBe('nobody');
    expect(readClearValue('website', value, { isSharedHost, canonical: {} })).toBe('nobody');
  });

  it.each(
    (
      'live.com.xx hotmail.com.xx outlook.co.xx yahoo.com.qq live.co.aa gmial.com hotmial.com yaho.com shop-posteo.de ' +
      'posteo.de.evil.example ada.web.de myposteo.de mercadolibre.com.xx example.com test-shop.de mailshop.de'
    ).split(' '),
  )('has not the host %s', (value) => expect(left('domain', value)).toBe(undefined));

  it('stands in one list only', () => {
    const hosts = [...readFileSync(LIST, 'utf8').matchAll(/^\.(\S+) (.*(?:\n(?![.`]).*)*)/gm)].flatMap(
      ([, top, names]) => names!.split(/\s+/).map((name) => `${name}.${top}`),
    );
    expect(hosts.length).toBeGreaterThan(2_500);
    expect(hosts.filter((host) => !isMailHost(host) || isMailProvider(host))).toEqual([]);
    expect(hosts.filter((host) => !/^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(host))).toEqual([]);
    expect(new Set(hosts).size).toBe(hosts.length);
  });
});

describe('a number of tax', () => {
  it.each(
    (
      'XAXX010101000 XEXX010101000 999999990 PT999999990 222222222222-7 44444401-7 URP C/F CF 20-00000000-0 ' +
      'XXXXXXX 00000000T 12345678Z 123.456.789-09 DE000000000 IT00000000000 ATU00000000 GB000000000 99001 CHE-000.000.000 ' +
      'DE123456789 ATU12345678 NL123456789B01 BE0123456789 FR12345678901 B12345678'
    ).split(' '),
  )('that law gives to everybody names no person: %s', (value) => {
    for (const kind of ['vat', 'tax_id', 'rfc', 'nif', 'cpf']) expect(left(kind, value), kind).toMatch(/nobody|placeh/);
  });

  it.each(['DE136695976', 'ATU12345675', 'GODE561231GR8', '529.982.247-25', '12345678A', 'IT00743110157', '99002'])(
    'of one is an identifier: %s',
    (value) => expect(left('tax_id', value)).toBe(undefined),
  );

  it('is another thing in another column', () => {
    for (const kind of ['customer', 'device', 'order'])
      for (const value of ['99001', 'CF', '999999990']) expect(left(kind, value), kind).toBe(undefined);
  });
});

describe('--mailbox', () => {
  const mailbox = (value: string) => canonicalise('email', value, { mailbox: true });
  it.each([
    'pf+abc@trendyolmail.com',
    'support+id123@shop.zendesk.com',
    'case+1@shop.freshdesk.com',
    'reply+abc@reply.github.com',
    'u+1234@reply.airbnb.com',
    'store+123@g.shopifyemail.com',
    'support+42@shop.com',
    'info+ada@shop.com',
    'orders+7@shop.com',
  ])('leaves the tag of a relay or a duty: %s', (value) =>
    expect(mailbox(value)).toEqual({ value, changes: [], isCanonical: true }),
  );

  it.each(['ada+shop@gmail.com', 'ada.lovelace+x@shop.com', 'ada+x@reply.com', 'ada+x@replyshop.com'])(
    'cuts the tag of a person: %s',
    (value) => expect(mailbox(value).changes).toContain('plus-tag'),
  );
});

describe('an email', () => {
  it.each(
    (
      'void@razorpay.com guest@square.com pos@shop.com guest@shop.com cash@shop.com kasse@shop.de ebay@ebay.com ' +
      'comptoir@shop.fr mostrador@shop.es consumidor.final@gmail.com nouser@mercadolibre.com gdpr@shop.com ' +
      'optout@shop.com declined@shop.com notgiven@shop.com anonym@shop.de 123456@qq.com a@naver.com 1@mail.ru ' +
      'net@mail.ru nonha@mail.it niemam@gmail.com hatkeine@web.de bezemailu@seznam.cz gmail@gmail.com ' +
      'teste@teste.com prueba@prueba.com deneme@deneme.com essai@essai.fr prova@prova.it proba@proba.hu client@client.com ' +
      'cliente@cliente.com kunde@kunde.de klient@klient.pl asiakas@asiakas.fi beispiel@beispiel.de teste@gmail.com ' +
      'prueba@gmail.com deneme@hotmail.com ejemplo@gmail.com exemplo@gmail.com ihre@email.de votre@email.fr ' +
      'seuemail@gmail.com tucorreo@gmail.com nocorreo@gmail.com ingenmail@gmail.com neni@neni.cz ' +
      'nessunamail@gmail.com tidakpunya@gmail.com ' +
      'caisse@shop.fr caja@shop.es cassa@shop.it kassa@shop.nl pos1@shop.com pos-01@shop.com kasse_2@shop.de ' +
      'barverkauf@shop.de laufkunde@shop.de laufkundschaft@shop.de unknown@shop.com unbekannt@shop.de inconnu@shop.fr ' +
      'desconocido@shop.es anon@shop.com contact@privacyprotect.org ' +
      'msprvs1=abc=bounces@shop.com bounce-12345@shop.com bounces+7@shop.com bounce@shop.com'
    ).split(' '),
  )('of no person: %s', (value) => expect(left('email', value)).toMatch(/placeholder|nobody/));

  it.each(
    (
      'bounce-house@rental.com bouncehouse@rental.com johnny.cash@gmail.com pos.system@gmail.com cash.m@shop.com ' +
      'gast@hotel.de anonymous.band@gmail.com 7654328@qq.com 1234@qq.com ab@naver.com guesthouse@hotel.com a@b.de ' +
      'till@shop.de muster@muster.de caja@gmail.com caissette@shop.fr pos1tive@shop.com kunde@shop.de client@shop.com ' +
      'anonyme.x@shop.fr neni@gmail.com prova.costume@shop.it nada@gmail.com a1b2.protect@withheldforprivacy.com ' +
      'declan@shop.com kassel@shop.de netto@mail.ru dr.void@razorpay.com'
    ).split(' '),
  )('of a person: %s', (value) => expect(left('email', value)).toBe(undefined));

  it.each(
    (
      'ali\u0307@gmail.com ada@gmai\u0307l.com ada@gma\u0131l.com ALİ@GMAİL.COM ada=mail.example@example.com ' +
      'mail=ada@mail.example E=ada@mail.example ada%mail.example@relay.example live.com#ada@mail.example ' +
      '📧ada@mail.example •ada@mail.example #ada@mail.example $ada@mail.example ada@mail.example~'
    ).split(' '),
  )('that may be another one is not canonical: %s', (value) =>
    expect(canonicalise('email', value).isCanonical).toBe(false),
  );

  it.each([
    'ada@mail.example」',
    '【ada@mail.example】',
    '〈ada@mail.example〉',
    '’ada@mail.example’',
    '「ada@mail.example」',
    'ada@mail.example’',
    'ada@mail.example”',
    'ada@mail.example“',
    'ada@mail.example–',
    'ada@mail.example様',
  ])('loses the marks of a text: %s', (value) =>
    expect(canonicalise('email', value)).toMatchObject({ value: 'ada@mail.example', isCanonical: true }),
  );

  it.each([
    ['o’brien@mail.example', "o'brien@mail.example"],
    ['o´brien@mail.example', "o'brien@mail.example"],
    ['ada\u2011l@mail.example', 'ada-l@mail.example'],
    ['ada–l@mail.example', 'ada-l@mail.example'],
    ['ada@my–shop.example', 'ada@my-shop.example'],
    ['ada@my\u2011shop.example', 'ada@my-shop.example'],
    ["'ada@mail.example' <ada@mail.example>", 'ada@mail.example'],
    ['"ada@mail.example" <ada@mail.example>', 'ada@mail.example'],
  ])('has the marks of a keyboard: %s', (value, text) => {
    expect(readClearValue('email', value, { isSharedHost, canonical: {} })).toEqual({ text, isCanonical: true });
    expect(whyNotIdentifier('email', value)).toBe(undefined);
  });

  it('of two people is two, whatever stands around them', () => {
    for (const value of ["'bob@mail.example' <ada@mail.example>", '"bob@mail.example" <ada@mail.example>'])
      expect(whyNotIdentifier('email', value), value).toBe('nobody');
  });

  it('with a mark that stays is not canonical', () => {
    for (const value of ['ada@mail.example¶', 'ada@mail.exampleの', 'ada@mail.example→x'])
      expect(canonicalise('email', value).isCanonical, value).toBe(false);
    for (const value of ['ada@münchen.example', 'ada@пример.рф', 'ada@例え.テスト', 'ada@shop.vermögensberatung'])
      expect(canonicalise('email', value).isCanonical, value).toBe(true);
  });

  it('in a column of user names is judged as one', () => {
    for (const kind of ['Username', 'User Principal Name', 'name'])
      expect(whyNotIdentifier(kind, 'none@none.com'), kind).toBe('placeholder');
    expect(whyNotIdentifier('username', '@ada')).toBe(undefined);
    expect(whyNotIdentifier('username', 'ada@shop.example')).toBe(undefined);
  });
});

describe('a name', () => {
  it.each([
    'Invitado',
    'Ospite',
    'Convidado',
    'Гость',
    'Gość',
    'ゲスト',
    '游客',
    '손님',
    'Consumidor Final',
    'CONSUMIDOR FINAL',
    'Público en General',
    'PUBLICO EN GENERAL',
    'Cliente Mostrador',
    'Barkunde',
    '散客',
    '店頭',
    'Khách lẻ',
    'Perakende Müşteri',
    'Розничный покупатель',
    'Customer',
    'test user',
    'Test User',
    'テスト',
    '%s',
    '%(name)s',
    '{0}',
    '##name##',
    '$name',
    '-name-',
  ])('of nobody: %s', (value) => {
    for (const kind of ['name', 'customer', 'username']) expect(left(kind, value), kind).toBe('placeholder');
  });

  it.each(['None', 'Array', 'unset', 'HIDDEN', 'not set'])('of no user: %s', (value) => {
    expect(left('username', value)).toBe('placeholder');
  });

  it.each(['None', 'Null', 'Ada Guest', 'Gость', '$ada', '100%', 'Kunder', 'Konsumidor'])('of a person: %s', (value) =>
    expect(whyNotIdentifier('name', value)).toBe(undefined),
  );

  it.each(['Vero', 'Tom', 'Inga', 'Blank', 'Nil'])('of a customer or company: %s', (value) => {
    for (const kind of ['customer', 'company'])
      expect(readClearValue(kind, value, { isSharedHost, canonical: {} }), kind).toBeTypeOf('object');
    expect(left('customer', value.toLowerCase())).toBe('placeholder');
  });
});

it.each([
  ['device', 'To be filled by O.E.M.'],
  ['device', 'Default string'],
  ['device', 'System Serial Number'],
  ['device', '03000200-0400-0500-0006-000700080009'],
  ['device', '0123456789ABCDEF'],
  ['device', '012345678901234'],
  ['device', 'emulator-5554'],
  ['device', 'iPhone14,5'],
  ['device', '11111111-1111-1111-1111-111111111111'],
  ['card', '4242424242424242'],
  ['card', '4111 1111 1111 1111'],
  ['card', 'XXXXXXXXXXXX1111'],
  ['card', 'tok_visa'],
  ['card', 'Visa ending in 1111'],
  ['card', '1881'],
  ['card_last4', '0005'],
  ['Credit Card Number', '411111'],
  ['card', '12/26'],
  ['card', '411111xxxxxx1111'],
  ['card', '4111-11XX-XXXX-1111'],
  ['device', '004999010640000'],
  ['device', '123456789012345'],
  ['device', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:122.0) Gecko/20100101 Firefox/122.0'],
  ['user_agent', 'Dalvik/2.1.0 (Linux; U; Android 13; SM-G991B)'],
  ['iban', 'DE00 0000 0000 0000 0000 00'],
  ['iban', 'DE12345678901234567890'],
])('the %s %s is of many people', (kind, value) => expect(left(kind, value)).not.toBe(undefined));

it.each([
  ['device', '0b6fd2a4-1111-4111-8111-111111111111'],
  ['device', 'emulator-x1'],
  ['card', '4242424242424241'],
  ['card', 'tok_1abcDEF'],
  ['card', '4111111111111112'],
  ['card', 'Xt5EWLLDS7FJjR1c'],
  ['gift_card', '10458812'],
  ['customer', '1881'],
  ['iban', 'DE89370400440532013000'],
  ['device', 'Mozilla'],
])('the %s %s is of one', (kind, value) => expect(left(kind, value)).toBe(undefined));

describe('an address', () => {
  it.each([
    '11.22.33.0',
    '11.22.0.0',
    '2a02:8109:1234::',
    '2a02:8109:1234:5678::',
    '11.22.33.0:443',
    '::ffff:11.22.33.0',
  ])('that was cut for privacy names no person: %s', (value) => expect(left('ip', value)).toBe('nobody'));

  it('in digits of another script is one', () => {
    expect(readClearValue('ip', '٨١.٢.٦٩.١٤٢', { isSharedHost, canonical: {} })).toMatchObject({ text: '81.2.69.142' });
    expect(left('ip', '١٠.٠.٠.١')).toBe('nobody');
  });

  it.each(['11.22.33.10', '11.22.0.1', '2a02:8109::1', '11.0.0.1', '11.22.33.255'])('is one: %s', (value) =>
    expect(left('ip', value)).toBe(undefined),
  );

  it.each(['64:ff9b::11.22.33.44', '::11.22.33.44', '::ffff:0:11.22.33.44', '::ffff:11.22.33.44'])(
    'of version 4 in %s is that of version 4',
    (value) => expect(canonicalise('ip', value)).toMatchObject({ value: '11.22.33.44', isCanonical: true }),
  );

  it.each(['::1', '::', '::2', '2002:b16:212c::1', '64:ff9b:1::11.22.33.44'])('of version 6 stays: %s', (value) =>
    expect(canonicalise('ip', value).value).toMatch(/:/),
  );
});

describe('a hash', () => {
  const hashes = ['e6046ea1e61328d5ad100fdf7507b841b5112932', 'ab'.repeat(16), 'AB'.repeat(32)];
  it.each(hashes)('in place of an address or a name is one already: %s', (value) => {
    for (const kind of ['phone', 'name', 'email', 'ip', 'domain', 'Telefon'])
      expect(whyNotIdentifier(kind, value), kind).toBe('hash');
    for (const kind of ['device', 'session', 'username', undefined])
      expect(whyNotIdentifier(kind, value)).toBe(undefined);
  });
});

it('two emails with a line mark between them are two', () => {
  for (const mark of ['\u0085', '\u2028'])
    expect(whyNotIdentifier('email', `a@b.example${mark}c@d.example`)).toBe('nobody');
});
