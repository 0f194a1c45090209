import { writeFile } from 'node:fs/promises';
import { renderPage } from '../../lab/page/page.ts';
import type { LabResult } from '../../lab/result.ts';
import { printResult } from './print.ts';

export const DELIVER_HELP = `  --json             the result for programs
  --html FILE        the result as a page that needs no network`;

/** Prints a result, as text or JSON, and writes its page when one is asked for, which `proveOutput` proved. `more` goes into the JSON beside it. */
export async function deliver(
  result: LabResult,
  { json, html }: { readonly json?: boolean | undefined; readonly html?: string | undefined },
  more: object = {},
): Promise<void> {
  if (html !== undefined) await writeFile(html, renderPage(result));
  process.stdout.write(json ? `${JSON.stringify({ ...result, ...more })}\n` : printResult(result));
}
