import { REPORT_TAG_BYTES } from '../rows.ts';
import type { PublicationReader } from './publication.ts';
import type { SourceReporter } from './source.ts';

/** What the service returns for a report. */
export interface SealedOutcome {
  readonly deletionCode: string;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Present standing of the reporter; undefined if it is not known now. */
  readonly standing: SourceReporter | undefined;
}

/**
 * Returns the receipt of a report: what its rows will say about it and about its reporter. `number` is null until the
 * rows of the epoch give the reporter one.
 */
export async function toReceipt(
  { files, onError }: { readonly files: PublicationReader; readonly onError: (error: unknown) => void },
  epoch: number,
  outcome: SealedOutcome,
) {
  const { deletionCode, reportId, reporterId, standing } = outcome;
  // The report is stored: no failure may hide that.
  const number = await files.numberOf(epoch, reporterId).catch(onError);
  const { precision, established, verified } = standing ?? {};
  const reporter = standing && { number: number ?? null, precision, established, verified };
  return { code: deletionCode, report: reportId.slice(0, 2 * REPORT_TAG_BYTES), reporter: reporter ?? null };
}
