import { isCode } from '../../core/domain/identifier.ts';
import type { Standing } from '../../core/scoring/evidence.ts';
import type { JsonValue } from '../canonical-json.ts';
import { fromHex } from '../encoding.ts';
import { MAX_REPORTER, REPORT_TAG_BYTES } from '../rows.ts';
import { SealedServiceError } from './errors.ts';

/** What the service answers to a report. */
export interface Receipt {
  /** 16 lowercase hex characters. */
  readonly deletionCode: string;
  /** The tag of the report in its rows: 12 lowercase hex characters. */
  readonly report: string;
  /** Null if the service did not know the reporter's standing. */
  readonly reporter: ReceiptReporter | null;
}

/** The reporter of a receipt, with its standing at that moment. */
export interface ReceiptReporter extends Standing {
  /** Its number in the rows of the epoch, 0 to 65,535. Null until they give it one. */
  readonly number: number | null;
}

/** Returns the receipt of a reply. Throws `SealedServiceError` with `unexpected-reply` for any other JSON. */
export function parseReceipt(value: JsonValue): Receipt {
  const { code, report, reporter } = Object(value) as Record<string, JsonValue | undefined>;
  const isTag = typeof report === 'string' && fromHex(report)?.length === REPORT_TAG_BYTES;
  if (!isCode(code) || !isTag || !isReporter(reporter)) throw new SealedServiceError('unexpected-reply', 200);
  return { deletionCode: code, report, reporter };
}

function isReporter(value: unknown): value is ReceiptReporter | null {
  if (value === null) return true;
  const { number, precision, established, verified } = Object(value) as Record<string, unknown>;
  return (
    (number === null || isWithin(number, MAX_REPORTER)) &&
    (number === null || Number.isInteger(number)) &&
    isWithin(precision, 1) &&
    typeof established === 'boolean' &&
    typeof verified === 'boolean'
  );
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= most;
}
