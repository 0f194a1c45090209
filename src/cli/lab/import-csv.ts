import { once } from 'node:events';
import { importRows, type ImportOptions } from '../../lab/import-rows.ts';
import { formatEvent } from '../../lab/read-events.ts';
import { replay } from '../../lab/replay.ts';
import { summarise } from '../../lab/summarise.ts';
import { createSqljsStore } from '../../store/sqljs/store.ts';
import { readArguments, readMoment, UsageError } from '../arguments.ts';
import { readModels } from './models-option.ts';
import { readLabelRows, readReportRows } from './read-lists.ts';
import { withProgress, worded } from './replay-file.ts';
import { deliver } from './run.ts';

/** `redflag lab import-csv REPORTS LABELS`: dated lists as events, on standard output. */
export async function importCsv(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { judge: { type: 'string' }, cut: { type: 'string' }, unverified: { type: 'boolean' } });
  const [reports, labels] = await readLists(positionals);
  for (const event of importRows(reports, labels, readImport(values, values.cut))) {
    if (!process.stdout.write(`${formatEvent(event)}\n`)) await once(process.stdout, 'drain');
  }
  return 0;
}

/** `redflag lab judge REPORTS LABELS`: the same lists, replayed up to one or more days and judged on each. */
export async function judge(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    judge: { type: 'string' }, cut: { type: 'string', multiple: true }, unverified: { type: 'boolean' },
    model: { type: 'string' }, config: { type: 'string' }, json: { type: 'boolean' }, html: { type: 'string' },
  });
  const cuts = values.cut ?? [];
  if (cuts.length === 0) throw new UsageError('lab judge expects at least one day with --cut');
  if (values.html !== undefined && cuts.length > 1) throw new UsageError('--html expects one --cut: a page shows one day');
  const models = await readModels({ config: values.config, model: values.model ?? 'link-claim,report-count' });
  const options = cuts.map((cut) => readImport(values, cut));
  const [reports, labels] = await readLists(positionals);
  for (const [at, cut] of cuts.entries()) {
    const result = await worded(() => withProgress(async (onProgress) => {
      const store = await createSqljsStore();
      try {
        // Seldom is enough: each report touches the standings of those whom it concerns.
        const replayed = await replay(importRows(reports, labels, options[at]), store, { models, epochDays: 365, onProgress });
        return summarise([replayed], { title: `${cut}, judged by ${values.judge ?? 'labels'}`, models: models.map(({ name }) => name), judged: 'all' });
      } finally {
        await store.close();
      }
    }));
    await deliver(result, values);
    if (at + 1 < cuts.length && !values.json) process.stdout.write('\n');
  }
  return 0;
}

async function readLists(positionals: readonly string[]) {
  const [reports, labels, ...more] = positionals;
  if (reports === undefined || labels === undefined || more.length > 0) throw new UsageError('expected a file of reports and a file of labels; see redflag lab --help');
  return [await readReportRows(reports), await readLabelRows(labels)] as const;
}

function readImport(values: { readonly judge?: string | undefined; readonly unverified?: boolean | undefined }, cut: string | undefined): ImportOptions {
  return {
    judges: values.judge?.split(',') ?? [],
    verified: !values.unverified,
    ...(cut === undefined ? {} : { cut: readMoment('cut', cut) }),
  };
}
