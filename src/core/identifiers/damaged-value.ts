import { IS_DAMAGED } from './canonical-phone.ts';
import { isLiteral, readIp, withoutEntities, type ValueForm } from './value-form.ts';

/**
 * `Ã¼` and `â€™`: UTF-8 that was read as Latin-1 or Windows-1252, also in lower case. Most are no text of any language.
 */
const MOJIBAKE =
  /[Ãã][\u0080-\u009f¡-©¬-¹¼-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸÿ]|Ã[\u00a0ª«º»–—‘’“”…]|[Ââ][\u0080-\u009f]|Â[\u00a0-¿]|â€|[ÐÑ][\u0080-¿]|ï¿½/u;
/** U+FFFD as HTML and URLs write it. */
const LOST_CHARACTER = /&#(?:65533|xfffd);|%ef%bf%bd/i;
/** Errors of spreadsheets in any language, without those for a missing value. */
const ERROR_CELL =
  /^(?:#[\p{L}\d¡¿/_]{2,20}[!?]|#getting_data|#field!|#(?:div\/0|ref|value|num|name|null|wert|bezug|zahl|valeur|valor)|err:\d{3}|#+)$/u;
/** Errors of spreadsheets for a missing value. */
export const MISSING_CELL = /^#(?:n\/a|n\/d|nv|na|nd|н\/д|n\/b|ni\/d|i\/t|yok|ej|\.\.)!?$/u;
const MASKED = /[*•●∗＊]{2,}|…/u;

/** Returns true for a value that a spreadsheet or another program has damaged. */
export function isDestroyed(form: ValueForm, raw: string, text: string): boolean {
  if (raw.includes('\ufffd') || MOJIBAKE.test(raw) || LOST_CHARACTER.test(raw)) return true;
  if (text.startsWith('#')) return text.length > 1 && !MISSING_CELL.test(text) && ERROR_CELL.test(text);
  // A formula, and the mark with which a spreadsheet keeps digits as text.
  if (text.startsWith('=') || ERROR_CELL.test(text)) return true;
  const isText = form === 'name' || form === 'other';
  if ((isText ? /^['’‘`´][=+\d(-]/ : /^['’‘`´]./).test(text) && !/['’‘`´>]$/.test(text)) return true;
  if (isLiteral(text)) return true;
  if (MASKED.test(raw) && /[\p{L}\p{N}]/u.test(text)) return true;
  if (/^[+-]?\d(?:[.,]\d{1,20})?e\+?\d{1,3}$/.test(text))
    return form === 'phone' || form === 'ip' || /[.,+]/.test(text.slice(1));
  switch (form) {
    case 'phone':
      return (
        (/x{2,}|[#?_]{2,}|\.{3,}/.test(text) && /\d/.test(text)) ||
        IS_DAMAGED.test(text) ||
        isDate(text) ||
        isRounded(text) ||
        INTEGER_LIMIT.test(text.replaceAll(',', '')) ||
        /^\+?\d{6,}[.,]0{1,10}$/.test(text) ||
        isTooLong(text) ||
        // A day and time of a spreadsheet.
        /^[34]\d{4}[.,]\d{1,20}$/.test(text)
      );
    case 'ip':
      // Excel reads the dots of a full address as separators of thousands.
      return (
        isDate(text) ||
        (/^\d+(?:[.,]\d+){1,2}$/.test(text.replace(/^127\./, '.')) && readIp(text) === undefined) ||
        (/^\d{10,}$/.test(text) && Number(text) > 0xffff_ffff) ||
        // Masked, or cut off.
        /x{2,}|[.:]x(?:$|:)|\*|#$/.test(text.replace('0x', '')) ||
        /[?…]$|\.{2}/.test(text) ||
        /^(?:\d{1,3}\.){1,3}$/.test(text)
      );
    case 'email':
      return isDamagedEmail(text) || isDate(text);
    case 'domain':
      return text.endsWith('...') || ENTITY.test(withoutEntities(text)) || isDate(text) || isDamagedHost(text);
    default:
      return false;
  }
}

/** The largest and smallest whole numbers of 32 and 64 bits, also behind a country code: databases cut others there. */
const INTEGER_LIMIT =
  /^[+-]?(?:\d{0,3}(?:214748364[78]|4294967295)|922337203685477580[78]|18446744073709551615)(?:\.0+)?$/;

/** A mark of HTML for a character. */
const ENTITY = /&(?:[a-z]{2,8}\d{0,2}|#\d{2,6}|#x[\da-f]{2,5});/;

/** Behind a top-level name, what programs add to an address of a deleted account: `carl@shop.example_deleted`. */
const ADDED = /^(?!xn--)\p{L}{2,24}[_#~!:+*=|-][\p{L}\p{N}]/u;

/** Returns true for an email with masked letters, `?` or a mark of HTML in place of a letter, or a word behind it. */
function isDamagedEmail(given: string): boolean {
  const text = withoutEntities(given);
  if (/\.{3,}|#{2,}|\?{2,}/.test(text) || ENTITY.test(text)) return true;
  const at = text.indexOf('@');
  if (at < 0) return false;
  const local = text.slice(0, at);
  if (/[\p{L}\p{N}][*•●∗＊]/u.test(local) || (local.includes('?') && !/\?[a-z_]+=/.test(local))) return true;
  const domain = text.slice(at + 1);
  if (!domain.includes('@') && ADDED.test(domain.slice(domain.lastIndexOf('.') + 1))) return true;
  const rest = domain.includes('?') ? domain.slice(domain.indexOf('?') + 1) : '';
  return /[\p{L}\p{N}]/u.test(rest) && !rest.includes('=');
}

/** Returns true for a host with something behind its top-level name, as in `shop.example-old` and `shop.example1`. */
function isDamagedHost(text: string): boolean {
  const [host = ''] = text.replace(/^(?:https?:)?\/\//, '').split(/[/?#:\\]/, 1);
  const top = host.slice(host.lastIndexOf('.') + 1);
  return host.includes('.') && !host.includes('@') && (ADDED.test(top) || /^(?!xn--)\p{L}{2,24}[\d-]/u.test(top));
}

/**
 * A spreadsheet shows six digits of a long number; read again, the others are zeros. People write `+` or separators.
 */
function isRounded(text: string): boolean {
  return /^[1-9]\d{0,5}0{6,}$/.test(text) && text.length >= 11;
}

/** Returns true for more digits behind an international prefix than E.164 has. Two numbers have a mark between them. */
function isTooLong(text: string): boolean {
  return /^[+(]?\d[\d().-]*$/.test(text) && text.replace(/^(?:00(?:11)?|01[01]|810)|\(0\)|\D/g, '').length > 15;
}

const MONTHS =
  'jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|dic|déc|fev|fév|abr|ago|set|out|' +
  'gen|mag|giu|lug|ott';
const NAMED_DATE = new RegExp(`^(?:\\d{1,2}[-./]?)?(?:${MONTHS})[a-z]{0,6}\\.?[-./,]?\\d{1,4}(?:,?\\d{4})?$`, 'u');

/** Returns true for a day of 1900 to 2100 as spreadsheets write it, with a time or without. */
export function isDate(text: string): boolean {
  if (NAMED_DATE.test(text)) return true;
  const found =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:t?\d{1,2}:\d\d.{0,16})?$/.exec(text) ??
    /^()(\d{1,2})[-/.](\d{1,2})[-/.](?:19\d\d|20\d\d)(?:,?\d{1,2}:\d\d.{0,8})?$/.exec(text);
  if (!found) return false;
  const [, year, first, second, third] = found;
  if (year !== '') return Number(year) >= 1900 && Number(year) <= 2100 && isDay(Number(third ?? 1), Number(found[3]));
  return isDay(Number(first), Number(second)) || isDay(Number(second), Number(first));
}

function isDay(day: number, month: number): boolean {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}
