import { askFolder } from '../../data-folder/ask-folder.ts';
import type { PanelLink } from '../../data-folder/panel-calls.ts';
import { readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import { formatMoment, printAnswer } from '../output.ts';

/** The person of a link for a reporter, if the operator gives no name. */
const REPORTER_PERSON = 'reporter';

export const panel: Command = {
  help: `redflag panel: let people sign in to the panel of the service, and sign them out

  redflag panel link       print a link that signs one person in, once, within an hour: as the operator
      --reporter NAME      for this reporter: the person sees its keys, reports and disputes
      --name PERSON        who signs in, for the audit log (default: the operator's name; with
                           --reporter: ${REPORTER_PERSON})
  redflag panel sign-out   end all sessions and links of the operator at once
      --reporter NAME      of this reporter instead

  --by NAME                the operator's name, for the audit log (default your login name)
  --json                   print JSON
${dataHelp(27)}

Any person who has the link can use it: send it only to the person who signs in.
Sessions of the operator last 12 hours, of a reporter 14 days.
Works while a service runs on the folder. Otherwise the link begins with the path, because only the
service knows its address.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'reporter', 'name', 'by'], flags: ['json'] });
    const [action, ...more] = positionals;
    if ((action !== 'link' && action !== 'sign-out') || more.length > 0)
      throw new UsageError('panel expects link or sign-out; see redflag panel --help');
    if (action === 'sign-out') refuseOptions(values, ['name'], 'belongs to panel link');
    const by = readOperator(values.by);
    if (action === 'sign-out') {
      const done = await askFolder(dataFolder(values.data), 'panel sign-out', {
        reporter: values.reporter ?? null,
        by,
      });
      printAnswer(done, values.json, () => 'Signed out: all sessions and links have ended.\n');
      return;
    }
    const name = values.name ?? (values.reporter === undefined ? by : REPORTER_PERSON);
    const link = await askFolder(dataFolder(values.data), 'panel link', {
      reporter: values.reporter ?? null,
      name,
      by,
    });
    printAnswer(link, values.json, format);
  },
};

function format({ url, path, endsAt }: PanelLink): string {
  const until = `Works once, until ${formatMoment(endsAt)}.\n`;
  return url === null
    ? `Open this path under the address of your service: ${path}\n${until}`
    : `Sign-in link: ${url}\n${until}`;
}
