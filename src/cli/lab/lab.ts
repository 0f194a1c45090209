import { SCENARIOS } from '../../lab/simulate/world-options.ts';
import type { Command } from '../arguments.ts';
import { fitMapCommand } from './fit-map.ts';
import { importCsv, judge } from './import-csv.ts';
import { MODELS_HELP } from './models-option.ts';
import { REPLAY_HELP } from './replay-file.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';
import { threshold } from './threshold.ts';
import { worlds } from './worlds.ts';

const PARTS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  'import-csv': importCsv, judge, simulate, worlds, 'fit-map': fitMapCommand, threshold,
};

/** `redflag lab`: how scoring behaves, offline. */
export const lab: Command = {
  help: `redflag lab EVENTS: live through recorded events and say how well scoring did

EVENTS is a file of NDJSON, an event a line in the order of time, or - for standard input:
  {"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami","verified":true}
  {"at":"2021-01-02T00:00:00Z","do":"report","id":"r1","reporter":"ami","type":"fraud","severity":5,"identifiers":[["domain","0-mail.com"]]}
  {"at":"2021-01-03T00:00:00Z","do":"query","reporter":"x","identifiers":[["email","a@example.com"]],"label":1}
  {"at":"2021-01-04T00:00:00Z","do":"dispute","id":"r1","upheld":true}
  {"at":"2021-01-05T00:00:00Z","do":"remove","id":"r1"}
Identifiers are clear text or 40 hex characters; nothing of them leaves the lab. A label of 1 is a person to be warned of.

${MODELS_HELP}
${REPLAY_HELP}
  --judge-all        judge labelled queries without a match, too: they score 0
  --json             the result for programs
  --html FILE        the result as a page that needs no network

redflag lab threshold EVENTS    what blocking from so many Points on would have done, by kind of identifier
  --points LIST      (default 1,10,20,30,40,50,60,70,80,90)
redflag lab fit-map EVENTS      the map from stated to observed Reliability, as a file for --config and serve --scoring
  both take --config, --exclude-own, --epoch-days and --seed

redflag lab simulate            a simulated world as events
  --seed N  --scenario NAME    ${Object.keys(SCENARIOS).join(', ')}
  --attack KIND:N               duplicates, sybil, ring or camouflage, as in sybil:100; the world then ends with the queries about its victims
  --set NAME=N                  another number of the world, as in customers=500 or reporting.copying=0.3
redflag lab worlds              all models in the same simulated worlds, and what attacks reach there
  --seeds LIST (default 101,102,103,104,105)  --scenario NAME  --attacks LIST  --model, --config, --json, --html

redflag lab import-csv REPORTS LABELS   dated lists as events: kind,value,reporter,date,removed,type and kind,value,label,source,date
  --judge LIST       reporters whose reports are left out: the labels are their word
  --cut DAY          ask about every label at the beginning of this day (UTC), and leave out what came later
  --unverified       the reporters are nobody that the operator knows
redflag lab judge REPORTS LABELS --cut DAY…   the same, replayed and judged at each day
  --model (default link-claim,report-count), --config, --json, --html
`,
  run(args) {
    const [part, ...rest] = args;
    return part !== undefined && Object.hasOwn(PARTS, part) ? PARTS[part]!(rest) : run(args);
  },
};
