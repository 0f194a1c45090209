import type { Command } from '../arguments.ts';
import { fitMapCommand } from './fit-map.ts';
import { importCsv } from './import-csv.ts';
import { judge } from './judge.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';
import { threshold } from './threshold.ts';
import { worlds } from './worlds.ts';

/** `redflag lab`: how scoring behaves, offline. */
export const lab: Command = {
  help: `redflag lab: how scoring behaves on recorded or simulated reports

  redflag lab run EVENTS                  live through recorded events and say how well scoring did; \`redflag lab EVENTS\` is the same
  redflag lab threshold EVENTS            what blocking from so many Points on would have done
  redflag lab fit-map EVENTS              the map from stated to observed Reliability, as a configuration
  redflag lab simulate                    a simulated world as events
  redflag lab worlds                      all models in the same simulated worlds, and what attacks reach there
  redflag lab import-csv REPORTS LABELS   dated lists as events
  redflag lab judge REPORTS LABELS        dated lists, replayed and judged at one or more days

  redflag lab COMMAND --help              what it takes; \`run\` says what an event is
`,
  parts: { run, threshold, 'fit-map': fitMapCommand, simulate, worlds, 'import-csv': importCsv, judge },
  run: (args) => run.run(args),
};
