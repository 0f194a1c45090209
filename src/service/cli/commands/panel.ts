import { askFolder } from '../../data-folder/ask-folder.ts';
import { createPanelLink, type PanelLink } from '../../data-folder/panel-link.ts';
import { requireReporterId } from '../../data-folder/reporter-names.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import { command, form } from '../command.ts';
import { text } from '../option.ts';
import { WRITE } from '../operator-options.ts';
import { formatMoment, printAnswer } from '../output.ts';

/** The person of a link for a reporter, if the operator gives no name. */
const REPORTER_PERSON = 'reporter';

export const panel = command({
  name: 'panel',
  title: 'let people sign in to the panel of the service, and sign them out',
  forms: {
    link: form({
      summary: 'print a link that signs one person in, once, within an hour: as the operator',
      options: {
        reporter: text('NAME', 'for this reporter: the person sees its keys, reports and disputes'),
        name: text(
          'PERSON',
          `who signs in, for the audit log (default the operator's name; with --reporter: ${REPORTER_PERSON})`,
        ),
        ...WRITE,
      },
      async run({ reporter = null, by, json, data, ...values }) {
        const name = values.name ?? (reporter === null ? by : REPORTER_PERSON);
        const link = await askFolder(data, async (engine, serves) =>
          createPanelLink(engine, { reporterId: await requireReporterId(engine, reporter), name, by }, serves),
        );
        printAnswer(link, json, format);
      },
    }),
    'sign-out': form({
      summary: 'end all sessions and links of the operator at once',
      options: { reporter: text('NAME', 'of this reporter instead'), ...WRITE },
      async run({ reporter = null, by, json, data }) {
        await askFolder(data, async (engine) =>
          unwrap(await engine.endSessions({ reporterId: await requireReporterId(engine, reporter), by })),
        );
        printAnswer({ did: 'sign-out' }, json, () => 'Signed out: all sessions and links have ended.\n');
      },
    }),
  },
  notes: `Any person who has the link can use it: send it only to the person who signs in.
A session ends when it is unused for 3 days (of the operator) or 14 days (of a reporter), and after
30 or 90 days in any case.
Works while a service runs on the folder. Otherwise the link begins with the path, because only the
service knows its address.
`,
});

function format({ url, path, endsAt }: PanelLink): string {
  const until = `Works once, until ${formatMoment(endsAt)}.\n`;
  return url === null
    ? `Open this path under the address of your service: ${path}\n${until}`
    : `Sign-in link: ${url}\n${until}`;
}
