import type { ReporterStanding } from '../../../operator.ts';
import { wordRefusal } from '../../../core/protocol/wording.ts';
import { CommandError, readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { toStoredName } from '../../data-folder/find-reporter.ts';
import { BUDGET_MOST } from '../../../operator/reporters.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

export const reporters: Command = {
  help: `redflag reporters: list and explain the standing of reporters

  redflag reporters             list all reporters
      --why NAME                explain the standing of one reporter
      --json                    print JSON
  redflag reporters recompute   recompute all standings now; a service does so each day
  redflag reporters budget NAME N|default
                                how many identifiers the reporter may ask about each day, over all
                                its keys; default is the budget of the service
  redflag reporters contact NAME TEXT
                                how a person reaches the reporter: an email address, an https: or
                                mailto: address or a phone number; shown with its reports
      --none                    no contact, in place of TEXT
  redflag reporters verify NAME vouch for the reporter: its reports count in full, and it gets the
                                budget of a verified one
      --undo                    no longer vouch for it
  redflag reporters suspend NAME
                                refuse all keys of the reporter from now on; its reports stay
  redflag reporters unsuspend NAME
                                accept them again

  --by NAME                     the operator's name, for the audit log (default your login name)

  PRECISION  estimated probability that a report is right
  CLAIMS     persons reported, each counted once
  CONFIRMED  claims that other established reporters confirm
  LOST       claims that the operator found wrong
  BUDGET     identifiers in queries a day

${dataHelp(32)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'why', 'by'],
      flags: ['json', 'none', 'undo'],
    });
    const [action, ...more] = positionals;
    if (action !== 'contact') refuseOptions(values, ['none'], 'belongs to reporters contact');
    if (action !== 'verify') refuseOptions(values, ['undo'], 'belongs to reporters verify');
    if (action === 'budget') return setBudget(values, more);
    if (action === 'contact') return setContact(values, more);
    if (action === 'verify') return verify(values, more);
    if (action === 'suspend' || action === 'unsuspend') return suspend(values, action, more);
    refuseOptions(values, ['by'], 'belongs to reporters budget, contact, verify, suspend and unsuspend');
    if ((action !== undefined && action !== 'recompute') || more.length > 0)
      throw new UsageError(
        'reporters expects no value, or recompute, budget, contact, verify, suspend or unsuspend; see redflag reporters --help',
      );
    const standings = await askFolder(
      dataFolder(values.data),
      action === 'recompute' ? 'reporters recompute' : 'reporters list',
    );
    if (values.why === undefined) return printAnswer(standings, values.json, format);
    const asked = toStoredName(values.why);
    const standing = standings.find(({ name }) => name === asked);
    if (!standing) throw new CommandError(wordRefusal({ reason: 'unknown-reporter' }));
    printAnswer(standing, values.json, ({ why }) => why.map((sentence) => `${sentence}\n`).join(''));
  },
};

type Values = Readonly<Partial<Record<'data' | 'why' | 'by', string> & Record<'json' | 'none' | 'undo', boolean>>>;

async function suspend(
  values: Values,
  action: 'suspend' | 'unsuspend',
  [name, ...more]: readonly string[],
): Promise<void> {
  refuseOptions(values, ['why'], `does not belong to reporters ${action}`);
  if (name === undefined || more.length > 0)
    throw new UsageError(`reporters ${action} expects the name of a reporter; put a name with spaces in quotes`);
  const call = { name, suspended: action === 'suspend', by: readOperator(values.by) };
  const answer = await askFolder(dataFolder(values.data), 'reporters suspend', call);
  printAnswer(answer, values.json, ({ did }) =>
    did === 'suspend' ? 'Suspended: all its keys are refused.\n' : 'The suspension has ended: its keys work again.\n',
  );
}

async function setContact(values: Values, [name, text, ...more]: readonly string[]): Promise<void> {
  refuseOptions(values, ['why'], 'does not belong to reporters contact');
  if (name === undefined || (text === undefined) !== (values.none === true) || more.length > 0)
    throw new UsageError(
      'reporters contact expects a name and a contact, or a name and --none; put the name in quotes',
    );
  const call = { name, contact: text ?? null, by: readOperator(values.by) };
  printAnswer(await askFolder(dataFolder(values.data), 'reporters contact', call), values.json, () => 'Changed.\n');
}

async function verify(values: Values, [name, ...more]: readonly string[]): Promise<void> {
  refuseOptions(values, ['why'], 'does not belong to reporters verify');
  if (name === undefined || more.length > 0)
    throw new UsageError('reporters verify expects the name of a reporter; put a name with spaces in quotes');
  const call = { name, verified: values.undo !== true, by: readOperator(values.by) };
  printAnswer(await askFolder(dataFolder(values.data), 'reporters verify', call), values.json, ({ did }) =>
    did === 'verify' ? 'Verified.\n' : 'No longer verified.\n',
  );
}

async function setBudget(values: Values, [name, budget, ...more]: readonly string[]): Promise<void> {
  refuseOptions(values, ['why'], 'does not belong to reporters budget');
  if (name === undefined || budget === undefined || more.length > 0)
    throw new UsageError('reporters budget expects a name and a number, or the word default; put the name in quotes');
  const identifiersPerDay = budget === 'default' ? null : Number(/^\d{1,10}$/.exec(budget)?.[0] ?? NaN);
  if (identifiersPerDay !== null && !(identifiersPerDay >= 1 && identifiersPerDay <= BUDGET_MOST))
    throw new UsageError(`reporters budget expects a whole number from 1 to ${BUDGET_MOST}, or the word default`);
  const by = readOperator(values.by);
  const answer = await askFolder(dataFolder(values.data), 'reporters budget', { name, identifiersPerDay, by });
  printAnswer(answer, values.json, () => 'Changed.\n');
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
