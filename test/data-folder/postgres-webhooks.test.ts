import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSender } from '../../src/service/data-folder/webhooks/sender.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { id, key, reporter } from '../contract/stored.ts';
import { eventually } from '../eventually.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { accept, openReceiver, type Receiver } from './webhook-receiver.ts';

const programs = findPostgres();

describe.skipIf(!programs)('several processes on one PostgreSQL', () => {
  let server: PostgresServer;
  let pools: pg.Pool[];
  let stores: Store[];
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pools = [1, 2, 3].map(() => new pg.Pool({ ...server.connection, max: 4 }));
    stores = await Promise.all(pools.map((pool) => createPostgresStore({ pool })));
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    await Promise.all((pools ?? []).map((pool) => pool.end()));
    await server?.remove();
  });

  it('send each entry once, in order, and go on when the sending one stops', async () => {
    const note = { actor: 'Ada', atMs: 1 };
    await stores[0]!.addReporter(reporter(1));
    await stores[0]!.addWebhook({ webhookId: id(70), url: receiver.url, reporterId: null, createdAt: 1 }, note);
    receiver.answer((request, response) => void setTimeout(() => accept(request, response), 5));
    const settings = { toPrivate: true, pollMs: 20 };
    const senders = stores.map((store) => startSender(store, 'a secret of sixteen', () => undefined, settings));
    for (let n = 1; n <= 60; n++) await stores[n % 3]!.addKey(key(n), note);
    await eventually(() => expect(receiver.received).toHaveLength(60));
    expect(receiver.received.map(({ data }) => data.subject)).toEqual(
      Array.from({ length: 60 }, (_, at) => id(at + 1)),
    );
    expect(receiver.mostOpen()).toBe(1);
    for (const [at, sender] of senders.entries()) {
      for (let n = 1; n <= 5; n++) await stores[at]!.addKey(key(100 * (at + 1) + n), note);
      if (at < 2) await sender.stop();
    }
    await eventually(() => expect(new Set(receiver.received.map((one) => one.id)).size).toBe(75));
    await senders[2]!.stop();
    await Promise.all(stores.map((store) => store.close()));
  });
});
