import { join } from 'node:path';
import { expect, it } from 'vitest';
import { initSealed } from '../../src/service/data-folder/sealed/calls.ts';
import { unwrap } from '../../src/index.ts';
import { useFolder } from '../folder.ts';
import { identifiersOf, openService } from './sealed-service.ts';

const root = useFolder('sealed-unsealed');

it.each(['journal', 'sqlite'] as const)(
  'an identifier sealed after the rows were read is missing (%s)',
  async (kind) => {
    const folder = join(root, kind);
    const given = kind === 'sqlite' ? kind : undefined;
    const plain = await openService(folder, undefined, undefined, given);
    const draft = { apiKey: plain.apiKey, type: 'fraud', severity: 10, text: 'Not paid.' };
    unwrap(await plain.engine.report({ ...draft, identifiers: identifiersOf(1) }));
    await plain.stop();
    await initSealed(folder);
    const service = await openService(folder, plain.apiKey, undefined, given);
    const { readSealedRows } = service.engine;
    service.engine.readSealedRows = async (page) => {
      const read = await readSealedRows(page);
      // A client sends its hash by the plain protocol.
      unwrap(await service.engine.query({ apiKey: service.apiKey, identifiers: identifiersOf(1) }));
      return read;
    };
    await service.publish();
    expect(await service.client().query(identifiersOf(1))).toMatchObject({ answer: 'unknown', why: 'incomplete' });
    expect(await service.engine.sealStatus()).toMatchObject({ unsealed: 0 });
    await service.stop();
  },
);
