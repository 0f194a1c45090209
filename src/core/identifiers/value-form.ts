import { ipv6Groups, withoutMarks, withoutTrailing } from '../domain/text.ts';

/** What the values of a kind look like. A kind without a form of its own is `other`. */
export type ValueForm = 'email' | 'phone' | 'ip' | 'domain' | 'name' | 'other';

/** Parts of the names of columns and kinds. They say the form wherever they stand in a name. */
const PARTS: readonly (readonly [ValueForm, RegExp])[] = [
  [
    'email',
    /email|mailadr|eposta|epost|courriel|correo|adresse[eé]lectronique|postaelettronica|почт|пошта|имейл|メール|メアド|sähköposti|elpaštas|epasts|邮箱|郵箱|邮件|郵件|信箱|이메일|메일|דואל|דואראלקטרוני|بريد|إيميل|ایمیل|อีเมล|ईमेल|thưđiệntử/u,
  ],
  [
    'phone',
    /(?<!i)phone|telefon|telefoon|telephon|rufn|handyn|mobiln|mobiel|celular|puhelin|komórk|τηλέφων|teléfon|téléphon|mobile|msisdn|whatsapp|fon$|festnetz|fixnet|fono$|fone$|cellulare|celulare|telem[oó]vel|mobilnr|κινητ|điệnthoại|телефон|мобильн|мобільн|電話|电话|手机|手機|携帯|전화|휴대폰|핸드폰|연락처|هاتف|جوال|موبايل|تلفون|تلفن|טלפון|נייד|โทร|मोबाइल|फोन|फ़ोन|contact(?:no|nr|num)/u,
  ],
  [
    'ip',
    /ipaddr|ipadr|ipadd$|ipv[46]|^oxip|forwardedfor|connectingip|(?:remote|source|src|client|peer)addr|(?:remote|source|src|client|user|peer|login|customer|visitor|shopper|buyer|payer|order|sender|host|real|signup|checkout|registration|cust|adresse|direccion|indirizzo|endereco)ip$/u,
  ],
  [
    'domain',
    /domain|domän|domæn|hostname|fqdn|webs(?:eite|ite|ida|ide)|webpage|weburl|homepage|hemsida|hjemmeside|kotisivu|домен|сайт|ドメイン|サイト|域名|网址|網址|网站|網站|도메인|웹사이트|홈페이지/u,
  ],
];
/** Whole words of such names. */
const WORDS: Readonly<Record<string, ValueForm>> = {
  mail: 'email',
  mél: 'email',
  mejl: 'email',
  tel: 'phone',
  tél: 'phone',
  cell: 'phone',
  ph: 'phone',
  mob: 'phone',
  natel: 'phone',
  portable: 'phone',
  mobil: 'phone',
  móvil: 'phone',
  handy: 'phone',
  gsm: 'phone',
  fax: 'phone',
  tlf: 'phone',
  ip: 'ip',
  xff: 'ip',
  src: 'ip',
  saddr: 'ip',
  host: 'domain',
  url: 'domain',
  site: 'domain',
  dominio: 'domain',
  domínio: 'domain',
  sito: 'domain',
  sitio: 'domain',
};

/** Puts a space between the words of a name such as `customerEmail`. */
export function spaceWords(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

/** Words at the end of a name that are tried one by one, because each try reads all that follows. */
const MOST_WORDS = 32;

/** Returns the form of a kind or of a column's name, such as `email` for `email`, `E-Mail` and `customerEmail2`. */
export function formOfKind(kind: string): ValueForm {
  const words = spaceWords(withoutMarks(kind).normalize('NFC'))
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .map((word) => (word.startsWith('ipv') ? word : withoutTrailing(word, '0123456789') || word));
  // The last word counts: `email_domain` is a domain.
  let rest = '';
  for (const word of words.slice(-MOST_WORDS).reverse()) {
    const whole = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    rest = word + rest;
    const found = whole ?? PARTS.find(([, part]) => part.test(rest))?.[0];
    if (found !== undefined) return found;
  }
  const joined = words.join('');
  return (
    PARTS.find(([, part]) => part.test(joined))?.[0] ??
    (/name|^(?:nom|nombre|apellidos?)$/u.test(joined) ? 'name' : 'other')
  );
}

/** Returns the form that a value without a kind seems to have. A domain and a name are not recognised. */
export function guessForm(value: string): ValueForm {
  const text = value.trim().toLowerCase();
  if (text.includes('@')) return 'email';
  const isAddress = /^[\d.]+$|:/.test(text) && (text.includes(':') || text.split('.').length === 4);
  if (isAddress && (readIp(text) !== undefined || hasUnclearZeros(text))) return 'ip';
  return /^[+(\d][\d ()./-]{5,}$/.test(text) ? 'phone' : 'other';
}

/** Longest text that is read as an address. */
const LONGEST_IP = 64;
/** Longest text that is read as a host, in UTF-16 units. A name of the DNS has at most 253 characters. */
const LONGEST_HOST = 1024;
/** Mapped, translated (NAT64, RFC 6052; SIIT, RFC 7915) and compatible (RFC 4291). */
const IPV4_IN_IPV6 = /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * Returns an IP address in its canonical form: four decimal numbers, or RFC 5952. The parser is the platform's, so
 * hexadecimal, octal and short forms of version 4 are read as `inet_aton` reads them. Four parts of three digits are
 * decimal, as some programs pad them, and so are four parts if one, such as `009`, cannot be octal. An address of
 * version 4 written in version 6 becomes version 4. Returns undefined for any other text, also for one that
 * {@link hasUnclearZeros}. `text` is lowercase.
 */
export function readIp(text: string): string | undefined {
  if (text.length > LONGEST_IP) return undefined;
  if (text.includes(':')) {
    if (!/^[\da-f:.]+$/.test(text)) return undefined;
    const six = hostnameOf(`[${text}]`)?.slice(1, -1);
    const mapped = six === undefined ? undefined : IPV4_IN_IPV6.exec(six);
    if (!mapped) return six;
    const bytes = [mapped[1]!, mapped[2]!].map((group) => Number.parseInt(group, 16));
    return bytes.flatMap((group) => [group >> 8, group & 255]).join('.');
  }
  const parts = text.split('.');
  if (hasUnclearZeros(text) || parts.length > 4 || !parts.every((part) => /^(?:\d+|0x[\da-f]+)$/.test(part)))
    return undefined;
  // Two numbers are an address that lost dots, three bytes one that was cut off; only 127.1 is written so.
  if (/^(?!127\.)[1-9]\d*\.(?:\d+\.)?(?:0\d*|\d{1,3})$|^(?!127\.)[1-9]\d*\.\d+$/.test(text)) return undefined;
  const isPadded =
    parts.length === 4 && (parts.every((part) => /^\d{3}$/.test(part)) || parts.some((part) => /^0\d*[89]/.test(part)));
  const four = hostnameOf(isPadded ? parts.map(Number).join('.') : text);
  return four !== undefined && /^\d+\.\d+\.\d+\.\d+$/.test(four) ? four : undefined;
}

/** Returns true for an address whose parts with a zero before them may be decimal or octal: `11.22.33.044`. */
export function hasUnclearZeros(text: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return false;
  const padded = parts.filter((part) => /^0\d/.test(part));
  const isDecimal = parts.every((part) => part.length === 3) || padded.some((part) => /[89]/.test(part));
  return !isDecimal && padded.some((part) => Number(part) !== Number.parseInt(part, 8));
}

/** Returns an address of version 4 without the zeros before its parts. */
export function withoutZeros(text: string): string {
  return text.split('.').map(Number).join('.');
}

/**
 * Returns true for a network, as in `10.0.0.0/8` and `2001:db8::/64`: no bit is set behind its prefix. Returns false
 * for an address with the length of its network, and undefined for any other text.
 */
export function isNetwork(text: string): boolean | undefined {
  const [, written = '', length = ''] = /^([\d.]{7,15}|[\da-f:.]{2,45})\/(\d{1,3})$/.exec(text) ?? [];
  const address = written && readIp(written);
  if (!address) return undefined;
  const bits = addressBits(address);
  const prefix = Number(length) - (written.includes(':') ? 128 - bits.length : 0);
  return prefix > bits.length ? undefined : prefix < bits.length && !bits.slice(Math.max(prefix, 0)).includes('1');
}

/** Returns the 32 or 128 binary digits of an address in its canonical form. */
export function addressBits(address: string): string {
  const toBits = (radix: number, length: number) => (part: string) =>
    Number.parseInt(part, radix).toString(2).padStart(length, '0');
  return address.includes(':')
    ? ipv6Groups(address).map(toBits(16, 16)).join('')
    : address.split('.').map(toBits(10, 8)).join('');
}

/**
 * Returns a host name as it is in the DNS: lowercase ASCII (UTS 46, by the platform's URL parser), without a final dot.
 * Returns undefined for any other text, and for a number that the parser would take for an address.
 */
export function readHost(text: string): string | undefined {
  if (text === '' || text.length > LONGEST_HOST || /[\s/?#@:%\\[\]<>^|"'`{}(),;*]/.test(text)) return undefined;
  const host = hostnameOf(text);
  if (host === undefined) return undefined;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (/^[\d.]+$/.test(name) && name !== text) return undefined;
  return name === '' || name.startsWith('.') || name.includes('..') ? undefined : name;
}

function hostnameOf(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

/** Returns true for a text that a program of Python wrote with its quotes, such as `b'carl@example.com'`. */
export function isLiteral(text: string): boolean {
  return /^[bu](?:'[^']*'|"[^"]*")$/.test(text);
}

/** Replaces the marks of HTML for printable ASCII, such as `&#64;`. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replace(/&#(?:x0*([\da-f]{2})|0*(\d{2,3}));/g, (mark, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 32 && code < 127 ? String.fromCharCode(code) : mark;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&commat;', '@');
}

/**
 * Characters that show nothing: those that Unicode ignores by default, direction marks, controls that are no white
 * space, and a pattern of Braille without dots.
 */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2800]|[^\P{Cc}\t-\r\u0085]/gu;
