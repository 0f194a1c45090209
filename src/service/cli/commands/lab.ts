import type { Command } from '../arguments.ts';
import { attack } from './lab/attack.ts';
import { fit } from './lab/fit.ts';
import { auditSample } from './lab/audit-sample.ts';
import { fitMapCommand } from './lab/fit-map.ts';
import { importCsv } from './lab/import-csv.ts';
import { importOrders } from './lab/import-orders.ts';
import { judge } from './lab/judge.ts';
import { run } from './lab/run.ts';
import { simulate } from './lab/simulate.ts';
import { threshold } from './lab/threshold.ts';
import { worlds } from './lab/worlds.ts';

export const lab: Command = {
  help: `redflag lab: test scoring on recorded or simulated reports

  redflag lab run EVENTS                  replay recorded events and measure scoring; \`redflag lab EVENTS\` is the same
  redflag lab threshold EVENTS            show the effect of blocking at several thresholds of Points
  redflag lab fit EVENTS                  learn the half-lives of kinds of identifiers, as a configuration
  redflag lab fit-map EVENTS              fit a calibration map of Reliability, as a configuration
  redflag lab audit-sample EVENTS         choose queries whose label you find out by hand, for fit-map --audit
  redflag lab simulate                    generate the events of a simulated world
  redflag lab worlds                      compare models in the same simulated worlds, with and without attacks
  redflag lab attack                      search for the cheapest way to put honest people over a threshold
  redflag lab import-orders ORDERS        what blocking by Points would have saved, from a CSV file of past orders
  redflag lab import-csv REPORTS LABELS   convert dated lists to events
  redflag lab judge REPORTS LABELS        replay dated lists and measure scoring at one or more days

  redflag lab COMMAND --help              usage and options of a command; the help of \`run\` describes events
`,
  parts: {
    run,
    threshold,
    fit,
    'fit-map': fitMapCommand,
    'audit-sample': auditSample,
    simulate,
    worlds,
    attack,
    'import-orders': importOrders,
    'import-csv': importCsv,
    judge,
  },
  run: (args) => run.run(args),
};
