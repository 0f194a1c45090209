import { DEFAULT_BOUNDS } from '../../../core/domain/bounds.ts';
import {
  findPersonalData,
  kindsOf,
  PERSONAL_DATA,
  redactPersonalData,
  type PersonalData,
  type PersonalDataKind,
} from '../../../core/domain/personal-data.ts';
import { findEmails, findIpAddresses } from '../../../core/domain/personal-data/addresses.ts';
import { fold, rangesOf, type Range } from '../../../core/domain/personal-data/spans.ts';
import { formatWhole, replaceForbidden } from '../../../core/domain/text.ts';
import { joinWords } from '../option.ts';

/** A text that a service accepts, and what was changed for it. */
export interface Redacted {
  readonly text: string;
  /** As in `without personal data: IP address`; empty if the text is unchanged. */
  readonly changes: readonly string[];
}

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|[01]?\d?\d)`;
const DOTTED = String.raw`${OCTET}(?:\.${OCTET}){3}`;
/** Words before an address in the name of a computer, such as `ip-192-0-2-66`. */
const HOST_WORDS = '(?:ip|ec2|host|dyn|dynamic|static|cpe|pool|dsl|client|user|node|vps|srv|server)';
/** An address in a name of reverse DNS, and what follows it there. */
const REVERSE = new RegExp(String.raw`(?<!\d)${OCTET}([-_.x])${OCTET}(?:\1${OCTET}){2}(?!\d)`, 'gi');
const REST_OF_NAME = /^[\w-]{0,40}\.[\w-]{1,63}\.[a-z]{2}/i;
const NAME_CHARACTERS = 107;
/** The name of a dynamic address in hexadecimal, as in `p5B0A1234.dip0.isp.example`. */
const HEX_NAME = /(?<![\da-f])[\da-f]{8}(?=\.(?:dip|dyn|dynamic|pool|dsl|adsl|vdsl|cable|dialup|pppoe)[\w-]{0,20}\.)/gi;
/** An address of version 6 with `-` for `:`, as in `2001-db8--66.isp.example`. */
const DASHED = /(?<!\d)[23f][\da-f]{3}(?:-[\da-f]{0,4}){2,7}(?=\.)/gi;
/**
 * What stands before an address in one that bounces return to: `SRS0=abcd=XY=example.org=` before `carl@` (SRS), and
 * `carl=` before `example.org@` (VERP). `user=` and the like are words of a log.
 */
const SRS = /(?<![\w.+=-])SRS[01][=+-][\w.+=-]{1,150}$/i;
const VERP =
  /(?<![\w.+=-])(?!(?:[a-z_-]{0,20}(?:user|name|mail|addr|address|id|login|sender|rcpt|account|acct)|to|from|cc|bcc|orig_to|reply-to|recipient|q|e|u|a)=)[\w.+-]{1,64}=$/i;
const VERP_DOMAIN =
  /^[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:[a-z]{2}|com|net|org|info|biz|edu|gov|mil|example|test|invalid)@/i;
/** Addresses that services accept: in names of computers, beside `_`, with the commas of FTP, and as a number. */
const FURTHER_ADDRESSES = [
  new RegExp(String.raw`(?<=(?:^|[^a-z])${HOST_WORDS}[-_.]?)${OCTET}([-_.])${OCTET}(?:\1${OCTET}){2}(?!\d)`, 'gi'),
  new RegExp(String.raw`(?<=_)${DOTTED}(?![\d.])|(?<![\d.])${DOTTED}(?=_)`, 'g'),
  new RegExp(String.raw`(?<=[('"=])${OCTET}(?:,${OCTET}){3}(?!\d)`, 'g'),
  /(?<=\/\/)(?:0x[\da-f]{8}|\d{8,10}|0x[\da-f]{1,2}(?:\.0x[\da-f]{1,2}){3}|0\d{1,3}(?:\.0\d{0,3}){3})(?![\w.-])/gi,
];

/**
 * Replaces personal data and forbidden characters, and cuts the text to the length that services accept by default.
 * Also replaces addresses that services accept: those of a link's host and in names of computers.
 */
export function redact(given: string): Redacted {
  const plain = replaceForbidden(given, '\ufffd');
  const found: PersonalData[] = [];
  const replace = (text: string, findings: readonly PersonalData[]): string => {
    found.push(...findings);
    return redactPersonalData(text, findings);
  };
  let text = replace(plain, toFindings(plain, 'email', findBounceAddresses));
  text = replace(text, findPersonalData(text));
  for (const find of [
    findHosts,
    ...FURTHER_ADDRESSES.map((pattern) => (folded: string) => rangesOf(folded, pattern)),
    findReverse,
    (folded: string) => rangesOf(folded, HEX_NAME),
    findDashed,
  ])
    text = replace(text, toFindings(text, 'ip', find));
  text = text.replaceAll(`[[${PERSONAL_DATA.ip}]]`, `[${PERSONAL_DATA.ip}]`);
  // What was beside an address may be a number of its own now.
  text = replace(text, findPersonalData(text));
  const characters = [...text];
  const { textCharacters } = DEFAULT_BOUNDS;
  const kinds = kindsOf(found).map((kind) => PERSONAL_DATA[kind]);
  const changes = [
    ...(kinds.length > 0 ? [`without personal data (${joinWords(kinds, 'and')})`] : []),
    ...(plain === given ? [] : ['without characters that a text must not have']),
    ...(characters.length > textCharacters ? [`cut to ${formatWhole(textCharacters)} characters`] : []),
  ];
  return { text: characters.slice(0, textCharacters).join(''), changes };
}

function toFindings(text: string, kind: PersonalDataKind, find: (folded: string) => readonly Range[]): PersonalData[] {
  const folded = fold(text);
  return find(folded.text).map(({ from, to }) => ({ kind, from: folded.from(from), to: folded.to(to - 1) }));
}

/** Returns the email addresses that hold another one, with all of it. */
function findBounceAddresses(folded: string): readonly Range[] {
  let after = 0;
  return findEmails(folded).flatMap(({ from, to }) => {
    const before = folded.slice(Math.max(after, from - 200), from);
    const lead = SRS.exec(before) ?? (VERP_DOMAIN.test(folded.slice(from, to)) ? VERP.exec(before) : null);
    after = to;
    return lead ? [{ from: from - lead[0].length, to }] : [];
  });
}

/** Returns the addresses that are the hosts of links. */
function findHosts(folded: string): readonly Range[] {
  return findIpAddresses(folded.replaceAll('//', '/ ')).addresses;
}

function findReverse(folded: string): readonly Range[] {
  return rangesOf(folded, REVERSE).filter(({ to }) => REST_OF_NAME.test(folded.slice(to, to + NAME_CHARACTERS)));
}

function findDashed(folded: string): readonly Range[] {
  return rangesOf(folded, DASHED).filter(({ from, to }) => {
    const name = folded.slice(from, to);
    return (
      (name.includes('--') || name.split('-').length === 8) && REST_OF_NAME.test(folded.slice(to, to + NAME_CHARACTERS))
    );
  });
}

/** Returns what helps if a service refuses this text; empty if nothing in it is personal data. */
export function adviseRedact(text: string): string {
  return findPersonalData(text).length > 0 ? '; --redact replaces personal data in the text' : '';
}
