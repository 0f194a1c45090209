import type { ReporterStanding } from '../../../operator.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import { command, form } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import type { Calls } from '../../data-folder/calls.ts';
import { toStoredName } from '../../data-folder/reporter-names.ts';
import { unwrap, type Outcome } from '../../../core/domain/refusal.ts';
import { MAX_BUDGET_IDENTIFIERS } from '../../../operator/reporters.ts';
import { flag, text, value, type ValuesOf } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

const LIST = { why: text('NAME', 'explain the standing of one reporter'), ...READ };

const NAME = value('NAME', 'the name of a reporter; put a name with spaces in quotes', String);

export const reporters = command({
  name: 'reporters',
  title: 'list and explain the standing of reporters',
  forms: {
    '': form({ summary: 'list all reporters', options: LIST, run: (values) => show(values, 'listStandings') }),
    recompute: form({
      summary: 'recompute all standings now; a service does so each day',
      options: LIST,
      run: (values) => show(values, 'recomputeTrust'),
    }),
    budget: form({
      usage: 'NAME N|default',
      summary:
        'how many identifiers the reporter may send in queries and reports each day, over all its keys; default is the budget of the service',
      options: WRITE,
      async run({ by, json, data }, [name, budget, ...more]) {
        if (name === undefined || budget === undefined || more.length > 0)
          throw new UsageError(
            'reporters budget expects a name and a number, or the word default; put the name in quotes',
          );
        const identifiersPerDay = budget === 'default' ? null : Number(/^\d{1,10}$/.exec(budget)?.[0] ?? NaN);
        if (identifiersPerDay !== null && !(identifiersPerDay >= 1 && identifiersPerDay <= MAX_BUDGET_IDENTIFIERS))
          throw new UsageError(
            `reporters budget expects a whole number from 1 to ${MAX_BUDGET_IDENTIFIERS}, or the word default`,
          );
        await changeReporter(data, name, (engine, reporterId) =>
          engine.setBudget({ reporterId, identifiersPerDay, by }),
        );
        printAnswer({ did: 'budget' }, json, () => 'Changed.\n');
      },
    }),
    contact: form({
      usage: 'NAME TEXT',
      summary:
        'how a person reaches the reporter: an email address, an https: or mailto: address or a phone number; shown with its reports',
      options: { none: flag('no contact, in place of TEXT'), ...WRITE },
      async run({ none, by, json, data }, [name, contact, ...more]) {
        if (name === undefined || (contact === undefined) !== none || more.length > 0)
          throw new UsageError(
            'reporters contact expects a name and a contact, or a name and --none; put the name in quotes',
          );
        const change = { contact: contact ?? null, by };
        await changeReporter(data, name, (engine, reporterId) => engine.updateReporter({ reporterId, ...change }));
        printAnswer({ did: 'contact' }, json, () => 'Changed.\n');
      },
    }),
    verify: form({
      value: NAME,
      summary: 'vouch for the reporter: its reports count in full, and it gets the budget of a verified one',
      options: { undo: flag('no longer vouch for it'), ...WRITE },
      async run({ undo, by, json, data }, name) {
        await changeReporter(data, name, (engine, reporterId) =>
          engine.updateReporter({ reporterId, verified: !undo, by }),
        );
        printAnswer({ did: undo ? 'unverify' : 'verify' }, json, () =>
          undo ? 'No longer verified.\n' : 'Verified.\n',
        );
      },
    }),
    suspend: suspension(
      'suspend',
      'refuse all keys of the reporter from now on; its reports stay',
      'Suspended: all its keys are refused.\n',
    ),
    unsuspend: suspension('unsuspend', 'accept them again', 'The suspension has ended: its keys work again.\n'),
  },
  notes: `  PRECISION  estimated probability that a report is right
  CLAIMS     persons reported, each counted once
  CONFIRMED  claims that other established reporters confirm
  LOST       claims that the operator found wrong
  BUDGET     identifiers in queries and reports a day

Works while a service runs on the folder.
`,
});

async function show(
  { why, json, data }: ValuesOf<typeof LIST>,
  method: 'listStandings' | 'recomputeTrust',
): Promise<void> {
  const standings = await askFolder(data, (engine) => engine[method]());
  if (why === undefined) return printAnswer(standings, json, format);
  const asked = toStoredName(why);
  const standing = standings.find(({ name }) => name === asked);
  if (!standing) throw new CommandError(formatRefusal({ reason: 'unknown-reporter' }));
  printAnswer(standing, json, (found) => found.why.map((sentence) => `${sentence}\n`).join(''));
}

/** Changes the reporter with this name. The engine refuses an empty id as unknown. */
function changeReporter(
  folder: string,
  name: string,
  change: (engine: Calls, reporterId: string) => Promise<Outcome<void>>,
): Promise<void> {
  return askFolder(folder, async (engine) => {
    const reporter = await engine.findReporter({ name });
    unwrap(await change(engine, reporter?.reporterId ?? ''));
  });
}

function suspension(action: 'suspend' | 'unsuspend', summary: string, done: string) {
  return form({
    value: NAME,
    summary,
    options: WRITE,
    async run({ by, json, data }, name) {
      const suspended = action === 'suspend';
      await changeReporter(data, name, (engine, reporterId) => engine.suspendReporter({ reporterId, suspended, by }));
      printAnswer({ did: action }, json, () => done);
    },
  });
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
