import { expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { hashFor } from './operator.ts';
import { HOUR, openRealService } from './real-service.ts';
import { memoryFiles, randomKey } from './memory-files.ts';

const asked = [{ kind: 'email', hash: hashFor('customer') }];

it('evaluations of an ended epoch are removed by the next refresh if the first attempt failed', async () => {
  const service = await openRealService();
  const shop = await service.addShop('Shop', true);
  await service.publish();
  const { files, control } = memoryFiles();
  const folder = new ClientFolder(files, randomKey());
  const client = service.client(shop, { folder });
  await client.query(asked);
  const { operatorKey, epoch } = parseManifest((await service.publications.newest())!.bytes)!;
  const hasOld = async () => (await folder.read(epoch.publicKey, [asked[0]!.hash])).size > 0;
  expect(await hasOld()).toBe(true);
  await service.endEpoch();
  await service.publish();
  control.isFull = true;
  await expect(client.refresh()).rejects.toThrow('the disk is full');
  expect(await hasOld()).toBe(true);
  control.isFull = false;
  service.advance(HOUR);
  await service.publish();
  await client.refresh();
  expect(await hasOld()).toBe(false);
  expect((await folder.state(operatorKey)).elements).toEqual({});
  await client.close();
  await service.close();
});
