import { isCode } from '../../core/domain/identifier.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import { toBase64Url } from '../encoding.ts';
import { SealedServiceError } from './errors.ts';
import type { Requests } from './requests.ts';

/**
 * Sends a report to `url`, once. `elementOf` returns N of a hash under the epoch. Returns the deletion code: 16
 * lowercase hex characters.
 */
export async function sendReport(
  requests: Requests,
  url: string,
  {
    epoch,
    draft,
    elementOf,
  }: { readonly epoch: number; readonly draft: ReportDraft; readonly elementOf: (hash: string) => Uint8Array },
  signal?: AbortSignal,
): Promise<string> {
  const { type, severity, text } = draft;
  const identifiers = draft.identifiers.map(({ kind, hash }) => ({ kind, point: toBase64Url(elementOf(hash)) }));
  const reply = await requests.post(url, { epoch, type, severity, text, identifiers }, false, signal);
  const { code } = Object(reply) as { readonly code?: unknown };
  if (!isCode(code)) throw new SealedServiceError('unexpected-reply', 200);
  return code;
}
