import { fitMap } from '../../lab/summarise.ts';
import { readArguments } from '../arguments.ts';
import { readModels } from './models-option.ts';
import { readReplay, REPLAY_OPTIONS, replayFile, worded } from './replay-file.ts';

/** `redflag lab fit-map FILE`: the calibration map of a model, as a configuration file. */
export async function fitMapCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { config: { type: 'string' }, ...REPLAY_OPTIONS });
  const models = await readModels({ model: 'link-claim', config: values.config });
  const calibration = await worded(async () => fitMap([await replayFile(positionals, { models, ...readReplay(values), misses: 0 })]));
  process.stdout.write(`${JSON.stringify({ calibration }, null, 2)}\n`);
  return 0;
}
