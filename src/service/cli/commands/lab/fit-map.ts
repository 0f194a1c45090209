import { fitCalibration, MIN_SAMPLES } from '../../../../lab/fit-map.ts';
import { fitShift } from '../../../../lab/fit-shift.ts';
import type { AnsweredQuery } from '../../../../lab/replayed.ts';
import type { Sample } from '../../../../lab/sample.ts';
import { matchedOf, samplesOf } from '../../../../lab/summarise.ts';
import { command, form } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { text } from '../../option.ts';
import { readAudit, type AuditRow } from '../../lab/audit-file.ts';
import { formatMap, formatShift } from '../../lab/format-map.ts';
import { configOption, readUncalibrated } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_OPTIONS, replayFile, withFormattedErrors } from '../../lab/replay-file.ts';

/** With more audited queries, a map is fitted instead of a shift. */
const MAX_SHIFT_QUERIES = 300;

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
      options: {
        audit: text(
          'FILE',
          `use the labels of this file of redflag lab audit-sample, and no others; up to ${MAX_SHIFT_QUERIES} labels fit one number instead of a map, the shift of the log-odds`,
        ),
        config: configOption('; the output contains them and the map'),
        ...REPLAY_OPTIONS,
      },
      async run(values, words) {
        // Ignore an existing map in the file: the result replaces it.
        const { changes, model } = await readUncalibrated(values.config);
        const options = { models: [model], ...readReplay(values), misses: 0 };
        const audit = values.audit === undefined ? undefined : await readAudit(values.audit);
        const { calibration, report } = await withFormattedErrors(async () => {
          const audited = audit && createAuditReader(audit);
          const { samples: judged } = await replayFile(words, readLayout(values), {
            ...options,
            ...(audited ? { onQuery: audited.read, maxSamples: 1 } : {}),
          });
          const samples = audited?.samples() ?? samplesOf(matchedOf(judged), 0);
          if (audited && samples.length <= MAX_SHIFT_QUERIES) {
            const fitted = fitShift(samples, audited.population);
            return { calibration: fitted.map, report: formatShift(fitted, MAX_SHIFT_QUERIES) };
          }
          if (samples.length < MIN_SAMPLES)
            throw new CommandError(
              `a map needs at least ${MIN_SAMPLES} labelled queries that match a report, got ${samples.length}`,
            );
          const map = fitCalibration(samples);
          return { calibration: map, report: formatMap(map, samples) };
        });
        process.stdout.write(`${JSON.stringify({ ...changes, calibration }, null, 2)}\n`);
        process.stderr.write(report);
      },
    }),
  },
});

/** Collects the stated chances of the labelled queries of an audit. Throws CommandError if it is about other events. */
function createAuditReader(rows: ReadonlyMap<number, AuditRow>) {
  const samples = new Map<number, Sample>();
  const population: number[] = [];
  const refuse = (query: number, { line }: AuditRow, why: string): never => {
    throw new CommandError(
      `line ${line} of the audit labels query ${query}, which ${why}; use the events and options of the sample`,
    );
  };
  return {
    /** Stated chances of all queries with a match. */
    population,
    read({ number, at, reported, answers }: AnsweredQuery): void {
      const chance = answers[0]?.chance;
      if (reported > 0 && chance !== undefined) population.push(chance);
      const row = rows.get(number);
      if (row === undefined) return;
      if (at !== row.at) refuse(number, row, 'is of another time');
      if (reported === 0 || chance === undefined) return refuse(number, row, 'matches no report');
      samples.set(number, { at, label: row.label, score: chance, chance });
    },
    samples(): Sample[] {
      for (const [query, row] of rows) if (!samples.has(query)) refuse(query, row, 'does not exist');
      return [...samples.values()];
    },
  };
}
