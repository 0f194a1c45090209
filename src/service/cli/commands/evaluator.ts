import {
  acceptLink,
  createEvaluatorFolder,
  EVALUATOR_FOLDER,
  EVALUATOR_PORT,
  openEvaluatorFolder,
} from '../../data-folder/evaluator/files.ts';
import { giveTurn } from '../../data-folder/sealed/look-up.ts';
import { createRandom } from '../../../core/crypto/crypto.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import { createGuardedServer } from '../operations/guarded-server.ts';
import { toLogEvent } from '../../../core/http/failure.ts';
import { createListener } from '../../../core/http/listener.ts';
import { toBase64Url } from '../../../sealed/encoding.ts';
import { createDailyLimit } from '../../../sealed/evaluator/daily-limit.ts';
import { createEvaluatorEndpoints } from '../../../sealed/evaluator/endpoints.ts';
import { createHistorySigner } from '../../../sealed/evaluator/history-signer.ts';
import { loadSodium } from '../../../sealed/group/sodium.ts';
import { publicKeyOf } from '../../../sealed/group/voprf.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { listen } from '../listen.ts';
import { createHealth } from '../operations/health.ts';
import { createServiceLog } from '../operations/log.ts';
import { flag, hex, text, whole } from '../option.ts';
import { createRefusingService } from '../operations/starting.ts';
import { isLoopback, resolveHost } from '../serve-settings.ts';
import { endWithin, createStopSignal, untilAborted } from '../shutdown.ts';

/** Time for running requests after a signal, in milliseconds. */
const GRACE_MS = 5_000;

const FOLDER = { data: text('DIR', 'folder of the keys and counts', { default: EVALUATOR_FOLDER }) };

export const evaluator = command({
  name: 'evaluator',
  title: 'run the evaluator of a sealed look-up (experimental)',
  about: `The evaluator has the sealing key, and the operator of the service has all other keys and the
reports. So the operator cannot test guessed identifiers against its own store, beyond the
evaluator's daily limit. Run the evaluator on a machine that the operator does not control.
`,
  forms: {
    init: form({
      summary:
        'create the keys, and the file for-operator for the operator. Keep a copy of the keys: without them, no stored identifier can be matched',
      options: FOLDER,
      async run({ data }) {
        const { keys, access, operator } = await createEvaluatorFolder(data);
        process.stdout.write(
          `Created the keys of the evaluator in ${keys}. Copy the file.\n` +
            `Give the file ${access} to the operator, in secret: it has the operator's token.\n` +
            `Public key, for clients: ${toBase64Url(operator.key)}\n`,
        );
      },
    }),
    serve: form({
      summary:
        'evaluate what the operator sends: blinded elements, which tell nothing. Sign one publication for each sequence. serve may be left out',
      options: {
        host: text('ADDRESS', 'address to listen on; with another one than the default, --plain-http is needed', {
          default: '127.0.0.1',
        }),
        port: whole('N', [0, 65_535], 'port; 0 takes a free one', EVALUATOR_PORT),
        daily: whole('N', [1, 1e12], 'most elements a day, UTC', 1_000_000),
        'plain-http': flag(
          'accept that the token crosses the network unencrypted, or is encrypted by a proxy of yours',
        ),
        ...FOLDER,
      },
      async run({ 'plain-http': isPlain, ...settings }) {
        const listenOn = await resolveHost(settings.host);
        if (!isLoopback(listenOn) && !isPlain)
          throw new UsageError(
            '--host lets other machines reach the evaluator, but without TLS: put a proxy with TLS in front, and set --plain-http',
          );
        await serve({ ...settings, listenOn });
      },
    }),
    accept: form({
      value: hex('LINK', 64, 'the link that the log of the operator names: 64 hex characters'),
      summary:
        'sign publications that continue LINK, whatever was signed last: after a file of the operator, or the file signed, was lost or restored. Stop the evaluator first. Ask why: an operator that shows two histories needs this, too',
      options: FOLDER,
      async run({ data }, link) {
        await acceptLink(data, link);
        process.stdout.write('The evaluator signs what continues this link.\n');
      },
    }),
  },
  otherwise: 'serve',
  notes: `/healthz and /readyz answer supervisors. The log has counts only. At SIGTERM, the evaluator finishes
running requests and exits with 0.
`,
});

interface Settings {
  readonly data: string;
  readonly host: string;
  readonly listenOn: string;
  readonly port: number;
  readonly daily: number;
}

async function serve({ data, host, listenOn, port, daily }: Settings): Promise<void> {
  const signal = createStopSignal();
  const { print, answered, close } = createServiceLog('info');
  const folder = await openEvaluatorFolder(data);
  try {
    const limit = createDailyLimit({
      daily,
      counts: folder.counts,
      save: folder.saveCounts,
      clock: Date.now,
      onUnusual: ({ day, elements, usual }) => print({ event: 'evaluator-unusual', day: toDay(day), elements, usual }),
      onDayEnd: ({ day, elements }) => print({ event: 'evaluator-day', day: toDay(day), elements }),
    });
    await loadSodium();
    const { signingKey, sealingKey } = folder.secrets;
    const answer = createEvaluatorEndpoints({
      secrets: folder.secrets,
      limit,
      signer: createHistorySigner({
        signingKey,
        publicKey: publicKeyOf(sealingKey),
        last: folder.signed,
        async save(mark) {
          await folder.saveSigned(mark);
          print({ event: 'evaluator-signed', ...mark });
        },
      }),
      random: createRandom(),
      giveTurn,
      monotonic: () => performance.now(),
      onRefused: (sequence) => print({ event: 'evaluator-refused', sequence }),
      onError: (error) => print(toLogEvent(error)),
    });
    const health = createHealth();
    const listener = createListener(createRefusingService({ reason: 'not-found' }), {
      beside: answer,
      log: print,
      onAnswer: answered,
    });
    const { server, finish } = createGuardedServer((request, response) => {
      if (!health.answer(request, response)) listener(request, response);
    });
    const bound = await listen(server, port, listenOn);
    // It has no store: it is ready as long as it runs.
    health.begin(async () => undefined);
    process.stdout.write(`Listening on http://${host.includes(':') ? `[${host}]` : host}:${bound}\n`);
    if (!signal.aborted) await untilAborted(signal);
    health.stop();
    print({ event: 'stopping' });
    endWithin(GRACE_MS + 1_000, print);
    await finish(GRACE_MS);
    await limit.close();
  } finally {
    await folder.release();
    close();
  }
}

function toDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
