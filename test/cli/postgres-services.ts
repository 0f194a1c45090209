import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../postgres-server.ts';
import { NO_BUDGETS, post, runCli, startService, type RunningService } from './service.ts';

/** Several service processes over one PostgreSQL, with one folder of secret and pepper. */
export interface Services {
  readonly all: RunningService[];
  readonly apiKey: string;
  readonly folder: string;
  /** What tells a process where the reports are. */
  readonly env: NodeJS.ProcessEnv;
  run(...args: string[]): ReturnType<typeof runCli>;
  /** Kills one as if its machine failed, and starts another in its place. */
  replace(at: number): Promise<void>;
  close(): Promise<void>;
}

const NO_LIMITS = 'query=100000,report=100000,delete=100000,viewer=100000';

/**
 * With a `standby`, queries are answered by that. `limits` is what `--limits` takes. `port` is where the services find
 * the server, if not by its socket file.
 */
export async function startServices(
  server: PostgresServer,
  database: string,
  count: number,
  {
    standby,
    limits = NO_LIMITS,
    port,
  }: { readonly standby?: PostgresServer; readonly limits?: string; readonly port?: number } = {},
): Promise<Services> {
  await server.createDatabase(database);
  const base = await mkdtemp(join(tmpdir(), 'redflag-services-'));
  const folder = join(base, 'data');
  const urlOf = ({ connection: { user, host } }: PostgresServer): string =>
    `postgres://${user}:never-shown@/${database}?host=${encodeURIComponent(host)}`;
  const env = {
    REDFLAG_STORE:
      port === undefined
        ? urlOf(server)
        : `postgres://${server.connection.user}:never-shown@127.0.0.1:${port}/${database}`,
  };
  const replica = standby && { REDFLAG_READ_REPLICA: urlOf(standby) };
  const start = () =>
    startService(['--data', folder, '--limits', limits, '--budgets', NO_BUDGETS], { env: { ...env, ...replica } });
  // All at once on an empty database and an empty folder.
  const all = await Promise.all(Array.from({ length: count }, start));
  const keys = all.map(({ apiKey }) => apiKey).filter((key) => key !== undefined);
  if (keys.length !== 1) throw new Error(`${keys.length} first keys`);
  return {
    all,
    folder,
    env,
    apiKey: keys[0]!,
    run: (...args) => runCli([...args, '--data', folder], { env }),
    async replace(at) {
      await all[at]!.stop('SIGKILL');
      all[at] = await start();
    },
    async close() {
      await Promise.all(all.map((service) => service.stop('SIGKILL')));
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** What was acknowledged, and what should be there for it. */
export interface Account {
  /** Live reports by person: their deletion codes. */
  readonly live: Map<number, Set<string>>;
  readonly acknowledged: { reports: number; removals: number; unavailable: number };
}

export const personOf = (n: number): string => (n + 1).toString(16).padStart(4, '0').repeat(10);

/**
 * One client that reports and deletes until it must stop. It sends each request to a service of its choice, and retries
 * with other services until one acknowledges it. Its reports have texts of their own.
 */
export async function beClient(
  services: Services,
  account: Account,
  name: string,
  random: () => number,
  goesOn: () => boolean,
): Promise<void> {
  const own: { code: string; person: number }[] = [];
  const until = async (
    fields: Record<string, string>,
    done: (answer: { status: number; body: string; headers: Headers }, tries: number) => boolean,
  ): Promise<Headers> => {
    for (let tries = 1; ; tries++) {
      const service = services.all[Math.floor(random() * services.all.length)]!;
      const answer = await post(service, { _api: services.apiKey, ...fields }).catch(() => undefined);
      if (answer && done(answer, tries)) return answer.headers;
      if (answer) {
        if (answer.status !== 503 || !(Number(answer.headers.get('retry-after')) >= 1))
          throw new Error(
            `${answer.status} ${answer.body}\n${service.output.err
              .split('\n')
              .filter((line) => !line.includes('StoreUnavailableError'))
              .join('\n')}`,
          );
        account.acknowledged.unavailable++;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  for (let n = 0; goesOn(); n++) {
    if (own.length > 3 && random() < 0.4) {
      const { code, person } = own.splice(Math.floor(random() * own.length), 1)[0]!;
      // The answer to an earlier try may have been lost.
      await until(
        { _action: 'delete', _code: code },
        ({ status, body }, tries) => status === 200 || (tries > 1 && /already/i.test(body)),
      );
      account.live.get(person)!.delete(code);
      account.acknowledged.removals++;
      continue;
    }
    const person = Math.floor(random() * 40);
    const fields = {
      _action: 'report',
      _type: 'fraud',
      _value: '5',
      _text: `${name} ${n}`,
      email: personOf(person),
      phone: personOf(person + 1000),
    };
    // Every third is sent to two at once: it is one report.
    const twice = n % 3 === 0 ? until(fields, ({ status }) => status === 200) : undefined;
    const headers = await until(fields, ({ status }) => status === 200);
    const code = headers.get('x-deletion-code')!;
    const second = await twice;
    if (second && second.get('x-deletion-code') !== code) throw new Error('one report, two codes');
    own.push({ code, person });
    account.live.set(person, (account.live.get(person) ?? new Set()).add(code));
    account.acknowledged.reports++;
  }
}
