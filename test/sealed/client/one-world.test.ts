import { describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import type { SealedClientOptions } from '../../../src/sealed/client/client-options.ts';
import { EPOCH_MS, hashFor, plainReport, type TestOperator } from './operator.ts';
import { HOUR, openSetting, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };
const DAY = 24 * HOUR;

/** Two services with the same keys and the same first manifest: one operator that can show two worlds. */
function openWorlds(): { readonly left: Setting; readonly right: Setting } {
  const [left, right] = [openSetting(), openSetting()];
  for (const { operator } of [left, right]) {
    operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
    operator.publish();
  }
  return { left: left!, right: right! };
}

/** A client whose requests go to `at.setting`. */
function clientOf(at: { setting: Setting }, more: Partial<SealedClientOptions> = {}) {
  const send: typeof fetch = (...request) => at.setting.service.fetch(...request);
  return at.setting.another({ fetch: send, clock: () => at.setting.operator.now, ...more });
}

/** Publishes an hour later. */
function publishLater(operator: TestOperator, milliseconds = HOUR): void {
  operator.now += milliseconds;
  operator.publish();
}

describe('two clients that are shown two worlds', () => {
  it('have other links, and the first manifest of the other world is refused', async () => {
    const { left, right } = openWorlds();
    const at = { setting: right };
    const [ada, bea] = [clientOf({ setting: left }), clientOf(at)];
    expect((await ada.refresh()).link).toBe((await bea.refresh()).link);
    // Two manifests of one sequence: the left one has a report.
    left.operator.reports.push(plainReport(1, [EMAIL]));
    for (const { operator } of [left, right]) publishLater(operator);
    const [shown, other] = [await ada.refresh(), await bea.refresh()];
    expect(shown.sequence).toBe(other.sequence);
    expect(shown.link).not.toBe(other.link);
    expect(await ada.query([EMAIL])).toMatchObject({ reported: 1 });
    expect(await bea.query([EMAIL])).toMatchObject({ reported: 0 });
    // The operator goes on with one world for both.
    at.setting = left;
    for (let hour = 0; hour < 3; hour++) {
      expect(await refusalOf(bea.refresh())).toBe('fork');
      await ada.refresh();
      publishLater(left.operator);
      right.operator.now = left.operator.now;
    }
    // Nothing is answered from the rows of a refused manifest.
    expect(await bea.query([EMAIL])).toMatchObject({ answer: 'score', reported: 0 });
    left.operator.now += 2 * DAY;
    left.operator.publish();
    expect(await refusalOf(bea.query([EMAIL]))).toBe('fork');
  });

  it('cannot be joined again by a history that lists both manifests', async () => {
    const { left, right } = openWorlds();
    left.operator.reports.push(plainReport(1, [EMAIL]));
    for (const { operator } of [left, right]) publishLater(operator);
    const bea = clientOf({ setting: right });
    await bea.refresh();
    const { manifests } = right.operator.history;
    const { link, manifests: listed } = left.operator.history;
    for (const history of [
      { link, manifests: [...listed, manifests.at(-1)!] },
      { link, manifests: [...manifests, listed.at(-1)!].slice(1) },
      { link: manifests.at(-1)!, manifests: listed },
    ]) {
      right.operator.history = history;
      publishLater(right.operator);
      expect(await refusalOf(bea.refresh())).toBe('fork');
    }
  });
});

describe('a client that was away', () => {
  const setting = openSetting();
  setting.operator.publish();
  const publishTimes = (times: number): void => {
    for (let time = 0; time < times; time++) publishLater(setting.operator, 60_000);
  };

  it('accepts a manifest that lists the last one that it accepted, and refuses one that cannot', async () => {
    const [away, longer] = [setting.another(), setting.another()];
    for (const client of [away, longer]) await client.refresh();
    publishTimes(129);
    expect(await refusalOf(away.refresh())).toBe('none');
    publishTimes(1);
    expect(await refusalOf(longer.refresh())).toBe('fork');
    // Its keeper compares with another client, and passes the link.
    const { link } = await away.refresh();
    const folder = new ClientFolder();
    const told = setting.another({ folder, acceptLink: link });
    expect(await told.refresh()).toMatchObject({ link });
    publishTimes(1);
    expect(await refusalOf(setting.another({ folder }).refresh())).toBe('none');
  });

  it('accepts only the manifest that it is told', async () => {
    const { left, right } = openWorlds();
    left.operator.reports.push(plainReport(1, [EMAIL]));
    for (const { operator } of [left, right]) publishLater(operator);
    const folder = new ClientFolder();
    await clientOf({ setting: left }, { folder }).refresh();
    const { link } = await clientOf({ setting: right }).refresh();
    publishLater(right.operator);
    expect(await refusalOf(clientOf({ setting: right }, { folder, acceptLink: link }).refresh())).toBe('fork');
    const now = await clientOf({ setting: right }).refresh();
    const told = clientOf({ setting: right }, { folder, acceptLink: now.link });
    expect(await told.refresh()).toEqual({ ...now, how: expect.anything() as string });
    publishLater(right.operator);
    expect(await refusalOf(told.refresh())).toBe('none');
    expect(() => clientOf({ setting: left }, { acceptLink: link.slice(1) })).toThrow('"acceptLink" expected 64');
  });
});

describe('a new epoch', () => {
  /** Destroys the current epoch `days` after its begin: another one begins at once. */
  function destroyAfter({ operator }: Setting, days: number): void {
    operator.now = operator.keys.epochs.at(-1)!.startsAt + days * DAY;
    const epochs = operator.keys.epochs.map((epoch) => ({ ...epoch, key: null }));
    operator.keys = { ...operator.keys, epochs };
    operator.addEpoch();
    operator.publish();
  }

  it('less than 20 days after the one before is refused, unless the client is told', async () => {
    const setting = openSetting();
    setting.operator.publish();
    await setting.client.refresh();
    destroyAfter(setting, 20);
    expect(await refusalOf(setting.client.refresh())).toBe('none');
    destroyAfter(setting, 19);
    expect(await refusalOf(setting.client.refresh())).toBe('early-epoch');
    const { link } = await setting.another().refresh();
    expect(await refusalOf(setting.another({ acceptLink: link }).refresh())).toBe('none');
    // The next one in time is accepted by all.
    destroyAfter(setting, 23);
    expect(await setting.client.refresh()).toMatchObject({ epoch: 4 });
  });

  it('in time is accepted, also by a client that was away', async () => {
    const setting = openSetting();
    const { operator } = setting;
    operator.publish();
    const away = setting.another();
    await away.refresh();
    for (let epoch = 2; epoch < 5; epoch++) {
      operator.addEpoch();
      operator.now = operator.keys.epochs.at(-2)!.endsAt;
      operator.publish();
      expect(await setting.client.refresh()).toMatchObject({ epoch });
    }
    expect(operator.now).toBeGreaterThan(2 * EPOCH_MS);
    expect(await away.refresh()).toMatchObject({ epoch: 4 });
  });

  it('is refused with another key in its place, and with another end', async () => {
    const setting = openSetting();
    const { operator } = setting;
    operator.publish();
    await setting.client.refresh();
    const { epoch } = operator.manifest!;
    operator.changes = { epoch: { ...epoch, publicKey: operator.manifest!.operatorKey } };
    publishLater(operator);
    expect(await refusalOf(setting.client.refresh())).toBe('early-epoch');
    operator.changes = { epoch: { ...epoch, endsAt: epoch.endsAt - 1 } };
    publishLater(operator);
    expect(await refusalOf(setting.client.refresh())).toBe('early-epoch');
    operator.changes = {};
    publishLater(operator);
    expect(await refusalOf(setting.client.refresh())).toBe('none');
  });
});
