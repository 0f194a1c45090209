import { createEvaluatorFolder, openEvaluatorFolder } from '../../data-folder/evaluator/files.ts';
import { printNotice } from '../../data-folder/errors.ts';
import { giveTurn } from '../../data-folder/sealed/look-up.ts';
import { loadGroup } from '../../data-folder/sealed/seal.ts';
import { createRandom } from '../../../core/crypto/random.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import { createGuardedServer } from '../../../core/http/guarded-server.ts';
import { toLogEvent } from '../../../core/http/failure.ts';
import { createListener } from '../../../core/http/listener.ts';
import { toBase64Url } from '../../../sealed/encoding.ts';
import { createDailyLimit } from '../../../sealed/evaluator/daily-limit.ts';
import { createEvaluatorEndpoints } from '../../../sealed/evaluator/endpoints.ts';
import { readArguments, readWhole, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { listen } from '../listen.ts';
import { createHealth } from '../operations/health.ts';
import { createServiceLog } from '../operations/log.ts';
import { refusing } from '../operations/starting.ts';
import { isLoopback, resolveHost } from '../serve-settings.ts';
import { endWithin, signalled, untilAborted } from '../shutdown.ts';

const FOLDER = 'redflag-evaluator';
const PORT = 8090;
const DAILY = 1_000_000;
/** Time for running requests after a signal, in milliseconds. */
const GRACE_MS = 5_000;

export const evaluator: Command = {
  help: `redflag evaluator: the separate evaluator of a sealed look-up (experimental)

The evaluator has the sealing key, and the operator of the service has all other keys and the
reports. So the operator cannot test guessed identifiers against its own store, beyond the
evaluator's daily limit. Run the evaluator on a machine that the operator does not control.

  redflag evaluator init   create the sealing key, and the file for-operator for the operator. Keep a
                           copy of the keys: without them, no stored identifier can be matched
  redflag evaluator serve  evaluate what the operator sends: blinded elements, which tell nothing.
                           serve may be left out
      --host ADDRESS       address to listen on (default 127.0.0.1). With another one, --plain-http
                           is needed
      --port N             port; 0 takes a free one (default ${PORT})
      --daily N            most elements a day, UTC (default 1,000,000)
      --plain-http         accept that the token crosses the network unencrypted, or is encrypted by a
                           proxy of yours

  --data DIR               folder of the keys and counts (default ${FOLDER})

/healthz and /readyz answer supervisors. The log has counts only. At SIGTERM, the evaluator finishes
running requests and exits with 0.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'host', 'port', 'daily'],
      flags: ['plain-http'],
    });
    const [action = 'serve', ...more] = positionals;
    if (more.length > 0 || (action !== 'init' && action !== 'serve'))
      throw new UsageError('evaluator expects init or serve; see redflag evaluator --help');
    const { data = FOLDER, host = '127.0.0.1' } = values;
    if (action === 'init') {
      refuseOptions(values, ['host', 'port', 'daily', 'plain-http'], 'belongs to evaluator serve');
      const { keys, access, publicKey } = await createEvaluatorFolder(data, await loadGroup(printNotice));
      process.stdout.write(
        `Created the keys of the evaluator in ${keys}. Copy the file.\n` +
          `Give the file ${access} to the operator, in secret: it has the operator's token.\n` +
          `Public key, for clients: ${toBase64Url(publicKey)}\n`,
      );
      return;
    }
    const port = values.port === undefined ? PORT : readWhole('port', values.port, 0, 65_535);
    const daily = values.daily === undefined ? DAILY : readWhole('daily', values.daily, 1, 1e12);
    const listenOn = await resolveHost(host);
    if (!isLoopback(listenOn) && values['plain-http'] !== true)
      throw new UsageError(
        '--host lets other machines reach the evaluator, but without TLS: put a proxy with TLS in front, and set --plain-http',
      );
    await serve({ data, host, listenOn, port, daily });
  },
};

interface Settings {
  readonly data: string;
  readonly host: string;
  readonly listenOn: string;
  readonly port: number;
  readonly daily: number;
}

async function serve({ data, host, listenOn, port, daily }: Settings): Promise<void> {
  const signal = signalled();
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
    const evaluate = createEvaluatorEndpoints({
      group: await loadGroup(print),
      secrets: folder.secrets,
      limit,
      random: createRandom(),
      giveTurn,
      monotonic: () => performance.now(),
      onError: (error) => print(toLogEvent(error)),
    });
    const health = createHealth();
    const listener = createListener(refusing({ reason: 'not-found' }), {
      beside: evaluate,
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
