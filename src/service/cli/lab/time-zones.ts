import { withoutMarks } from '../../../core/domain/text.ts';
import { spaceWords } from '../../../core/identifiers/value-form.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A time zone: its offset from UTC in milliseconds, or the name of a zone whose offset changes over the year. */
export type Zone = number | string;

/** Short names with one meaning, and their offsets in hours: those of RFC 5322 and of Europe, Asia and Oceania. */
const ABBREVIATIONS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'Z0 UT0 UTC0 GMT0 WET0 BST1 WEST1 CET1 MEZ1 CEST2 MESZ2 EET2 SAST2 EEST3 MSK3 PKT5 WIB7 HKT8 SGT8 AWST8 PHT8 ' +
    'JST9 KST9 ACST9.5 ACDT10.5 AEST10 AEDT11 NZST12 NZDT13 BRT-3 ADT-3 EDT-4 EST-5 CDT-5 MDT-6 MST-7 PDT-7 PST-8 ' +
    'AKDT-8 AKST-9 HST-10 МСК3'
  )
    .split(' ')
    .map((entry) => {
      const [, name = '', hours] = /^(\p{Lu}+)([-.\d]+)$/u.exec(entry) ?? [];
      return [name, Number(hours)];
    }),
);
/** The zones that Rails writes as `Eastern Time (US & Canada)`, and Windows as `Eastern Standard Time`. */
const AMERICAN: Readonly<Record<string, string>> = {
  Eastern: 'America/New_York',
  Central: 'America/Chicago',
  Mountain: 'America/Denver',
  Pacific: 'America/Los_Angeles',
  Alaska: 'America/Anchorage',
  Alaskan: 'America/Anchorage',
  Hawaii: 'Pacific/Honolulu',
  Hawaiian: 'Pacific/Honolulu',
  Atlantic: 'America/Halifax',
  Newfoundland: 'America/St_Johns',
};
/** POSIX names of zones. */
const POSIX: Readonly<Record<string, string>> = {
  PST8PDT: 'America/Los_Angeles',
  MST7MDT: 'America/Denver',
  CST6CDT: 'America/Chicago',
  EST5EDT: 'America/New_York',
};
/** Names of Windows before `Standard Time` (CLDR, windowsZones). */
const WINDOWS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'W. Europe=Europe/Berlin|Central Europe=Europe/Budapest|Central European=Europe/Warsaw|Romance=Europe/Paris|' +
    'GMT=Europe/London|Greenwich=Atlantic/Reykjavik|FLE=Europe/Kyiv|GTB=Europe/Bucharest|E. Europe=Europe/Chisinau|' +
    'Turkey=Europe/Istanbul|Russian=Europe/Moscow|Belarus=Europe/Minsk|Kaliningrad=Europe/Kaliningrad|' +
    'Israel=Asia/Jerusalem|Egypt=Africa/Cairo|South Africa=Africa/Johannesburg|Morocco=Africa/Casablanca|' +
    'W. Central Africa=Africa/Lagos|E. Africa=Africa/Nairobi|Arab=Asia/Riyadh|Arabian=Asia/Dubai|Arabic=Asia/Baghdad|' +
    'Iran=Asia/Tehran|Pakistan=Asia/Karachi|India=Asia/Kolkata|Sri Lanka=Asia/Colombo|Nepal=Asia/Kathmandu|' +
    'Bangladesh=Asia/Dhaka|Central Asia=Asia/Almaty|West Asia=Asia/Tashkent|SE Asia=Asia/Bangkok|' +
    'China=Asia/Shanghai|Singapore=Asia/Singapore|Taipei=Asia/Taipei|W. Australia=Australia/Perth|Tokyo=Asia/Tokyo|' +
    'Korea=Asia/Seoul|AUS Central=Australia/Darwin|Cen. Australia=Australia/Adelaide|AUS Eastern=Australia/Sydney|' +
    'E. Australia=Australia/Brisbane|Tasmania=Australia/Hobart|New Zealand=Pacific/Auckland|' +
    'US Mountain=America/Phoenix|US Eastern=America/Indiana/Indianapolis|Canada Central=America/Regina|' +
    'Central America=America/Guatemala|SA Pacific=America/Bogota|SA Western=America/La_Paz|' +
    'SA Eastern=America/Cayenne|E. South America=America/Sao_Paulo|Argentina=America/Argentina/Buenos_Aires|' +
    'Pacific SA=America/Santiago|Venezuela=America/Caracas|Montevideo=America/Montevideo|' +
    'Paraguay=America/Asuncion|Georgian=Asia/Tbilisi|Azerbaijan=Asia/Baku|Caucasus=Asia/Yerevan'
  )
    .split('|')
    .map((entry) => entry.split('=') as [string, string]),
);

/** Words for the time of a country. */
const LOCAL: Readonly<Record<string, string>> = {
  北京时间: 'Asia/Shanghai',
  北京時間: 'Asia/Shanghai',
  中国标准时间: 'Asia/Shanghai',
  台北時間: 'Asia/Taipei',
  台灣時間: 'Asia/Taipei',
  日本時間: 'Asia/Tokyo',
  日本標準時: 'Asia/Tokyo',
  한국시간: 'Asia/Seoul',
  '한국 시간': 'Asia/Seoul',
};

/** Returns true for a short name of several zones: China or Chicago, India or Israel, the Atlantic or Arabia. */
export function isAmbiguousZone(text: string): boolean {
  return text === 'CST' || text === 'IST' || text === 'AST';
}

/** Parses a zone such as `+01:00`, `-0500`, `GMT+1`, `PST` or `Europe/Berlin`. */
export function parseZone(text: string): Zone | undefined {
  if (Object.hasOwn(ABBREVIATIONS, text)) return HOUR_MS * ABBREVIATIONS[text]!;
  const [, sign, hours, minutes = '0'] = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text) ?? [];
  if (sign !== undefined) {
    const isValid = Number(hours) <= 14 && Number(minutes) < 60;
    return isValid ? Number(`${sign}1`) * (HOUR_MS * Number(hours) + MINUTE_MS * Number(minutes)) : undefined;
  }
  if (Object.hasOwn(POSIX, text)) return POSIX[text];
  if (Object.hasOwn(LOCAL, text)) return LOCAL[text];
  const american = /^([A-Z][a-z]{5,11}) (?:(?:Standard|Daylight) )?Time(?: \(US & Canada\))?$/.exec(text)?.[1];
  if (american !== undefined && Object.hasOwn(AMERICAN, american)) return AMERICAN[american];
  const windows = /^([A-Z][A-Za-z. ]{2,20}) (?:Standard|Daylight|Summer) Time$/.exec(text)?.[1];
  if (windows !== undefined && Object.hasOwn(WINDOWS, windows)) return WINDOWS[windows];
  if (/^(?:Coordinated Universal Time|UTC Standard Time)$/.test(text)) return 0;
  if (!/^[A-Z][A-Za-z_]{1,31}\/[A-Za-z/_+-]{2,31}$/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * Returns the zone in the name of a column: `Created (UTC)`, `post_date_gmt`, `CreatedOnUtc`, `Order Date PST`.
 * `several`: its short name belongs to several zones.
 */
export function zoneOfName(name: string): Zone | 'several' | undefined {
  const text = withoutMarks(name).normalize('NFKC');
  // Such a column has the zone of each row.
  if (/offset/i.test(text)) return undefined;
  for (const [, inner = ''] of text.matchAll(/[([【]([^()[\]【】]{1,40})[)\]】]/g)) {
    const zone = /^(?:ET|CT|MT|PT)$/.test(inner) || isAmbiguousZone(inner) ? 'several' : parseZone(inner.trim());
    if (zone !== undefined) return zone;
  }
  const end = /(?:UTC|GMT) ?[+-]\d{1,2}(?::?\d{2})?$/.exec(text)?.[0];
  if (end !== undefined) return parseZone(end);
  const words = spaceWords(text).split(/[^\p{L}]{1,40}/u);
  if (words.some((word) => /^(?:utc|gmt)$/i.test(word))) return 0;
  const last = words.at(-1) ?? '';
  if (isAmbiguousZone(last)) return 'several';
  return /^\p{Lu}{3,4}$/u.test(last) ? parseZone(last) : undefined;
}

/** Returns true for a zone whose clocks have another name in summer: `CET` is an hour off then. */
export function isWinterOnly(text: string): boolean {
  return /^(?:WET|CET|MEZ|EET|EST|MST|PST|AKST|AEST|ACST|NZST)$/.test(text);
}

export function formatZone(zone: Zone): string {
  if (typeof zone === 'string') return zone;
  if (zone === 0) return 'UTC';
  const minutes = Math.abs(zone) / MINUTE_MS;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${zone < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * Returns a function from the time of a clock in a zone to the time in UTC, both in milliseconds. A time that the
 * clock skips or repeats is read with the offset of winter.
 */
export function createZoneReader(): (local: number, zone: Zone) => number {
  const clocks = new Map<string, Intl.DateTimeFormat>();
  /** The offset of each hour that was asked for. */
  const offsets = new Map<string, number>();
  const offsetAt = (zone: string, at: number): number => {
    const hour = Math.floor(at / HOUR_MS);
    const key = `${zone} ${hour}`;
    let offset = offsets.get(key);
    if (offset === undefined) {
      const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
      clocks.set(zone, clock);
      const name = clock.formatToParts(hour * HOUR_MS).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      offset = Number(parseZone(name) ?? 0);
      offsets.set(key, offset);
    }
    return offset;
  };
  return (local, zone) => {
    if (typeof zone === 'number') return local - zone;
    return local - offsetAt(zone, local - offsetAt(zone, local));
  };
}
