import type { ReporterStanding } from '../../index.ts';
import { wordRefusal } from '../../protocol/wording.ts';
import { CommandError, readArguments, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { DATA_FOLDER, dataHelp } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

export const reporters: Command = {
  help: `redflag reporters: list and explain the standing of reporters

  redflag reporters             list all reporters
      --why NAME                explain the standing of one reporter
      --json                    print JSON
  redflag reporters recompute   recompute all standings now; a service does so each day

  PRECISION  estimated probability that a report is right
  CLAIMS     persons reported, each counted once
  CONFIRMED  claims that other established reporters confirm
  LOST       claims that the operator found wrong

${dataHelp(32)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'why'], flags: ['json'] });
    const [action, ...more] = positionals;
    if ((action !== undefined && action !== 'recompute') || more.length > 0)
      throw new UsageError('reporters expects no value, or the word recompute; see redflag reporters --help');
    const standings = await askFolder(
      values.data ?? DATA_FOLDER,
      action === 'recompute' ? 'reporters recompute' : 'reporters list',
    );
    if (values.why === undefined) return printAnswer(standings, values.json, format);
    const asked = values.why.trim().normalize('NFC');
    const standing = standings.find(({ name }) => name === asked);
    if (!standing) throw new CommandError(wordRefusal({ reason: 'unknown-reporter' }));
    printAnswer(standing, values.json, ({ why }) => why.map((sentence) => `${sentence}\n`).join(''));
  },
};

function format(standings: readonly ReporterStanding[]): string {
  const rows = standings.map(({ name, established, precision, claims, corroborated, lost, verified, suspended }) => [
    name,
    established ? 'established' : 'new',
    precision.toFixed(2),
    String(claims),
    corroborated.toFixed(1),
    String(lost),
    yesOrNo(verified),
    yesOrNo(suspended),
  ]);
  return formatTable([
    ['NAME', 'STANDING', 'PRECISION', 'CLAIMS', 'CONFIRMED', 'LOST', 'VERIFIED', 'SUSPENDED'],
    ...rows,
  ]);
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
