import { open, rm, stat, writeFile } from 'node:fs/promises';
import { renderPage } from '../../../lab/page/page.ts';
import type { Estimate, LabResult } from '../../../lab/result.ts';
import { CommandError, messageOf } from '../errors.ts';
import { flag, text, type ValuesOf } from '../option.ts';
import { count } from '../../../core/domain/text.ts';
import { formatTable, printAnswer } from '../output.ts';

/** The options of a command that delivers a result. */
export const DELIVER_OPTIONS = {
  json: flag('print the result as JSON'),
  html: text('FILE', 'write the result as a page that works offline'),
};

/**
 * Prints a result as text or JSON. If `html` names a file, writes the page there. Call {@link validatePage} first. The
 * JSON also contains `more`.
 */
export async function deliver(
  result: LabResult,
  { json, html }: ValuesOf<typeof DELIVER_OPTIONS>,
  more: object = {},
): Promise<void> {
  if (html !== undefined) await writeFile(html, renderPage(result));
  printAnswer({ ...result, ...more }, json, () => formatResult(result));
}

/**
 * Throws CommandError if the page cannot be written, or if its file is one of the inputs. Call this at the beginning of
 * a run. Leaves an existing file unchanged and creates no file.
 */
export async function validatePage(file: string | undefined, inputs: readonly (string | undefined)[]): Promise<void> {
  if (file === undefined) return;
  const refuse = (why: string): never => {
    throw new CommandError(`the file of --html cannot be written: ${why}`);
  };
  try {
    const there = await stat(file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : Promise.reject(error),
    );
    if (there?.isDirectory()) refuse('it is a folder');
    for (const input of inputs) {
      // If an input cannot be read, the later read reports it.
      const read = input === undefined ? undefined : await stat(input).catch(() => undefined);
      if (read?.isFile() && read.ino === there?.ino && read.dev === there.dev) refuse('it is an input file');
    }
    // Do not open a pipe: its reader would take this opening and closing for the complete output.
    if (there !== undefined && !there.isFile()) return;
    // Open to append, so that existing content stays.
    await (await open(file, there === undefined ? 'ax' : 'a')).close();
    if (there === undefined) await rm(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // EEXIST: the file is a link without a target. The page will create the target.
    if (code !== 'EEXIST') refuse(REASONS[code] ?? messageOf(error));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};

/** Formats a result as text: the input, the figures of each model, other sets of queries, attacks. */
function formatResult(result: LabResult): string {
  const { counts, models, warnings, subsets, attacks } = result;
  const parts = [
    `${result.title}: ${count(counts.reports, 'report')} of ${count(counts.reporters, 'reporter')} (${counts.removed} removed, ${counts.disputes} disputed), ${count(counts.queries, 'query', 'queries')}, ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)}.\n` +
      `Judged: ${counts.judged} ${result.judged === 'matched' ? 'labelled queries that match a report' : 'labelled queries'}, ${counts.positives} of them labelled 1. In parentheses: 95 % confidence intervals (bootstrap, seed ${result.seed}).\n` +
      warnings.map((warning) => `Warning: ${warning}\n`).join(''),
    formatTable([
      ['MODEL', 'ROC-AUC', 'PR-AUC of 1', 'PR-AUC of 0', 'ECE', 'BRIER'],
      ...models.map((model) => [
        model.name,
        ...[model.rocAuc, model.prAuc, model.prAucOfZeros, model.ece, model.brier].map(showEstimate),
      ]),
    ]),
    ...subsets.map(
      ({ name, judged, positives, models: figures }) =>
        `${name}: ${judged} queries, ${positives} labelled 1\n${formatTable([
          ['MODEL', 'ROC-AUC', 'PR-AUC of 1', 'PR-AUC of 0'],
          ...figures.map((figure) => [figure.name, ...[figure.rocAuc, figure.prAuc, figure.prAucOfZeros].map(show)]),
        ])}`,
    ),
    ...(attacks.length === 0 ? [] : [formatAttacks(result)]),
  ];
  return parts.join('\n');
}

function formatAttacks({ models, attacks }: LabResult): string {
  return `Attacks: median Points of the victims, and in parentheses divided by the median Points of true frauds\n${formatTable(
    [
      ['ATTACK', ...models.map(({ name }) => name)],
      ...attacks.map(({ name, ratios, points }) => [
        name,
        ...models.map(
          (model) =>
            `${Math.round(points[model.name] ?? Number.NaN)} (${(ratios[model.name] ?? Number.NaN).toFixed(2)})`,
        ),
      ]),
    ],
  )}`;
}

function showEstimate(estimate: Estimate | undefined): string {
  return estimate === undefined ? '-' : `${show(estimate.value)} (${show(estimate.low)} to ${show(estimate.high)})`;
}

/** Formats a figure without the leading zero, as publications do: .827. */
export function show(figure: number): string {
  return figure.toFixed(3).replace(/^0(?=\.)/, '');
}
