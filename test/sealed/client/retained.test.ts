import { expect, it } from 'vitest';
import { createMemoryEvaluations } from '../../../src/sealed/client/evaluations.ts';
import { createMemoryReplica } from '../../../src/sealed/client/replica-store.ts';
import { hashFor } from './operator.ts';
import { HOUR, openRealService } from './real-service.ts';

const asked = [{ kind: 'email', hash: hashFor('customer') }];

/** Evaluations in memory, and the epochs that they have. `fail` makes the removal of epochs fail. */
function watchEvaluations() {
  const store = createMemoryEvaluations();
  const epochs = new Set<string>();
  const state = { fail: false };
  return {
    state,
    epochs,
    store: {
      ...store,
      close: async () => undefined,
      async keep(...given: Parameters<typeof store.keep>) {
        epochs.add(given[0]);
        return store.keep(...given);
      },
      async retain(kept: readonly string[]) {
        if (state.fail) throw new Error('the disk is full');
        for (const epoch of epochs) if (!kept.includes(epoch)) epochs.delete(epoch);
        return store.retain(kept);
      },
    },
  };
}

it('evaluations of an ended epoch are removed by the next refresh if the first attempt failed', async () => {
  const service = await openRealService();
  const shop = await service.addShop('Shop', true);
  await service.publish();
  const { state, epochs, store } = watchEvaluations();
  const client = service.client(shop, { evaluations: store });
  await client.query(asked);
  await service.endEpoch();
  await service.publish();
  state.fail = true;
  await expect(client.refresh()).rejects.toThrow('the disk is full');
  state.fail = false;
  service.advance(HOUR);
  await service.publish();
  await client.refresh();
  expect(epochs.size).toBe(0);
  await client.close();
  await service.close();
});

it('two clients on one folder of rows remove their own evaluations of ended epochs', async () => {
  const service = await openRealService();
  const shop = await service.addShop('Shop', true);
  const replica = { ...createMemoryReplica(), close: async () => undefined };
  const both = [watchEvaluations(), watchEvaluations()];
  for (let epoch = 0; epoch < 3; epoch++) {
    await service.publish();
    for (const { store } of both) {
      const client = service.client(shop, { replica, evaluations: store });
      await client.refresh();
      await client.query(asked);
      await client.close();
    }
    if (epoch < 2) await service.endEpoch();
  }
  expect(both.map(({ epochs }) => epochs.size)).toEqual([1, 1]);
  await service.close();
});
