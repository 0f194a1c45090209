import { command, form } from '../command.ts';
import { asUsage } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { flag, hex, text, value } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import { requireReporterId } from '../../data-folder/reporter-names.ts';
import type { AnswerOf, Calls } from '../../data-folder/calls.ts';
import { isAccepted } from '../../data-folder/webhooks/post.ts';
import { validateWebhookUrl } from '../../data-folder/webhooks/url.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

const TO_PRIVATE = { 'webhooks-to-private': flag('allow http:// and private addresses') };
const ID = hex('ID', 16, 'an id, as redflag webhooks list shows it');

export const webhooks = command({
  name: 'webhooks',
  title: 'send entries of the audit log to an address',
  about: `redflag serve posts each entry of the audit log to the webhooks that it concerns, in order, and retries
until the receiver answers with a status from 200 to 299. Messages follow Standard Webhooks.
`,
  forms: {
    add: form({
      value: value('URL', 'an address', String),
      summary: 'add a webhook for all entries from now on; prints its id and its signing secret',
      options: {
        reporter: text('NAME', 'only disputes, revoked keys, uses of ended keys and budgets of this reporter'),
        ...TO_PRIVATE,
        ...WRITE,
      },
      async run({ reporter = null, 'webhooks-to-private': toPrivate, by, json, data }, url) {
        await asUsage(() => validateWebhookUrl(url, toPrivate));
        const added = await askFolder(data, async (calls) => {
          const reporterId = await requireReporterId(calls, reporter);
          return calls.addWebhook({ url, reporterId, toPrivate, by });
        });
        printAnswer(
          added,
          json,
          ({ webhookId, signingSecret }) => `Webhook id: ${webhookId}\nSigning secret: ${signingSecret}\n`,
        );
      },
    }),
    list: form({
      summary: 'addresses and states',
      options: READ,
      async run({ json, data }) {
        printAnswer(await askFolder(data, listWebhooks), json, formatList);
      },
    }),
    remove: form({
      value: ID,
      summary: 'remove a webhook',
      options: WRITE,
      async run({ by, json, data }, webhookId) {
        await askFolder(data, (calls) => calls.removeWebhook({ webhookId, by }));
        printAnswer({}, json, () => 'Removed.\n');
      },
    }),
    test: form({
      value: ID,
      summary: 'send a test message; if the receiver accepts it, a webhook that ended goes on where it stopped',
      options: { ...TO_PRIVATE, ...WRITE },
      async run({ 'webhooks-to-private': toPrivate, by, json, data }, webhookId) {
        const tested = await askFolder(data, (calls) => calls.testWebhook({ webhookId, toPrivate, by }));
        printAnswer(tested, json, formatTest);
        return isAccepted(tested.delivery) ? 0 : 1;
      },
    }),
  },
  notes: `The service itself sends to private addresses only with redflag serve --webhooks-to-private.
A webhook ends if its receiver answers 410, or fails for five days.
Works while a service runs on the folder.
`,
});

type TestResult = AnswerOf<'testWebhook'>;

const FAILED = {
  timeout: 'no answer within 10 seconds',
  connection: 'the receiver cannot be reached',
  address: 'the address is private or not https://; allow it with --webhooks-to-private',
  aborted: 'the command was interrupted',
};

function formatTest(tested: TestResult): string {
  const { delivery, isResumed } = tested;
  if ('failed' in delivery) return `Not delivered: ${FAILED[delivery.failed]}.\n`;
  if (!isAccepted(delivery)) return `Not delivered: the receiver answered ${delivery.status}.\n`;
  return `Delivered.${isResumed ? ' The webhook goes on where it stopped.' : ''}\n`;
}

async function listWebhooks(calls: Calls) {
  const webhooks = await calls.listWebhooks();
  const reporterIds = webhooks.flatMap(({ reporterId }) => reporterId ?? []);
  const names = new Map((await calls.listReporters({ reporterIds })).map((one) => [one.reporterId, one.name]));
  return webhooks.map((webhook) => ({
    ...webhook,
    reporter: webhook.reporterId && (names.get(webhook.reporterId) ?? null),
  }));
}

function formatList(found: Awaited<ReturnType<typeof listWebhooks>>): string {
  const rows = found.map((webhook) => [
    webhook.webhookId,
    webhook.reporter ?? 'the operator',
    webhook.endedAt !== null ? 'ended' : webhook.failures > 0 ? `failing (${webhook.failures})` : 'works',
    formatMoment(webhook.failures > 0 && webhook.endedAt === null ? webhook.nextAt : null),
    String(webhook.position),
    webhook.url,
  ]);
  return formatTable([['ID', 'RECEIVER', 'STATE', 'NEXT ATTEMPT', 'POSITION', 'URL'], ...rows]);
}
