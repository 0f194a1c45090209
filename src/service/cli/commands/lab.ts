import type { Command } from '../command.ts';
import { formatHelp } from '../help.ts';
import { attack } from './lab/attack.ts';
import { fit } from './lab/fit.ts';
import { fitMapCommand } from './lab/fit-map.ts';
import { importOrders } from './lab/import-orders.ts';
import { run } from './lab/run.ts';
import { simulate } from './lab/simulate.ts';
import { threshold } from './lab/threshold.ts';
import { worlds } from './lab/worlds.ts';

const LAB = {
  name: 'lab',
  title: 'test scoring on recorded or simulated reports',
  forms: {},
  parts: { run, threshold, fit, 'fit-map': fitMapCommand, simulate, worlds, attack, 'import-orders': importOrders },
  notes: `\`redflag lab EVENTS\` is the same as \`redflag lab run EVENTS\`.
redflag lab COMMAND --help shows the usage and options of a command; the help of \`run\` describes events.
`,
};

export const lab: Command = { ...LAB, help: formatHelp(LAB), run: (args) => run.run(args) };
