import { importRows } from '../../../../lab/import-rows.ts';
import { summarise } from '../../../../lab/summarise.ts';
import { readArguments, readMoment, UsageError, type Command } from '../../arguments.ts';
import { LISTS_HELP, readFileNames, validateJudges, readImport, readLists } from '../../lab/dated-lists.ts';
import { deliver, DELIVER_HELP, validatePage } from '../../lab/deliver.ts';
import { modelsHelp, readModels } from '../../lab/models-option.ts';
import { mapTypes, readTypeMap } from '../../lab/offence-types.ts';
import { replayEvents, worded } from '../../lab/replay-file.ts';

const DEFAULT_MODELS = 'link-claim,report-count';

export const judge: Command = {
  help: `redflag lab judge REPORTS LABELS --cut DAY…: replay dated lists and measure scoring at each day

${LISTS_HELP}
  --cut DAY          query every labelled value at the start of this day (UTC), and leave out later reports;
                     may be repeated. Standings are those that a service computes on this day

${modelsHelp(DEFAULT_MODELS)}
${DELIVER_HELP}; needs exactly one --cut
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['judge', 'model', 'config', 'html'],
      flags: ['unverified', 'json'],
      lists: ['cut', 'map-type'],
    });
    const cuts = values.cut ?? [];
    if (cuts.length === 0) throw new UsageError('lab judge expects at least one day with --cut');
    if (values.html !== undefined && cuts.length > 1)
      throw new UsageError('--html expects exactly one --cut, because a page shows one day');
    const types = readTypeMap(values['map-type']);
    const models = await readModels({ config: values.config, model: values.model ?? DEFAULT_MODELS });
    const judges = values.judge?.split(',') ?? [];
    const options = cuts.map((cut) => readImport(judges, values.unverified, cut));
    const files = readFileNames('judge', positionals);
    await validatePage(values.html, [...files, values.config]);
    const { reports, labels } = await readLists(files);
    validateJudges(judges, reports);
    for (const [at, cut] of cuts.entries()) {
      const result = await worded(async () => {
        // All queries are at the cut. The standings of its day depend on the reports only, not on earlier standings.
        const replayed = await replayEvents(mapTypes(importRows(reports, labels, options[at]), types), {
          models,
          epochDays: 1,
          epochsFrom: readMoment('cut', cut),
        });
        const title = `${cut}, judged by ${values.judge ?? 'labels'}`;
        return summarise([replayed], { title, models: models.map(({ name }) => name), judged: 'all' });
      });
      await deliver(result, values);
      if (at + 1 < cuts.length && !values.json) process.stdout.write('\n');
    }
  },
};
