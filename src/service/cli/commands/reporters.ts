import type { ReporterStanding } from '../../../index.ts';
import { wordRefusal } from '../../../core/protocol/wording.ts';
import { command, form } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { toStoredName } from '../../data-folder/find-reporter.ts';
import { BUDGET_MOST } from '../../../operator/admin/administration.ts';
import { flag, text } from '../option.ts';
import { BY, DATA, JSON_OUTPUT } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

const WHY = { why: text('NAME', 'explain the standing of one reporter') };
const CHANGE = { ...BY, ...JSON_OUTPUT, ...DATA };

export const reporters = command({
  name: 'reporters',
  title: 'list and explain the standing of reporters',
  forms: {
    '': form({
      summary: 'list all reporters',
      options: { ...WHY, ...JSON_OUTPUT, ...DATA },
      run: (values) => show(values, 'reporters list'),
    }),
    recompute: form({
      summary: 'recompute all standings now; a service does so each day',
      options: { ...WHY, ...JSON_OUTPUT, ...DATA },
      run: (values) => show(values, 'reporters recompute'),
    }),
    budget: form({
      usage: 'NAME N|default',
      summary:
        'how many identifiers the reporter may ask about each day, over all its keys; default is the budget of the service',
      options: CHANGE,
      async run({ by, json, data }, [name, budget, ...more]) {
        if (name === undefined || budget === undefined || more.length > 0)
          throw new UsageError(
            'reporters budget expects a name and a number, or the word default; put the name in quotes',
          );
        const identifiersPerDay = budget === 'default' ? null : Number(/^\d{1,10}$/.exec(budget)?.[0] ?? NaN);
        if (identifiersPerDay !== null && !(identifiersPerDay >= 1 && identifiersPerDay <= BUDGET_MOST))
          throw new UsageError(`reporters budget expects a whole number from 1 to ${BUDGET_MOST}, or the word default`);
        const answer = await askFolder(data, 'reporters budget', { name, identifiersPerDay, by });
        printAnswer(answer, json, () => 'Changed.\n');
      },
    }),
    contact: form({
      usage: 'NAME TEXT',
      summary:
        'how a person reaches the reporter: an email address, an https: or mailto: address or a phone number; shown with its reports',
      options: { none: flag('no contact, in place of TEXT'), ...CHANGE },
      async run({ none, by, json, data }, [name, contact, ...more]) {
        if (name === undefined || (contact === undefined) !== none || more.length > 0)
          throw new UsageError(
            'reporters contact expects a name and a contact, or a name and --none; put the name in quotes',
          );
        const answer = await askFolder(data, 'reporters contact', { name, contact: contact ?? null, by });
        printAnswer(answer, json, () => 'Changed.\n');
      },
    }),
    verify: form({
      usage: 'NAME',
      summary: 'vouch for the reporter: its reports count in full, and it gets the budget of a verified one',
      options: { undo: flag('no longer vouch for it'), ...CHANGE },
      async run({ undo, by, json, data }, words) {
        const answer = await askFolder(data, 'reporters verify', {
          name: readName('verify', words),
          verified: !undo,
          by,
        });
        printAnswer(answer, json, ({ did }) => (did === 'verify' ? 'Verified.\n' : 'No longer verified.\n'));
      },
    }),
    suspend: suspension('suspend', 'refuse all keys of the reporter from now on; its reports stay'),
    unsuspend: suspension('unsuspend', 'accept them again'),
  },
  notes: `  PRECISION  estimated probability that a report is right
  CLAIMS     persons reported, each counted once
  CONFIRMED  claims that other established reporters confirm
  LOST       claims that the operator found wrong
  BUDGET     identifiers in queries a day

Works while a service runs on the folder.
`,
});

interface Shown {
  readonly why: string | undefined;
  readonly json: boolean;
  readonly data: string;
}

async function show({ why, json, data }: Shown, call: 'reporters list' | 'reporters recompute'): Promise<void> {
  const standings = await askFolder(data, call);
  if (why === undefined) return printAnswer(standings, json, format);
  const asked = toStoredName(why);
  const standing = standings.find(({ name }) => name === asked);
  if (!standing) throw new CommandError(wordRefusal({ reason: 'unknown-reporter' }));
  printAnswer(standing, json, (found) => found.why.map((sentence) => `${sentence}\n`).join(''));
}

function suspension(action: 'suspend' | 'unsuspend', summary: string) {
  return form({
    usage: 'NAME',
    summary,
    options: CHANGE,
    async run({ by, json, data }, words) {
      const call = { name: readName(action, words), suspended: action === 'suspend', by };
      printAnswer(await askFolder(data, 'reporters suspend', call), json, ({ did }) =>
        did === 'suspend'
          ? 'Suspended: all its keys are refused.\n'
          : 'The suspension has ended: its keys work again.\n',
      );
    },
  });
}

function readName(action: string, [name, ...more]: readonly string[]): string {
  if (name === undefined || more.length > 0)
    throw new UsageError(`reporters ${action} expects the name of a reporter; put a name with spaces in quotes`);
  return name;
}

function format(standings: readonly ReporterStanding[]): string {
  const rows = standings.map(
    ({
      reporterId,
      name,
      established,
      precision,
      claims,
      corroborated,
      lost,
      verified,
      suspended,
      identifiersPerDay,
    }) => [
      name,
      reporterId,
      established ? 'established' : 'new',
      precision.toFixed(2),
      String(claims),
      corroborated.toFixed(1),
      String(lost),
      yesOrNo(verified),
      yesOrNo(suspended),
      identifiersPerDay === null ? 'default' : String(identifiersPerDay),
    ],
  );
  return formatTable([
    ['NAME', 'REPORTER ID', 'STANDING', 'PRECISION', 'CLAIMS', 'CONFIRMED', 'LOST', 'VERIFIED', 'SUSPENDED', 'BUDGET'],
    ...rows,
  ]);
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
