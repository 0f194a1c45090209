import { MAIL_HOSTS } from './mail-hosts.ts';

/**
 * Hosts whose paths belong to many people: social networks, marketplaces, forms and files, short links, storage and
 * archives. A subdomain, such as `ada.tumblr.com`, may be one person's.
 */
const PLATFORMS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'facebook.com fb.com fb.me m.me messenger.com instagram.com threads.net twitter.com x.com t.co t.me telegram.me ' +
    'telegram.org wa.me whatsapp.com api.whatsapp.com chat.whatsapp.com tiktok.com vm.tiktok.com snapchat.com ' +
    'pinterest.com reddit.com linkedin.com lnkd.in xing.com vk.com vk.ru ok.ru youtube.com youtu.be twitch.tv ' +
    'discord.gg discord.com weibo.com tumblr.com medium.com substack.com patreon.com onlyfans.com linktr.ee beacons.ai ' +
    'bio.link about.me carrd.co behance.net soundcloud.com vimeo.com flickr.com quora.com line.me kakao.com steamcommunity.com ' +
    'github.com gist.github.com raw.githubusercontent.com gitlab.com bitbucket.org gravatar.com ' +
    'ebay.com ebay.de ebay.co.uk ebay.fr ebay.it ebay.es ebay.com.au ebay.ca ebay.at ebay.ch ebay.pl amazon.com amazon.de ' +
    'amazon.co.uk amazon.fr amazon.it amazon.es amazon.nl amazon.pl amazon.se amazon.ca amazon.in amazon.co.jp ' +
    'amazon.com.br amazon.com.mx amazon.com.au amzn.to etsy.com aliexpress.com alibaba.com taobao.com temu.com shopee.com ' +
    'shopee.co.id shopee.com.br shopee.ph shopee.vn lazada.com tokopedia.com mercadolibre.com mercadolivre.com.br allegro.pl ' +
    'trendyol.com rakuten.co.jp jp.mercari.com marktplaats.nl bol.com buy.stripe.com ' +
    'olx.pl olx.com.br olx.ua vinted.com vinted.de vinted.fr kleinanzeigen.de ebay-kleinanzeigen.de leboncoin.fr ' +
    'wallapop.com subito.it avito.ru ozon.ru wildberries.ru craigslist.org gumtree.com depop.com poshmark.com fiverr.com ' +
    'upwork.com airbnb.com booking.com paypal.com paypal.me venmo.com cash.app gofundme.com ko-fi.com buymeacoffee.com ' +
    'google.com google.de google.co.uk docs.google.com drive.google.com sites.google.com forms.google.com ' +
    'translate.google.com maps.google.com plus.google.com maps.app.goo.gl goo.gl g.co g.page forms.gle ' +
    'forms.office.com onedrive.live.com 1drv.ms dropbox.com wetransfer.com we.tl mega.nz mediafire.com icloud.com box.com ' +
    'notion.so airtable.com typeform.com jotform.com form.jotform.com surveymonkey.com trello.com canva.com scribd.com ' +
    'pastebin.com telegra.ph bit.ly tinyurl.com is.gd ow.ly buff.ly cutt.ly rb.gy rebrand.ly t.ly shorturl.at tiny.cc s.id ' +
    'adf.ly bl.ink qrco.de storage.googleapis.com storage.cloud.google.com firebasestorage.googleapis.com ipfs.io dweb.link ' +
    'cloudflare-ipfs.com gateway.pinata.cloud web.archive.org archive.org archive.ph archive.is archive.today ' +
    'translate.goog wikipedia.org play.google.com apps.apple.com'
  ).split(' '),
);

/** Names below which anybody gets a host of their own (a part of publicsuffix.org). */
const SUFFIXES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'github.io gitlab.io pages.dev workers.dev r2.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com ' +
    'azurewebsites.net cloudfront.net myshopify.com blogspot.com wordpress.com wixsite.com wixstudio.io weebly.com ' +
    'webflow.io glitch.me repl.co replit.app onrender.com fly.dev duckdns.org ngrok.io ngrok-free.app trycloudflare.com ' +
    '000webhostapp.com square.site godaddysites.com notion.site mystrikingly.com jimdosite.com jimdofree.com tilda.ws ' +
    'translate.goog ddns.net no-ip.org canva.site blob.core.windows.net amazonaws.com'
  ).split(' '),
);

/** Names in which countries register: `co.uk`, `com.br`. */
const REGISTRY =
  /^(?:com?|org?|net?|ac|edu|gov?|gob|mil)\.(?:uk|br|au|jp|nz|za|kr|in|id|il|tr|mx|ar|co|pe|cn|tw|hk|sg|my|th|vn|ph|pk|bd|ng|ke|gh|eg|ua|pl|ru|gr|cy|mt|es|pt|at|hu|ve|ec|uy|py|bo|cr|do|gt|sa|ae)$/;

/** Buckets of Amazon in a path, and languages of platforms. */
const OTHERS =
  /^(?:s3(?:[.-][a-z\d-]{4,20})?\.amazonaws\.com|(?:[a-z]{2}(?:-[a-z]{2})?|web)\.(?:facebook|linkedin|pinterest|instagram)\.com|(?:articulo\.)?mercadolibre\.(?:cl|co\.cr|com\.(?:ar|bo|co|do|ec|gt|hn|mx|ni|pa|pe|py|sv|uy|ve)))$/;

const kept: { mailHosts?: ReadonlySet<string> } = {};

/** Returns true for the host of a provider of mail that is not among the most used ones. */
export function isMailHost(host: string): boolean {
  kept.mailHosts ??= readMailHosts();
  return kept.mailHosts.has(host);
}

function readMailHosts(): ReadonlySet<string> {
  const read = new Set<string>();
  let top = '';
  for (const word of MAIL_HOSTS.trim().split(/\s+/))
    if (word.startsWith('.')) top = word;
    else read.add(word + top);
  return read;
}

/** Returns true for a host of a list. */
export type IsHost = (host: string) => boolean;

/**
 * Returns true for the host of a platform, of a provider of mail, or of a registry: many people share it. The most used
 * providers of mail are not here (`isMailProvider`).
 */
export function isSharedHost(given: string): boolean {
  const host = given.replace(/^(?:www|m|mobile|old)\./, '');
  if (REGISTRY.test(given)) return true;
  return [given, host].some((one) => PLATFORMS.has(one) || SUFFIXES.has(one) || OTHERS.test(one) || isMailHost(one));
}
