import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { panel } from '../../src/service/cli/commands/panel.ts';
import { EVERY_WAY, openOperatorFolder, type OperatorFolder } from './operator-folder.ts';

describe.each(EVERY_WAY)('redflag panel sign-out, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
  });
  afterAll(() => open.close());

  it('ends all sessions and links of the operator, or of one reporter', async () => {
    const done = { code: 0, out: 'Signed out: all sessions and links have ended.\n', err: '' };
    expect(await open.run('panel', 'sign-out', '--by', 'Ada')).toEqual(done);
    expect(await open.run('panel', 'sign-out', '--reporter', 'First reporter', '--by', 'Ada')).toEqual(done);
    expect(await open.run('panel', 'sign-out', '--reporter', 'Nobody')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: no reporter has this name; redflag reporters shows the names\n',
    });
    const { out } = await open.run('audit', 'list', '--json');
    const entries = JSON.parse(out) as { action: string; actor: string; reporterId: string | null }[];
    const ended = entries.filter(({ action }) => action === 'signed-out');
    expect(ended).toMatchObject([
      { actor: 'Ada', reporterId: null },
      { actor: 'Ada', reporterId: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
  });
});

describe('redflag panel', () => {
  it.each([
    [['out'], 'panel expects link or sign-out; see redflag panel --help'],
    [['sign-out', 'x'], 'panel sign-out expects no value'],
    [['sign-out', '--name', 'Ada'], '--name belongs to panel link'],
  ])('refuses %j', async (args, message) => {
    await expect(panel.run(args)).rejects.toThrow(new UsageError(message));
  });
});
