import { isInsideWord, rangesOf, standsAlone, wordsBefore, type Range } from './spans.ts';

const LOCAL = /[\p{L}\p{M}\p{N}._%+'-]/u;
const DOMAIN = /[\p{L}\p{M}\p{N}.-]/u;
const LATIN = /[\p{sc=Latn}\d]/u;
/** Letters of scripts that are written without spaces, or with a prefix before an address. Others may imitate Latin. */
const JOINED = /(?![\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}])\p{L}/u;
/** A last part of a domain. Names of pictures such as `logo@2x.png` look like addresses. */
const TOP_LEVEL = /\.(?!(?:png|jpe?g|gif|webp|svg|avif|heic|pdf)(?!\p{L}))(?:xn--[\da-z-]+|\p{L}[\p{L}\p{M}]+)/giu;

/** Returns the email addresses, also inside a link: `local@domain`, the local part quoted or not. */
export function findEmails(text: string): Range[] {
  const found: Range[] = [];
  let after = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const to = domainEnd(text, at + 1);
    const from = to === undefined ? undefined : localStart(text, at, after);
    // In `git@host:path`, no person has the address.
    if (to === undefined || from === undefined || text.slice(from, at) === 'git') continue;
    found.push({ from, to });
    after = to;
  }
  return found;
}

function localStart(text: string, at: number, least: number): number | undefined {
  if (text.charAt(at - 1) === '"') {
    const quote = at < 2 ? -1 : text.lastIndexOf('"', at - 2);
    return quote < 0 ? undefined : Math.max(quote, least);
  }
  let from = endOfRun(text, at - 1, -1, least, LOCAL) + 1;
  while (from < at && /[.'%-]/.test(text.charAt(from))) from++;
  return from < at ? from : undefined;
}

function domainEnd(text: string, from: number): number | undefined {
  const domain = text.slice(from, endOfRun(text, from, 1, 0, DOMAIN));
  if (/^[.-]/.test(domain)) return undefined;
  let end: number | undefined;
  for (const part of domain.matchAll(TOP_LEVEL)) end = from + part.index + part[0].length;
  return end;
}

/**
 * Returns the first index after `from`, in steps of `step`, whose character does not match. After a Latin letter
 * or a digit, a letter of {@link JOINED} ends the run too.
 */
function endOfRun(text: string, from: number, step: 1 | -1, least: number, allowed: RegExp): number {
  let latin = false;
  let at = from;
  for (; at >= least && at < text.length; at += step) {
    const character = text.charAt(at);
    if (!allowed.test(character) || (latin && JOINED.test(character))) break;
    latin ||= LATIN.test(character);
  }
  return at;
}

/**
 * Names of reverse DNS with an address, which logs hold in place of the address: `192-0-2-66.static.isp.example`,
 * `2001-db8--66.static.isp.example` and `66.2.0.192.in-addr.arpa`.
 */
const REVERSE =
  /(?<!\d)(?:\d{1,3}(?:-\d{1,3}){3}|(?<![\da-f])[23f][\da-f]{3}(?:-[\da-f]{0,4}){2,7})(?=(?:\.[a-z\d-]{1,20}){2}\.[a-z]|\.ipv)|(?<![\da-f.])(?:[\da-f]{1,3}\.){4,32}i[\w-]{2,6}\.arpa/gi;

/** Returns the addresses in names of reverse DNS, but not in a link. */
export function findReverseNames(text: string): Range[] {
  return rangesOf(text, REVERSE).filter(({ from, to }) => {
    const name = text.slice(from, to);
    return (
      (name.includes('.') || isIpv4(name.replaceAll('-', '.')) || isIpv6(name.replaceAll('-', ':'))) &&
      !/\/[\w-]*$/.test(text.slice(Math.max(0, from - 20), from))
    );
  });
}

/** Words before four numbers that are a version or a section, not an address. */
const NUMBERED =
  /(?:^|[^\p{L}])(?:r?v|ver|vers\p{L}*|release|build|firmware|oid|sect(?:ion)?|chapter|clause|article|paragraph|abschnitt|kapitel|ziffer|wersja|верси\p{L}*|size)[\s.:]*(?:of )?$|§ ?$|(?:版本:?|バージョン) ?$/u;
/** Software, before a version of four numbers. In `nginx: 5.6.7.8`, it is the writer of a log's line. */
const SOFTWARE = /(?:\b(?:php|nginx|apache|openss[lh]|ios|windows|kernel|java|python|\w*sql|curl|sap)|\.net)[ /-]$/;
/** What versions begin with. */
const EARLY = /^[12]?\d\./;
/**
 * Names of networks, the versions of a CPE, and small versions after a name, as in `Magento 2.4.6.3` or `curl/8.5.0.1`:
 * any name before `/`, or one with a capital. Words for what has an address, such as `server`, are no such names.
 */
const OTHER =
  /\.0\.0$|cpe:\S{0,60}$|(?<![\w.])(?!\w{0,19}(?:erv|lie|ost|ddr|dre|oun|ban|loc|tta|our))(?:\w{2,19}\/|(?=\w{0,9}[A-Z])[\w!]{5,19} )(?!10)[12]?\d(?:\.\d\d?){3}$/;

/** Returns true for four numbers that are no address of a computer: a version, an amount or the name of a network. */
function isOther(text: string, from: number, to: number): boolean {
  const words = wordsBefore(text, from, 16);
  return (
    NUMBERED.test(words) ||
    (SOFTWARE.test(words) && EARLY.test(text.slice(from, to))) ||
    OTHER.test(text.slice(Math.max(0, from - 80), to)) ||
    /^ ?(?:€|EUR|USD)/.test(text.slice(to, to + 4))
  );
}

/** What {@link findIpAddresses} returns. */
export interface IpAddresses {
  readonly addresses: Range[];
  /** Numbers with dots or colons that are no such address: hosts of links, versions, times. They are not phones. */
  readonly other: Range[];
}

/**
 * Returns the IP addresses: version 4 with four decimal numbers, version 6 as in RFC 4291. The host of a link is the
 * server that a report is about, so it is not personal data.
 */
export function findIpAddresses(text: string): IpAddresses {
  const addresses: Range[] = [];
  const other: Range[] = [];
  for (const run of text.matchAll(/[\da-f:.]{5,}/gi)) {
    const six = ipv6Range(text, run.index, run.index + run[0].length);
    if (six) {
      const { from, to } = six;
      if (isIpv6(text.slice(from, to)) && standsAlone(text, from, to) && !isHost(text, from)) addresses.push(six);
      else other.push({ from: run.index, to: run.index + run[0].length });
      continue;
    }
    for (const dotted of run[0].matchAll(/\d+(?:\.\d+)*/g)) {
      const from = run.index + dotted.index;
      const to = from + dotted[0].length;
      // Some logs write `192.0.2.1_443`.
      const isAlone =
        standsAlone(text, from, to) || (/^_\d{3}/.test(text.slice(to, to + 4)) && !isInsideWord(text, from));
      if (text.charAt(from - 1) === '.' || !isAlone) continue;
      if (!isIpv4(dotted[0]) && !(hasPort(text, from, to) && isIpv4(dotted[0].replace(/\.\d+$/, '')))) continue;
      (isHost(text, from) || isOther(text, from, to) ? other : addresses).push({ from, to });
    }
  }
  return { addresses, other };
}

function isHost(text: string, from: number): boolean {
  return /\/\/\[?$/.test(text.slice(Math.max(0, from - 3), from));
}

/** Returns true if a fifth number is a port, as in `192.0.2.66.45264 > 192.0.2.1.22`. */
function hasPort(text: string, from: number, to: number): boolean {
  return /\.(?:[3-9]\d\d|\d{4})| [<>] /.test(text.slice(Math.max(0, from - 3), to + 3));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => part.length < 4 && Number(part) < 256);
}

/** Returns a run without the punctuation around it, if it has the colons of an address of version 6. */
function ipv6Range(text: string, start: number, end: number): Range | undefined {
  let from = start;
  let to = end;
  while (from < to && text.charAt(to - 1) === '.') to--;
  if (text.charAt(to - 1) === ':' && text.charAt(to - 2) !== ':') to--;
  while (from < to && text.charAt(from) === '.') from++;
  // In `IPv6:2001:db8::1`, the run begins inside the word.
  if (isInsideWord(text, from)) {
    const colon = text.slice(from, to).indexOf(':');
    if (colon < 0) return undefined;
    from += colon;
  }
  if (text.charAt(from) === ':' && text.charAt(from + 1) !== ':') from++;
  return text.slice(from, to).split(':').length > 2 ? { from, to } : undefined;
}

/**
 * Returns true for an address with a digit and a part of at least three, such as `fe80::1` but not `a::b` or `::1`. A
 * port may follow.
 */
function isIpv6(text: string): boolean {
  return (
    /\d/.test(text) &&
    /\.\d+\.|[\da-f]{3}/i.test(text) &&
    [text, text.replace(/[.:]\d+$/, '')].some((address) => URL.canParse(`http://[${address}]`))
  );
}
