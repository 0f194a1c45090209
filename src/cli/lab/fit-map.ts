import { fitMap } from '../../lab/summarise.ts';
import { readArguments, type Command } from '../arguments.ts';
import { configureLinkClaim } from '../../scoring/configure.ts';
import { createLinkClaimModel } from '../../scoring/link-claim.ts';
import { CONFIG_HELP, readConstants } from './models-option.ts';
import { readReplay, REPLAY_HELP, REPLAY_OPTIONS, replayFile, worded } from './replay-file.ts';

/** `redflag lab fit-map FILE`: the calibration map of a model, as a configuration file: the one that was given, with this map. */
export const fitMapCommand: Command = {
  help: `redflag lab fit-map EVENTS: the map from stated to observed Reliability, as a file for --config and serve --scoring

EVENTS is as in redflag lab run --help. The map is fitted on labelled queries that match a report, at least 50 of them.

${CONFIG_HELP}; the map is added to them
${REPLAY_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { config: { type: 'string' }, ...REPLAY_OPTIONS });
    const { changes } = values.config === undefined ? { changes: {} } : await readConstants(values.config);
    // From what is stated without a map: one that the file has already is replaced, not mapped once more.
    const models = [createLinkClaimModel(configureLinkClaim({ ...changes, calibration: null }))];
    const calibration = await worded(async () =>
      fitMap([await replayFile(positionals, { models, ...readReplay(values), misses: 0 })]),
    );
    process.stdout.write(`${JSON.stringify({ ...changes, calibration }, null, 2)}\n`);
    return 0;
  },
};
