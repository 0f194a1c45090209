import { asUsage, readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { isAccepted } from '../../data-folder/webhooks/post.ts';
import { validateWebhookUrl } from '../../data-folder/webhooks/url.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const webhooks: Command = {
  help: `redflag webhooks: send entries of the audit log to an address

redflag serve posts each entry of the audit log to the webhooks that it concerns, in order, and retries
until the receiver answers with a status from 200 to 299. Messages follow Standard Webhooks.

  redflag webhooks add URL     add a webhook for all entries from now on; prints its id and its signing
                               secret
      --reporter NAME          only disputes, revoked keys, uses of ended keys and budgets of this
                               reporter
  redflag webhooks list        addresses and states
  redflag webhooks remove ID   remove a webhook
  redflag webhooks test ID     send a test message; if the receiver accepts it, a webhook that ended
                               goes on where it stopped

  --webhooks-to-private        allow http:// and private addresses (add, test)
  --by NAME                    the operator's name, for the audit log (default your login name)
  --json                       print JSON
${dataHelp(31)}

The service itself sends to private addresses only with redflag serve --webhooks-to-private.
A webhook ends if its receiver answers 410, or fails for five days.
Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'reporter', 'by'],
      flags: ['json', 'webhooks-to-private'],
    });
    const [action, subject, ...more] = positionals;
    const folder = dataFolder(values.data);
    const toPrivate = values['webhooks-to-private'] ?? false;
    if (action === undefined || !['add', 'list', 'remove', 'test'].includes(action) || more.length > 0)
      throw new UsageError('webhooks expects add, list, remove or test, and one value; see redflag webhooks --help');
    if (action !== 'add') refuseOptions(values, ['reporter'], 'belongs to webhooks add');
    if (action === 'list') refuseOptions(values, ['by'], 'belongs to webhooks add, remove and test');
    if (action === 'list') {
      if (subject !== undefined) throw new UsageError('webhooks list expects no value');
      printAnswer(await askFolder(folder, 'webhooks list'), values.json, formatList);
      return 0;
    }
    if (action === 'add') {
      if (subject === undefined) throw new UsageError('webhooks add expects an address');
      await asUsage(() => validateWebhookUrl(subject, toPrivate));
      const by = readOperator(values.by);
      const added = await askFolder(folder, 'webhooks add', {
        url: subject,
        reporter: values.reporter ?? null,
        toPrivate,
        by,
      });
      printAnswer(
        added,
        values.json,
        ({ webhookId, signingSecret }) => `Webhook id: ${webhookId}\nSigning secret: ${signingSecret}\n`,
      );
      return 0;
    }
    if (subject === undefined || !/^[0-9a-f]{16}$/.test(subject))
      throw new UsageError(`webhooks ${action} expects an id, as redflag webhooks list shows it`);
    if (action === 'remove') {
      const removed = await askFolder(folder, 'webhooks remove', { webhookId: subject, by: readOperator(values.by) });
      printAnswer(removed, values.json, () => 'Removed.\n');
      return 0;
    }
    const tested = await askFolder(folder, 'webhooks test', {
      webhookId: subject,
      toPrivate,
      by: readOperator(values.by),
    });
    printAnswer(tested, values.json, formatTest);
    return isAccepted(tested.delivery) ? 0 : 1;
  },
};

type Tested = AnswerOf<'webhooks test'>;

const FAILED = {
  timeout: 'no answer within 10 seconds',
  connection: 'the receiver cannot be reached',
  address: 'the address is private or not https://; allow it with --webhooks-to-private',
  aborted: 'the command was interrupted',
};

function formatTest(tested: Tested): string {
  const { delivery, isResumed } = tested;
  if ('failed' in delivery) return `Not delivered: ${FAILED[delivery.failed]}.\n`;
  if (!isAccepted(delivery)) return `Not delivered: the receiver answered ${delivery.status}.\n`;
  return `Delivered.${isResumed ? ' The webhook goes on where it stopped.' : ''}\n`;
}

function formatList(found: AnswerOf<'webhooks list'>): string {
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
