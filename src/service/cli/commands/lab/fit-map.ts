import { fitCalibration, MIN_SAMPLES } from '../../../../lab/fit-map.ts';
import { matchedOf, samplesOf } from '../../../../lab/summarise.ts';
import { command, form } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { toJson } from '../../output.ts';
import { formatMap } from '../../lab/format-map.ts';
import { configOption, readUncalibrated } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_OPTIONS, replayFile, withFormattedErrors } from '../../lab/replay-file.ts';

export const fitMapCommand = command({
  name: 'lab fit-map',
  title: 'fit a calibration map of Reliability, for --config and --scoring',
  about: `EVENTS is as in redflag lab run --help. The map is fitted on labelled queries that match a report, at
least ${MIN_SAMPLES} of them: those of the 365 days before the newest one, and at least the newest 1,000. Standard
error says what was fitted and how sure it is.
`,
  forms: {
    '': form({
      usage: 'EVENTS',
      options: { config: configOption('; the output contains them and the map'), ...REPLAY_OPTIONS },
      async run(values, words) {
        // Ignore an existing map in the file: the result replaces it.
        const { changes, model } = await readUncalibrated(values.config);
        const options = { models: [model], ...readReplay(values), misses: 0 };
        const { map, samples } = await withFormattedErrors(async () => {
          const { samples: judged } = await replayFile(words, readLayout(values), options);
          const samples = samplesOf(matchedOf(judged), 0);
          if (samples.length < MIN_SAMPLES)
            throw new CommandError(
              `a map needs at least ${MIN_SAMPLES} labelled queries that match a report, got ${samples.length}`,
            );
          return { map: fitCalibration(samples), samples };
        });
        process.stdout.write(toJson({ ...changes, calibration: map }, 2));
        process.stderr.write(formatMap(map, samples));
      },
    }),
  },
});
