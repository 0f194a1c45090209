import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, ServiceError, type Client } from '../../src/client.ts';
import { isLong } from '../budget.ts';
import { readPage } from '../docs/page.ts';
import { ROOT } from '../docs/terminal.ts';
import { eventually } from '../eventually.ts';
import { socketOf, startForwarder, type Forwarder, type Moved } from '../forwarder.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { personOf, startServices, type Services } from './postgres-services.ts';
import { post } from './service.ts';

const programs = findPostgres();
const DATABASE = 'failover';
/** Retries of one call. Each waits for as long as the service said. */
const MAX_TRIES = 6;
const PERSONS_EACH = 5;

/** The commands of docs/failover.md, by the words with which their blocks begin. */
const steps = readPage(readFileSync(join(ROOT, 'docs/failover.md'), 'utf8')).flatMap((block) =>
  block.kind === 'code' && block.language === 'sh' ? [block.text] : [],
);
function step(beginning: string): string {
  const [found, ...others] = steps.filter((text) => text.trimStart().startsWith(beginning));
  if (found === undefined || others.length > 0) throw new Error(`docs/failover.md: not one block "${beginning}…"`);
  return found;
}

interface Account {
  /** Ids of the live reports of each person. */
  readonly live: Map<number, Set<string>>;
  readonly removed: Set<string>;
  readonly working: string[];
  readonly revoked: string[];
  acknowledged: number;
}

describe.skipIf(!programs)('services on a primary that fails', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  const all: PostgresServer[] = [];
  let address: Forwarder;
  let services: Services;

  const follow = async (): Promise<void> => {
    const conninfo = (of: PostgresServer): string => `host=${of.connection.host} user=redflag dbname=postgres`;
    standby = await primary.startStandby(`PRIMARY='${conninfo(primary)}'\n${step('pg_basebackup').trim()} -c fast`);
    all.push(standby);
    const synchronous = step('psql -d "$PRIMARY" -c "ALTER SYSTEM SET');
    await eventually(async () =>
      expect((await primary.shell(synchronous, { PRIMARY: conninfo(primary) })).trim()).toMatch(/\nsync$/),
    );
  };
  /** Steps 2 to 5 of the page. `open`: what happens to connections to the old primary. */
  const failOver = async (open: Moved): Promise<PostgresServer> => {
    const old = primary;
    const variables = {
      STANDBY: `host=${standby.connection.host} user=redflag dbname=postgres`,
      STANDBY_DATA: standby.data,
      ADDRESS: `host=127.0.0.1 port=${address.port} user=redflag dbname=${DATABASE}`,
    };
    // A machine without network: its connections fall silent, and the address leads to the standby too early.
    if (open === 'silent') address.moveTo(socketOf(standby), open);
    await primary.kill();
    await wait(500);
    await standby.shell(step('pg_ctl promote'), variables);
    await standby.shell(step('psql -d "$STANDBY" -c "ALTER SYSTEM RESET'), variables);
    if (open !== 'silent') address.moveTo(socketOf(standby), open);
    expect((await standby.shell(step('psql -d "$ADDRESS"'), variables)).trim()).toBe('f');
    primary = standby;
    return old;
  };

  beforeAll(async () => {
    primary = await startPostgres(programs!);
    all.push(primary);
    address = await startForwarder(socketOf(primary));
    services = await startServices(primary, DATABASE, 2, { port: address.port });
    await follow();
  });
  afterAll(async () => {
    await services?.close();
    await address?.close();
    for (const server of all) await server.remove();
  });

  const clientOf = (at: number, apiKey = services.apiKey): Client =>
    createClient({ baseUrl: services.all[at]!.apiUrl.replace(/\/api\/$/, ''), apiKey });

  it('lose nothing that they acknowledged, store nothing twice, and go on without a restart', async () => {
    const account: Account = { live: new Map(), removed: new Set(), working: [], revoked: [], acknowledged: 0 };
    const state = { goesOn: true, seed: 11 };
    const random = (): number => (state.seed = (state.seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

    /** Sends a call to one of the services until one acknowledges it, as a client should. */
    const acknowledged = async <T>(send: (client: Client) => Promise<T>, repeated?: (error: ServiceError) => T) => {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await send(clientOf(random() < 0.5 ? 0 : 1));
          account.acknowledged++;
          return answer;
        } catch (error) {
          if (tries === MAX_TRIES) throw error;
          // The client's own time limit.
          if (error instanceof DOMException && error.name === 'TimeoutError') continue;
          if (!(error instanceof ServiceError)) throw error;
          if (error.status === 409 && tries > 1 && repeated) return repeated(error);
          if (error.status !== 503 || error.retryAfterSeconds === undefined) throw error;
          await wait(error.retryAfterSeconds * 1000);
        }
      }
    };

    const beShop = async (name: number): Promise<void> => {
      const own: { code: string; id: string; person: number }[] = [];
      for (let n = 0; state.goesOn; n++) {
        const person = name * PERSONS_EACH + Math.floor(random() * PERSONS_EACH);
        const live = account.live.get(person) ?? new Set<string>();
        account.live.set(person, live);
        const identifiers = [{ kind: 'email', hash: personOf(person) }] as const;
        if (own.length > 3 && random() < 0.4) {
          const [one] = own.splice(Math.floor(random() * own.length), 1);
          await acknowledged(
            (client) => client.remove(one!.code),
            () => undefined,
          );
          account.live.get(one!.person)!.delete(one!.id);
          account.removed.add(one!.id);
        } else {
          const sent = await acknowledged((client) =>
            client.report({ type: 'fraud', severity: 5, text: `shop ${name}, report ${n}`, identifiers }),
          );
          own.push({ code: sent.deletionCode!, id: sent.reportId!, person });
          live.add(sent.reportId!);
        }
        // Whichever process answers, this shop's own writes are visible.
        const { reported } = await acknowledged((client) => client.query(identifiers));
        expect(reported, `person ${person}`).toBe(live.size);
      }
    };
    const beOperator = async (): Promise<void> => {
      for (let n = 0; state.goesOn; n++) {
        const { code, out } = await services.run('keys', 'create', `Shop ${n}`);
        if (code !== 0) continue;
        const [key, id] = [/^API key: (\w+)$/m.exec(out)![1]!, /^Key id: (\w+)$/m.exec(out)![1]!];
        const mustEnd = n % 2 === 1;
        // A refused revocation may have happened: such a key is not counted.
        if (mustEnd && (await services.run('keys', 'revoke', id)).code === 0) account.revoked.push(key);
        if (!mustEnd) account.working.push(key);
      }
    };

    const load = Promise.all([...Array.from({ length: 6 }, (_, name) => beShop(name)), beOperator()]);
    load.catch(() => undefined);
    const goesOn = async (): Promise<void> => {
      const before = account.acknowledged;
      await Promise.race([load, eventually(() => expect(account.acknowledged).toBeGreaterThan(before + 50))]);
    };
    await goesOn();
    const first = await failOver('cut');
    await goesOn();
    // This waits for time limits. store/slow-postgres-standby.test.ts has silent connections in every run.
    if (isLong) {
      await follow();
      await goesOn();
      await failOver('silent');
      await goesOn();
    }
    const isEnough = (): void => {
      expect(account.removed.size).toBeGreaterThan(10);
      expect(account.working.length).toBeGreaterThan(2);
      expect(account.revoked.length).toBeGreaterThan(1);
    };
    await Promise.race([load, eventually(isEnough)]);
    state.goesOn = false;
    await load;

    for (const { process, output } of services.all) {
      expect(process.exitCode).toBe(null);
      expect(output.err).toMatch(/store-unavailable/);
      expect(output.err).not.toMatch(/internal-error|never-shown/);
    }
    for (const at of [0, 1]) {
      for (const [person, ids] of account.live) {
        const result = await clientOf(at).query([{ kind: 'email', hash: personOf(person) }]);
        expect(result.reported).toBe(ids.size);
        const shown = ids.size === 0 ? [] : await clientOf(at).view(result.linkHash);
        expect(shown!.map(({ reportId }) => reportId).sort()).toEqual([...ids].sort());
      }
      for (const key of account.working) expect(await clientOf(at, key).query([nobody])).toBeDefined();
      for (const key of account.revoked)
        expect(await post(services.all[at]!, { _api: key, _action: 'query', email: nobody.hash })).toMatchObject({
          status: 403,
        });
    }
    const live = [...account.live.values()].reduce((sum, ids) => sum + ids.size, 0);
    const count = 'SELECT count(*)::int FROM redflag.report WHERE removed_at IS';
    expect(await primary.ask(`${count} NULL`, DATABASE)).toEqual([live]);
    expect(await primary.ask(`${count} NOT NULL`, DATABASE)).toEqual([account.removed.size]);
    expect(live).toBeGreaterThan(20);
    isEnough();
    expect(await services.run('check')).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });

    // The first primary comes back, and the address leads to it by mistake: it acknowledges nothing.
    await first.start();
    address.moveTo(socketOf(first), 'cut');
    const draft = { type: 'fraud', severity: 5, text: 'To the wrong server', identifiers: [nobody] } as const;
    for (const at of [0, 1]) await expect(clientOf(at).report(draft)).rejects.toThrow();
    address.moveTo(socketOf(primary), 'cut');
    const { reportId } = await acknowledged((client) => client.report(draft));
    expect((await clientOf(0).query([nobody])).reported).toBe(1);
    const stored = `SELECT count(*)::int FROM redflag.report WHERE report_id = decode('${reportId}', 'hex')`;
    expect(await primary.ask(stored, DATABASE)).toEqual([1]);
  });
});

const nobody = { kind: 'email', hash: personOf(9_000) } as const;
