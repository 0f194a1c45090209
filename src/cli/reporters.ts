import type { ReporterStanding } from '../index.ts';
import { wordRefusal } from '../protocol/wording.ts';
import { CommandError, readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { formatTable } from './table.ts';

/** `redflag reporters`: what each reporter's word is worth, and why. */
export const reporters: Command = {
  help: `redflag reporters: how reporters stand, and why

  redflag reporters             a table of all
      --why NAME                one reporter, in sentences
      --json                    the same for programs
  redflag reporters recompute   learn all standings anew, now; a service does it each day

  PRECISION  the chance that a report of theirs is taken to be right
  CLAIMS     persons reported, each counted once
  CONFIRMED  how many of the claims established others confirm
  LOST       claims that the operator found wrong

  --data DIR                    folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                                where the reports are if they are on a PostgreSQL server

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      why: { type: 'string' },
      json: { type: 'boolean' },
    });
    const [action, ...more] = positionals;
    if ((action !== undefined && action !== 'recompute') || more.length > 0)
      throw new UsageError('reporters expects nothing or recompute; see redflag reporters --help');
    const standings = await askFolder(
      values.data ?? DATA_FOLDER,
      action === 'recompute' ? 'reporters recompute' : 'reporters list',
    );
    if (values.why === undefined) {
      process.stdout.write(values.json ? `${JSON.stringify(standings)}\n` : format(standings));
      return 0;
    }
    const asked = values.why.trim().normalize('NFC');
    const standing = standings.find(({ name }) => name === asked);
    if (!standing) throw new CommandError(wordRefusal({ reason: 'unknown-reporter' }));
    process.stdout.write(
      values.json ? `${JSON.stringify(standing)}\n` : standing.why.map((sentence) => `${sentence}\n`).join(''),
    );
    return 0;
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
