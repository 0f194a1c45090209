import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_BUDGETS, NO_LIMITS, post, runCli, startService, type RunningService } from '../cli/service.ts';
import { play } from './connection.ts';
import { generate, nameOf } from './generate.ts';
import { readReplies, type Reply } from './replies.ts';
import { PLACES, printScript, TAG, type Expected, type Script } from './script.ts';

/** What the service did wrong, and with which script. */
export interface Finding {
  readonly problem: string;
  /** The name of the script: seed and number, or a file of the corpus. */
  readonly name: string;
  readonly about: string;
  /** See {@link printScript}. */
  readonly base64: string;
}

export interface FuzzResult {
  readonly findings: readonly Finding[];
  readonly scripts: number;
  readonly replies: Readonly<Record<string, number>>;
  readonly stored: number;
  readonly deleted: number;
  /** Stored or deleted, but the client closed the connection before the reply. */
  readonly unanswered: number;
  /** Right answers to the valid query in between. */
  readonly checks: number;
}

/** Every status that the service or Node's parser may send here. Limits are out of reach, so 429 is not among them. */
const STATUSES = new Set([200, 304, 400, 401, 404, 405, 408, 409, 413, 415, 417, 431]);
const LINE = /^\d+-\d+-\d+\.\d-http:\/\/127\.0\.0\.1:\d+\/report\/[0-9a-f]{40}$/;
/** Connections at the same time. */
const LANES = 64;
/** Scripts of a lane between two valid queries. */
const CHECK_EVERY = 20;
/** By then, the service has closed any connection: 30 seconds for a request, 5 of silence, and a busy machine. */
const END_MS = 90_000;
const KNOWN = 'f'.repeat(40);
const FIRST_CODES = 200;
/** Findings that are kept; the first ones tell the most. */
const MAX_FINDINGS = 20;

const isRight: Readonly<Record<Expected['body'], (reply: Reply) => boolean>> = {
  stored: ({ body, headers }) => body === 'OK' && /^[0-9a-f]{16}$/.test(headers.get('x-deletion-code') ?? ''),
  OK: ({ body, headers }) => body === 'OK' && !headers.has('x-deletion-code'),
  line: ({ body }) => LINE.test(body),
  reports: ({ body }) => (JSON.parse(body) as { count: number }).count > 0,
  nothing: ({ body }) => body === '{"ReportAdvanceds":[],"count":0}',
  anything: () => true,
  'classic-stored': ({ body, headers }) =>
    /^OK:[0-9a-f]{16}$/.test(body) && body === `OK:${headers.get('x-deletion-code')}`,
  'classic-line': ({ body }) => /^<report>\d+-\d+-\d+\.\d-[0-9a-f]{16}<\/report>$/.test(body),
  'classic-error': ({ body }) => /^ERR:(API|ACTION|DATA)$/.test(body),
};

/**
 * Plays scripts against `redflag serve` on a folder, until `seconds` have passed: first those of the corpus, then those
 * of the seed. Then compares what is stored with what was answered.
 */
export async function fuzz(options: {
  folder: string;
  seed: string;
  seconds: number;
  corpus: readonly (readonly [name: string, script: Script])[];
}): Promise<FuzzResult> {
  const { folder, seed, seconds, corpus } = options;
  const service = await startService([
    '--data',
    folder,
    '--limits',
    `${NO_LIMITS},unknown-key=1000000000`,
    '--budgets',
    NO_BUDGETS,
    '--get-queries',
    '--classic-path',
    '/classic',
  ]);
  const run = new Run(service, await prepare(service));
  try {
    const end = performance.now() + 1_000 * seconds;
    let next = 0;
    const take = (): readonly [string, Script] | undefined => {
      const n = next++;
      if (n < corpus.length) return corpus[n];
      return performance.now() < end ? [nameOf(seed, n - corpus.length), generate(seed, n - corpus.length)] : undefined;
    };
    const lane = async (): Promise<void> => {
      for (let n = 0, given = take(); given !== undefined && run.isAlive; given = take()) {
        await run.play(...given);
        if (n++ % CHECK_EVERY === 0) await run.check(given);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await run.finish(folder);
  } finally {
    await service.stop('SIGKILL');
  }
  return run.result();
}

interface Prepared {
  readonly codes: string[];
  readonly link: string;
  /** The answer to the valid query in between. */
  readonly line: string;
  readonly stored: readonly string[];
}

/** Stores a report to ask about, and reports whose codes the scripts may use. */
async function prepare(service: RunningService): Promise<Prepared> {
  const codes: string[] = [];
  const stored: string[] = [];
  const key = service.apiKey!;
  for (let n = 0; n <= FIRST_CODES; n++) {
    const email = n === 0 ? KNOWN : n.toString(16).padStart(40, '0');
    const fields = { _api: key, _action: 'report', _type: 'fraud', _value: '5', _text: `Before ${n}.`, email };
    const { headers } = await post(service, fields);
    stored.push(headers.get('x-report-id')!);
    if (n > 0) codes.push(headers.get('x-deletion-code')!);
  }
  const { body } = await post(service, { _api: key, _action: 'query', email: KNOWN });
  return { codes, link: body.slice(-40), line: body, stored };
}

class Run {
  readonly #service: RunningService;
  readonly #port: number;
  readonly #prepared: Prepared;
  readonly #findings: Finding[] = [];
  readonly #replies: Record<string, number> = {};
  /** Ids of the reports that were answered with OK. */
  readonly #acknowledged: Set<string>;
  #deletions = 0;
  #scripts = 0;
  #checks = 0;
  #unanswered = 0;
  /** Scripts by the name in the texts of their reports. */
  readonly #mayMiss = new Map<string, readonly [string, Script]>();
  readonly #bad = new Map<string, readonly [string, Script]>();
  #mayMissDeletions = 0;

  constructor(service: RunningService, prepared: Prepared) {
    this.#service = service;
    this.#port = Number(new URL(service.apiUrl).port);
    this.#prepared = prepared;
    this.#acknowledged = new Set(prepared.stored);
  }

  get isAlive(): boolean {
    return this.#service.process.exitCode === null && this.#service.process.signalCode === null;
  }

  result(): FuzzResult {
    return {
      findings: this.#findings,
      scripts: this.#scripts,
      replies: this.#replies,
      stored: this.#acknowledged.size,
      deleted: this.#deletions,
      unanswered: this.#unanswered,
      checks: this.#checks,
    };
  }

  #find(problem: string, [name, script]: readonly [string, Script]): void {
    if (this.#findings.length >= MAX_FINDINGS) return;
    this.#findings.push({ problem, name, about: script.about, base64: printScript(script) });
  }

  /** Puts the service's values where the script has places for them. */
  #fill(script: Script): Script {
    const values: Record<string, () => string> = {
      [PLACES.key]: () => this.#service.apiKey!,
      [PLACES.link]: () => this.#prepared.link,
      [PLACES.code]: () => this.#prepared.codes.shift() ?? PLACES.code,
    };
    const sent = script.steps.filter((step) => typeof step === 'string').join('');
    // Values have the length of their places, so that the pieces stay the same.
    const filled = sent.replaceAll(new RegExp(Object.keys(values).join('|'), 'g'), (place) => values[place]!());
    let at = 0;
    const steps = script.steps.map((step) => (typeof step === 'number' ? step : filled.slice(at, (at += step.length))));
    return { ...script, steps };
  }

  async play(name: string, script: Script): Promise<void> {
    this.#scripts++;
    const { replies: expected } = script;
    const named = [name, script] as const;
    const { received, hasEnded, mayMiss } = await play(this.#fill(script), {
      port: this.#port,
      endMs: END_MS,
      ...(expected ? { isDone: (text) => readReplies(text).replies.length >= expected.length } : {}),
    });
    if (!hasEnded) this.#find('the connection stays open', named);
    const { replies, problem } = readReplies(received);
    if (problem === 'malformed' || (problem === 'incomplete' && !mayMiss)) this.#find(`${problem} replies`, named);
    for (const { status, headers, body } of replies) {
      this.#replies[status] = (this.#replies[status] ?? 0) + 1;
      if (!STATUSES.has(status)) this.#find(`status ${status}`, named);
      const id = headers.get('x-report-id');
      if (id !== undefined) {
        // A retry gets the code of the first report.
        if (!this.#acknowledged.has(id)) this.#prepared.codes.push(headers.get('x-deletion-code')!);
        this.#acknowledged.add(id);
        if (script.isBad) this.#find('bad input is acknowledged', named);
      } else if (status === 200 && body === 'OK') this.#deletions++;
    }
    const text = script.steps.filter((step) => typeof step === 'string').join('');
    // The name again, because a script may write its tag with escapes.
    for (const tag of [name, ...Array.from(text.matchAll(new RegExp(TAG, 'g')), ([, found]) => found!)]) {
      if (mayMiss) this.#mayMiss.set(tag, named);
      if (script.isBad) this.#bad.set(tag, named);
    }
    if (mayMiss && text.includes(PLACES.code)) this.#mayMissDeletions += text.split(PLACES.code).length - 1;
    if (expected === undefined) return;
    if (!mayMiss && replies.length !== expected.length)
      this.#find(`expected ${expected.length} replies, got ${replies.length}`, named);
    replies.forEach((reply, at) => {
      const { status, body } = expected[at] ?? { status: 0, body: 'anything' };
      if (reply.status !== status || !isRight[body](reply))
        this.#find(`expected ${status} ${body}, got ${reply.status} ${reply.body.slice(0, 80)}`, named);
    });
  }

  /** Asks a valid query on another connection. */
  async check(after: readonly [string, Script]): Promise<void> {
    const fields = { _api: this.#service.apiKey!, _action: 'query', email: KNOWN };
    const answer = await post(this.#service, fields).catch(() => undefined);
    if (answer?.status === 200 && answer.body === this.#prepared.line) this.#checks++;
    else this.#find(`a valid query beside it got ${answer?.status ?? 'no answer'}`, after);
  }

  /** Compares the store with the replies, stops the service, and reads its log. */
  async finish(folder: string): Promise<void> {
    const none = ['after all scripts', { about: 'the end', steps: [], ending: 'close' }] as const;
    if (!this.isAlive) this.#find('the process has ended', none);
    const file = join(folder, '..', 'export.ndjson');
    for (const command of [['check'], ['export', file]]) {
      const { code, err } = await runCli([...command, '--data', folder]);
      if (code !== 0) this.#find(`redflag ${command[0]} failed: ${err}`, none);
    }
    await this.#compare(await readFile(file, 'utf8'), none);
    const { code, signal } = await this.#service.stop('SIGTERM');
    if (code !== 0) this.#find(`the process ended with ${code ?? signal}`, none);
    const { out, err } = this.#service.output;
    const log = out.replace(/^Listening on .*\nClassic dialect on .*\nAPI key: .*\n/, '') + err;
    const codes = this.#prepared.codes.some((code) => log.includes(code));
    if (/internal-error|~|[0-9a-f]{40}/.test(log) || log.includes(this.#service.apiKey!) || codes)
      this.#find('the log has an internal error or a submitted value', none);
  }

  async #compare(exported: string, none: readonly [string, Script]): Promise<void> {
    const rows = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { table?: string; row: Record<string, string | null> })
      .filter(({ table }) => table === 'report')
      .map(({ row }) => row);
    const stored = new Set(rows.map((row) => row['report_id']));
    for (const id of this.#acknowledged) if (!stored.has(id)) this.#find('an acknowledged report is not stored', none);
    for (const { report_id: id, text } of rows) {
      const tag = TAG.exec(text ?? '')?.[1] ?? '';
      const bad = this.#bad.get(tag);
      if (bad !== undefined) this.#find('bad input is stored', bad);
      if (this.#acknowledged.has(id!)) continue;
      this.#unanswered++;
      if (!this.#mayMiss.has(tag)) this.#find(`a report of ${tag} is stored, and was not acknowledged`, none);
    }
    const deletions = rows.filter((row) => row['removed_at'] !== null).length - this.#deletions;
    this.#unanswered += deletions;
    if (deletions < 0 || deletions > this.#mayMissDeletions)
      this.#find(`${deletions} more deletions than were acknowledged`, none);
  }
}
