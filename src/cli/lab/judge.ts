import { importRows } from '../../lab/import-rows.ts';
import { replay } from '../../lab/replay.ts';
import { summarise } from '../../lab/summarise.ts';
import { createSqljsStore } from '../../store/sqljs/store.ts';
import { readArguments, UsageError, type Command } from '../arguments.ts';
import { LISTS_HELP, proveFiles, proveJudges, readImport, readJudges, readLists } from './dated-lists.ts';
import { deliver, DELIVER_HELP } from './deliver.ts';
import { modelsHelp, readModels } from './models-option.ts';
import { proveOutput } from './prove-output.ts';
import { withProgress, worded } from './replay-file.ts';

const DEFAULT_MODELS = 'link-claim,report-count';

/** `redflag lab judge REPORTS LABELS`: dated lists, replayed up to one or more days and judged on each. */
export const judge: Command = {
  help: `redflag lab judge REPORTS LABELS --cut DAY…: dated lists, replayed and judged at each day

${LISTS_HELP}
  --cut DAY          ask about every label at the beginning of this day (UTC), and leave out what came later; may be repeated

${modelsHelp(DEFAULT_MODELS)}
${DELIVER_HELP}, of one --cut
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      judge: { type: 'string' },
      cut: { type: 'string', multiple: true },
      unverified: { type: 'boolean' },
      model: { type: 'string' },
      config: { type: 'string' },
      json: { type: 'boolean' },
      html: { type: 'string' },
    });
    const cuts = values.cut ?? [];
    if (cuts.length === 0) throw new UsageError('lab judge expects at least one day with --cut');
    if (values.html !== undefined && cuts.length > 1)
      throw new UsageError('--html expects one --cut: a page shows one day');
    const models = await readModels({ config: values.config, model: values.model ?? DEFAULT_MODELS });
    const judges = readJudges(values.judge);
    const options = cuts.map((cut) => readImport(judges, values.unverified, cut));
    const files = proveFiles(positionals);
    await proveOutput('html', values.html, [...files, values.config]);
    const [reports, labels] = await readLists(files);
    proveJudges(judges, reports);
    for (const [at, cut] of cuts.entries()) {
      const result = await worded(() =>
        withProgress(async (onProgress) => {
          const store = await createSqljsStore();
          try {
            // Seldom is enough: each report touches the standings of those whom it concerns.
            const replayed = await replay(importRows(reports, labels, options[at]), store, {
              models,
              epochDays: 365,
              onProgress,
            });
            return summarise([replayed], {
              title: `${cut}, judged by ${values.judge ?? 'labels'}`,
              models: models.map(({ name }) => name),
              judged: 'all',
            });
          } finally {
            await store.close();
          }
        }),
      );
      await deliver(result, values);
      if (at + 1 < cuts.length && !values.json) process.stdout.write('\n');
    }
    return 0;
  },
};
