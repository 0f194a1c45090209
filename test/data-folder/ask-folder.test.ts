import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import { createCalls, runCall, type Call, type Calls } from '../../src/service/data-folder/calls.ts';
import { DataFolderError } from '../../src/service/data-folder/errors.ts';
import { createFolderCalls } from '../../src/service/data-folder/folder-calls.ts';
import { createProgramEngine, type ProgramEngine } from '../../src/service/data-folder/program-engine.ts';
import { openServedFolder, beginService, type ServedFolder } from '../../src/service/data-folder/serving.ts';
import { unwrap } from '../../src/index.ts';
import { useFolder } from '../folder.ts';

const UNKNOWN = 'the running service does not know this command; restart the service with this version of redflag';

describe('a call', () => {
  const ran: Call[] = [];
  const target = createCalls(async (call) => ran.push(call));

  it.each([
    'close',
    'query',
    'report',
    'rotatePepper',
    'eraseIdentifiers',
    'keys revoke',
    'constructor',
    '__proto__',
    'toString',
    '0',
    'length',
    '',
  ])('of the name %j is refused', async (name) => {
    await expect(runCall(target, { do: name })).rejects.toThrow(new DataFolderError(UNKNOWN));
    expect(ran).toEqual([]);
  });

  it.each(['revokeKey', 'exportData', 'rotatePepperFile', 'addPepper', 'rotateSealed'])(
    'of %s by a name that the audit log refuses does nothing',
    async (name) => {
      for (const by of [' ', 'x'.repeat(81), 5, null])
        await expect(runCall(target, { do: name, with: { by } })).rejects.toThrow('The name must be one line');
      expect(ran).toEqual([]);
    },
  );

  it('gets the signal of its caller', async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const exportData = async (_: unknown, given?: AbortSignal) => void seen.push(given);
    await runCall({ ...target, exportData } as unknown as Calls, { do: 'exportData', with: { path: '/x' } }, signal);
    expect(seen).toEqual([signal]);
  });

  it('is passed on as it is', async () => {
    const call = { do: 'revokeKey', with: { keyId: 'a', by: 'Ada' } };
    await runCall(target, call);
    await runCall(target, { do: 'listStandings' });
    expect(ran.splice(0)).toEqual([call, { do: 'listStandings', with: undefined }]);
  });
});

/** A time before all reports. */
const AT = Date.now() - 1000;

describe('a folder that a service has open', () => {
  const root = useFolder('ask');
  const folder = join(root, 'data');
  const start = { onNotice: () => undefined, signal: new AbortController().signal };
  const by = 'Ada';
  const hash = 'ab'.repeat(20);
  let served: ServedFolder;
  let engine: ProgramEngine;
  let keyId: string;
  beforeAll(async () => {
    served = await openServedFolder(folder, 'journal', undefined, start);
    const { store, secret, peppers } = served;
    engine = createProgramEngine({
      store,
      secret,
      peppers,
      publicUrl: 'https://reports.example',
      onNotice: () => undefined,
    });
    await beginService(engine, served, true, start);
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Shop', contact: 'mailto:shop@shop.example' }));
    const key = unwrap(await engine.issueKey({ reporterId, scope: 'report', endsAt: Date.now() + 1e9 }));
    keyId = key.keyId;
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    for (const [at, text] of ['Not paid.', 'Not paid again.'].entries()) {
      const identifiers = [{ kind: 'email', hash: at === 0 ? hash : 'cd'.repeat(20) }];
      const draft = { apiKey, type: 'fraud', severity: 5, text, identifiers };
      const { reportId } = unwrap(await engine.report(draft));
      if (at === 0) unwrap(await engine.openDispute({ reportId, reason: 'It was paid.', by }));
      else unwrap(await engine.requestDispute!({ identifiers, reason: 'I paid.' }));
    }
    unwrap(await engine.protect({ hash: randomBytes(20).toString('hex'), reason: 'Our own', by }));
    await askFolder(folder, (calls) =>
      calls.addWebhook({ url: 'https://hooks.example', reporterId, toPrivate: false, by }),
    );
  });
  afterAll(() => engine.close());

  const READS: Readonly<Record<string, (calls: Calls) => Promise<unknown>>> = {
    listReporters: (calls) => calls.listReporters(),
    findReporter: (calls) => calls.findReporter({ name: 'Shop' }),
    'findReporter, unknown': (calls) => calls.findReporter({ name: 'None' }),
    listKeys: (calls) => calls.listKeys(),
    listStandings: (calls) => calls.listStandings(),
    recomputeTrust: (calls) => calls.recomputeTrust(),
    listDisputes: (calls) => calls.listDisputes(),
    listDisputeRequests: (calls) => calls.listDisputeRequests({ after: undefined }),
    listProtected: (calls) => calls.listProtected(),
    listAudit: (calls) => calls.listAudit({ after: 0 }),
    verifyAudit: (calls) => calls.verifyAudit({}),
    explain: (calls) => calls.explain({ identifiers: [{ kind: 'email', hash }], asOf: AT }),
    'explain, refused': (calls) => calls.explain({ identifiers: [] }),
    describe: (calls) => calls.describe(),
    pepperStatus: (calls) => calls.pepperStatus(),
    listWebhooks: (calls) => calls.listWebhooks(),
    check: (calls) => calls.check({ copy: join(root, 'copy') }),
    'revokeKey, refused': (calls) => calls.revokeKey({ keyId: '0'.repeat(16), by }),
  };
  it.each(Object.keys(READS))('answers as the engine does: %s', async (name) => {
    const here = { ...engine, ...createFolderCalls({ engine, ...served, serves: true }) };
    const expected = await READS[name]!(here);
    expect(await askFolder(folder, READS[name]!)).toEqual(expected);
    if (Array.isArray(expected)) expect(expected).not.toEqual([]);
  });

  it('runs several calls of one command, and says that it serves', async () => {
    const used = await askFolder(folder, async (calls, serves) => {
      const [key] = (await calls.listKeys()).filter((one) => one.keyId === keyId);
      return { serves, key, revoked: await calls.revokeKey({ keyId, by }) };
    });
    expect(used).toMatchObject({ serves: true, key: { keyId }, revoked: { ok: true } });
    expect((await engine.listKeys()).find((one) => one.keyId === keyId)?.endsAt).toBe(0);
  });

  it('words what a command refuses, and its own mistakes', async () => {
    const revoke = async (calls: Calls) => unwrap(await calls.revokeKey({ keyId: '0'.repeat(16), by }));
    await expect(askFolder(folder, revoke)).rejects.toThrow(
      new DataFolderError('There is no API key with this key id.'),
    );
    await expect(askFolder(folder, (calls) => calls.rotateKey(undefined as never))).rejects.toThrow(
      new DataFolderError('the service could not run the command'),
    );
  });

  it('that ends between two calls of a command is no folder that the command opens itself', async () => {
    const asked = askFolder(folder, async (calls) => {
      await calls.listKeys();
      await engine.close();
      return calls.listKeys();
    });
    await expect(asked).rejects.toThrow('the running service ended before it answered');
    expect(await askFolder(folder, async (calls, serves) => [serves, (await calls.listKeys()).length])).toEqual([
      false,
      3,
    ]);
  });
});
