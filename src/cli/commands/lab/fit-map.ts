import { fitMap } from '../../../lab/summarise.ts';
import { readArguments, type Command } from '../../arguments.ts';
import { configureLinkClaim } from '../../../scoring/configure.ts';
import { createLinkClaimModel } from '../../../scoring/link-claim.ts';
import { CONFIG_HELP, readConstants } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_HELP, replayFile, worded } from '../../lab/replay-file.ts';

export const fitMapCommand: Command = {
  help: `redflag lab fit-map EVENTS: fit a calibration map of Reliability, for --config and --scoring

EVENTS is as in redflag lab run --help. The map is fitted on labelled queries that match a report, at least 50 of them.

${CONFIG_HELP}; the output contains them and the map
${REPLAY_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['config', 'epoch-days', 'seed'],
      flags: ['exclude-own', 'sort'],
      lists: ['map-type'],
    });
    const layout = readLayout(values);
    const { changes } = values.config === undefined ? { changes: {} } : await readConstants(values.config);
    // Ignore an existing map in the file: the result replaces it.
    const models = [createLinkClaimModel(configureLinkClaim({ ...changes, calibration: null }))];
    const calibration = await worded(async () =>
      fitMap([await replayFile(positionals, layout, { models, ...readReplay(values), misses: 0 })]),
    );
    process.stdout.write(`${JSON.stringify({ ...changes, calibration }, null, 2)}\n`);
  },
};
