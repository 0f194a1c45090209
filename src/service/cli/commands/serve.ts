import type { FirstKey } from '../../data-folder/first-key.ts';
import { createFirstPanelLink } from '../../data-folder/panel-link.ts';
import { answerLookUp, openLookUp, type LookUp } from '../../data-folder/sealed/look-up.ts';
import { startPublishing } from '../../data-folder/sealed/publishing.ts';
import { beginService, openServedFolder, startUpkeep, type ServedFolder } from '../../data-folder/serving.ts';
import { findExposedKeys } from '../../data-folder/key-files.ts';
import { checkKeyFiles } from '../../data-folder/store-keys.ts';
import { refuse } from '../../../core/domain/refusal.ts';
import { withoutHashes } from '../../../sealed/engine/sealing.ts';
import { runChain } from '../../../core/hash/chain.ts';
import { choose } from '../../../core/hash/choose.ts';
import { createGuardedServer } from '../operations/guarded-server.ts';
import { toLogEvent } from '../../../core/http/failure.ts';
import { createListener } from '../../../core/http/listener.ts';
import { retryHeaders } from '../../../core/http/status.ts';
import { createProgramEngine, type ProgramEngine } from '../../data-folder/program-engine.ts';
import { OFFENCE_TYPES, type EngineOptions } from '../../../index.ts';
import { LINK_CLAIM_CONSTANTS } from '../../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../../core/scoring/link-claim-model.ts';
import { createPanel } from '../../panel/panel.tsx';
import { toPublishedRules } from '../../../sealed/service/rules.ts';
import { SealedEvaluatorError } from '../../../sealed/service/ask-evaluator.ts';
import type { PublishedRules } from '../../../sealed/service/make-snapshot.ts';
import { createPages } from '../../web/pages.ts';
import type { Command } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { formatHelp } from '../help.ts';
import { listen } from '../listen.ts';
import { createOperations } from '../operations/operations.ts';
import { STARTING } from '../operations/starting.ts';
import { createPlayground } from '../../playground/part.ts';
import { SERVE_OPTIONS } from '../serve-options.ts';
import { addressNotices, npmNotices, readServeSettings, type ServeSettings } from '../serve-settings.ts';
import { endWithin, createStopSignal, untilAborted } from '../shutdown.ts';

/** Time to close the store after the last connection, in milliseconds. */
const CLOSE_MS = 1_000;

const SERVE = {
  name: 'serve',
  title: 'run the service',
  forms: { '': { options: SERVE_OPTIONS } },
  notes: `Each option is also a variable, REDFLAG_<NAME> (such as REDFLAG_BASE_PATH). The command
line wins over variables. A flag's variable is true or false, and --no-NAME switches a flag off.
See redflag config check.
On the command line, every user of the machine can read a password. Put an address with a password
into REDFLAG_STORE or REDFLAG_READ_REPLICA, or into a file: REDFLAG_STORE_FILE and
REDFLAG_READ_REPLICA_FILE name files that hold an address.
REDFLAG_SECRET_FILE and REDFLAG_PEPPER_FILE name other files for secret and pepper. The pepper
protects stored identifiers; see redflag pepper. REDFLAG_SECRET holds the secret itself, if it is in
no file.
At Ctrl-C or SIGTERM, the service takes no new connections, finishes running requests, saves and
exits with 0. At a second signal, it exits with 1 at once.
`,
};

export const serve: Command = {
  ...SERVE,
  help: formatHelp(SERVE),
  async run(args) {
    const settings = await readServeSettings(args, process.env);
    if (settings.positionals.length > 0) throw new UsageError('serve takes no values, only options');
    const { values, address, replica, listenOn } = settings;
    const { host, port } = values;
    const trustProxies = values['trust-proxies'];
    const basePath = values['base-path'] ?? '';
    const graceMs = 1000 * values.grace;
    const options = engineOptions(values);
    const opsPort = values['ops-port'];
    const classicPath = values['classic-path'];
    const answers = {
      basePath,
      dialect: values.dialect,
      classicPath,
      trustProxies,
      ...(values['get-queries'] ? { allowGetQuery: true } : {}),
      ...(values['always-200'] ? { errorStatus: 200 as const } : {}),
    };
    const hashing = { prefix: values.prefix, iterations: values.iterations };
    const { operator: name, 'operator-contact': contact } = values;
    if (name === undefined && contact !== undefined) throw new UsageError('--operator-contact needs --operator');
    const operator = name === undefined ? undefined : { name, contact };
    const playground = createPlayground();
    const operations = createOperations({
      starting: createListener(STARTING, {
        ...answers,
        pages: createPages(STARTING, { hashing, operator, playground }),
      }),
      logLevel: values['log-level'],
      lameDuckMs: 1000 * values['lame-duck'],
      ops: opsPort === undefined ? undefined : { port: opsPort, host: values['ops-host'] },
    });
    const { print } = operations;
    const advise = (advice: string): void => print({ event: 'advice', advice });
    [...settings.warnings, ...npmNotices(process.env, process.stdout.isTTY)].forEach(advise);
    const keyFiles = await checkKeyFiles(values.data);
    (await findExposedKeys(keyFiles)).forEach(advise);
    // From here on, a signal stops the service cleanly, even while it reads a long journal.
    const signal = createStopSignal();
    const start = { onNotice: print, signal };
    let isStarting = true;
    const stopped = untilAborted(signal).then(() => {
      // A start ends before its next step. After the grace time, it ends in this one: a crash would do no harm either.
      if (isStarting) setTimeout(() => isStarting && process.exit(0), graceMs).unref();
      return operations.stop();
    });
    const guarded = createGuardedServer(operations.listener, {
      trustProxies,
      connections: values.connections,
      connectionsPerAddress: values['connections-per-address'],
    });
    const { server, finish } = guarded;
    // Listen first, so that a supervisor sees a process that is alive while it reads a long journal.
    const origin = `http://${host.includes(':') ? `[${host}]` : host}:${await listen(server, port, listenOn)}`;
    const publicUrl = values['public-url'] ?? origin + basePath;
    let served: ServedFolder | undefined;
    let engine: ProgramEngine;
    let lookUp: LookUp | undefined;
    let rules: PublishedRules | undefined;
    try {
      const metricsUrl = await operations.listenOps(
        (ops, at, address) => listen(ops, at, address, '--ops-port'),
        guarded,
      );
      served = await openServedFolder(values.data, address, replica, start);
      const { store, secret, peppers, seal } = served;
      engine = createProgramEngine({
        ...options,
        store,
        secret,
        peppers,
        ...(seal && { seal }),
        publicUrl,
        onNotice: print,
      });
      lookUp = await openLookUp(values.data, values['sealed-folder'], store);
      rules = lookUp && !values['sealed-off'] ? publishedRules(values) : undefined;
      const onError = (error: unknown): void =>
        print(error instanceof SealedEvaluatorError ? { event: 'evaluator-failed', error } : toLogEvent(error));
      const beside =
        lookUp && rules && answerLookUp(lookUp, engine, { retryHeaders, onError, elements: elementBudgets(values) });
      // No hash may reach a sealed service over HTTP.
      const service = seal ? withoutHashes(engine) : engine;
      // The pages of a reporter send hashes, too.
      const sealedOnly = async () => refuse({ reason: 'sealed-only' });
      const panelEngine = service === engine ? engine : { ...engine, lookUp: sealedOnly, submitReport: sealedOnly };
      const pages = createPages(service, {
        hashing,
        operator,
        panel: createPanel(panelEngine, { health: operations.panelHealth }),
        playground,
      });
      const listener = createListener(service, { ...answers, ...operations.answers, pages, beside });
      const firstKey = await beginService(engine, served, process.stdout.isTTY, start);
      // A terminal only: a log keeps the link, and each reader of the log could sign in.
      const panelLink = process.stdout.isTTY ? await createFirstPanelLink(engine) : undefined;
      operations.begin(listener, { engine, store, folder: values.data, address });
      // Print this last and in one write. A supervisor that reads this line may rely on everything, including the first
      // key.
      process.stdout.write(
        [
          `Listening on ${origin}${basePath}/api/\n`,
          classicPath === undefined ? '' : `Classic dialect on ${origin}${classicPath}/api/\n`,
          metricsUrl === undefined ? '' : `Metrics on ${metricsUrl}\n`,
          formatFirstKey(firstKey),
          panelLink?.url ? `Panel, for the operator (works once, for one hour): ${panelLink.url}\n` : '',
        ].join(''),
      );
    } catch (error) {
      await Promise.all([finish(0), operations.close()]);
      await served?.store.close();
      if (error === signal.reason) return;
      throw error;
    }
    isStarting = false;
    addressNotices(host, values['public-url'], publicUrl).forEach(advise);
    const upkeep = startUpkeep(engine, served, print, { toPrivate: values['webhooks-to-private'] });
    const { store } = served;
    const publishing = lookUp && startPublishing({ lookUp, engine, store, rules, onNotice: print });
    await stopped;
    endWithin(graceMs + CLOSE_MS, print);
    await Promise.all([finish(graceMs), upkeep.stop(), publishing?.stop()]);
    await engine.close();
    await operations.close();
  },
};

/** Returns the line about the first API key; an empty text at a later start. */
function formatFirstKey(first: FirstKey | undefined): string {
  if (first === undefined) return '';
  if ('apiKey' in first) return `API key: ${first.apiKey}\n`;
  if ('problem' in first)
    return `No API key was written to ${first.file}: ${first.problem}. Create one with redflag keys create\n`;
  return `API key: in the file ${first.file}; delete the file after reading it\n`;
}

/** Returns how clients of the sealed look-up score. Types and the matching of kinds are the defaults of the engine. */
function publishedRules({ scoring = LINK_CLAIM_CONSTANTS }: ServeSettings['values']): PublishedRules {
  try {
    return toPublishedRules({ constants: scoring, types: OFFENCE_TYPES, matchKinds: 'any' });
  } catch (error) {
    throw error instanceof RangeError
      ? new CommandError(`${error.message}; change --scoring, or use --sealed-off`)
      : error;
  }
}

function elementBudgets({ limits, budgets }: ServeSettings['values']) {
  return { atOnce: limits.evaluate, verified: budgets['elements-verified'], new: budgets['elements-new'] };
}

function engineOptions(values: ServeSettings['values']) {
  const { evaluate: _, ...requestLimits } = values.limits;
  const { verified, new: others } = values.budgets;
  const limits = Object.entries(requestLimits).map(([name, requests]) => [
    name,
    { requests, windowSeconds: name === 'dispute' ? 3600 : 60 },
  ]);
  return {
    limits: Object.fromEntries(limits) as NonNullable<EngineOptions['limits']>,
    budgets: { identifiers: { verified, new: others } },
    personalData: values['personal-data'],
    model: createLinkClaimModel(values.scoring),
    // The only hash that the service computes. The engine ignores it in requests, because the empty string is not an
    // identifier.
    emptyHash: runChain(choose(), '', { prefix: new TextEncoder().encode(values.prefix), rounds: values.iterations }),
  };
}
