import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { fromBase64Url, read32, toBase64Url } from '../../../src/sealed/encoding.ts';
import { toReply } from '../../../src/sealed/evaluation.ts';
import { evaluate, publicKeyOf, randomScalar } from '../../../src/sealed/group/voprf.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { hashFor, HOUR, plainReport, type PlainReport } from './operator.ts';
import { openSetting, refusal, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };
const report = (id: number): PlainReport => plainReport(id, [EMAIL, { kind: 'phone', hash: hashFor(`phone ${id}`) }]);

function open(): Setting {
  const setting = openSetting();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  setting.operator.reports = [report(1), report(2)];
  setting.operator.publish();
  return setting;
}

/** Publishes one report more, an hour later. */
function publishMore({ operator, advance }: Setting): void {
  advance(HOUR);
  operator.reports.push(report(operator.reports.length + 1));
  operator.publish();
}

interface Step {
  evaluated: string[];
  proof: string;
}
type Reply = Step & { evaluator: Step };

/** Changes the next replies of `evaluate`. */
function change({ service }: Setting, by: (reply: Reply) => void): void {
  service.tamper = (path, bytes) => {
    if (path !== 'evaluate') return undefined;
    const reply = JSON.parse(new TextDecoder().decode(bytes)) as Reply;
    by(reply);
    return new TextEncoder().encode(JSON.stringify(reply));
  };
}

const flipped = (text: string, at: number): string => {
  const bytes = fromBase64Url(text)!;
  bytes[at]! ^= 1;
  return toBase64Url(bytes);
};

const flip = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

describe('what was changed on its way is refused', () => {
  it.each<[string, RegExp, string, RegExp]>([
    ['a snapshot', /snapshot$/, 'wrong-snapshot', /^the snapshot has another SHA-256/],
    ['a manifest', /^manifest$/, 'bad-signature', /^the signature is not of these bytes/],
  ])('%s, whichever bit it is, with an error of its own', async (_, path, code, message) => {
    const setting = open();
    const { client } = setting;
    await setting.another().prepare([EMAIL]);
    publishMore(setting);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(7), async (at, bit) => {
        setting.service.tamper = (asked, bytes) =>
          path.test(asked)
            ? bytes.map((byte, index) => (index === at % bytes.length ? byte ^ (1 << bit) : byte))
            : undefined;
        const failed = client.query([EMAIL]).then(() => client.refresh());
        await expect(failed).rejects.toThrow(message);
        await expect(failed).rejects.toMatchObject({ code });
      }),
      { numRuns: 20 },
    );
    setting.service.tamper = undefined;
    expect(await setting.another().query([EMAIL])).toMatchObject({ answer: 'score', reported: 3 });
  });

  it('a file that is whole, but of another publication', async () => {
    const setting = open();
    publishMore(setting);
    setting.operator.files.set('1/2', setting.operator.files.get('1/1')!);
    expect(await refusalOf(setting.another().refresh())).toBe('wrong-snapshot');
  });

  it('the signature of a manifest, and a missing one', async () => {
    const setting = open();
    const { bytes, signature } = setting.operator.signed!;
    for (const text of [toBase64Url(flip(signature, 5)), '?', undefined]) {
      const headers = text === undefined ? undefined : { 'Redflag-Signature': text };
      setting.service.tamper = () => new Response(bytes.slice(), headers && { headers });
      expect(await refusalOf(setting.client.refresh())).toBe('bad-signature');
    }
  });

  it.each<[string, (reply: Reply, other: string) => void, string]>([
    ["the operator's proof", (reply) => (reply.proof = flipped(reply.proof, 7)), 'invalid-proof'],
    ["the operator's element", (reply, other) => (reply.evaluated = [other]), 'invalid-proof'],
    [
      "the evaluator's proof",
      ({ evaluator }) => (evaluator.proof = flipped(evaluator!.proof, 40)),
      'invalid-evaluator-proof',
    ],
    ["the evaluator's element", ({ evaluator }, other) => (evaluator!.evaluated = [other]), 'invalid-evaluator-proof'],
    [
      "the evaluator's element, which is the identity",
      ({ evaluator }) => (evaluator.evaluated = [toBase64Url(new Uint8Array(32))]),
      'invalid-evaluator-proof',
    ],
    ['the order of the steps', (reply) => Object.assign(reply, reply.evaluator), 'invalid-proof'],
    ['a first step that is missing', (reply) => Object.assign(reply, { evaluator: undefined }), 'unexpected-reply'],
    ['a first step without an element', ({ evaluator }) => (evaluator.evaluated = []), 'unexpected-reply'],
    ['a short proof', ({ evaluator }) => (evaluator.proof = 'AAAA'), 'unexpected-reply'],
  ])('%s', async (_, by, code) => {
    const setting = open();
    await setting.client.refresh();
    const other = toBase64Url(setting.operator.elementOf(1, hashFor('other')));
    change(setting, (reply) => by(reply, other));
    expect(await refusalOf(setting.client.query([EMAIL]))).toBe(code);
    setting.service.tamper = undefined;
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
  });

  it.each(['invalid-evaluator-proof', 'invalid-proof'])('a step under another key: %s', async (code) => {
    const setting = open();
    const { client, operator, service } = setting;
    await client.refresh();
    const own = randomScalar(seededRandom('own'));
    const evaluateWithOwn = (elements: readonly string[]): Step =>
      toReply(evaluate(own, publicKeyOf(own), elements.map(read32), operator.random));
    change(setting, (reply) => {
      const { blinded } = JSON.parse(service.seen.at(-1)!.body) as { blinded: string[] };
      if (code === 'invalid-proof') Object.assign(reply, evaluateWithOwn(reply.evaluator.evaluated));
      else reply.evaluator = evaluateWithOwn(blinded);
    });
    expect(await refusalOf(client.query([EMAIL]))).toBe(code);
    // Another request would give the service another try.
    expect(service.count(/evaluate/)).toBe(1);
  });
});

describe('a manifest that is whole but wrong is refused', () => {
  it('of another evaluator, also in what is kept', async () => {
    const setting = open();
    const folder = new ClientFolder();
    const trusting = setting.another({ folder });
    await trusting.refresh();
    const { evaluatorKey } = setting.operator;
    expect(await refusalOf(setting.another({ evaluatorKey }).refresh())).toBe('none');
    setting.operator.evaluator = createTestEvaluator('another');
    setting.operator.publish();
    expect(await refusalOf(trusting.refresh())).toBe('none');
    const pinned = setting.another({ folder, evaluatorKey: toBase64Url(evaluatorKey) });
    expect(await refusalOf(pinned.query([EMAIL]))).toBe('bad-evaluator-signature');
    expect(() => setting.another({ evaluatorKey: 'x' })).toThrow('"evaluatorKey" expected 43 characters');
  });

  it('that is too old, from the future, or of an ended epoch', async () => {
    const setting = open();
    await setting.client.refresh();
    setting.advance(48 * HOUR - 1);
    expect(await refusalOf(setting.client.refresh())).toBe('none');
    setting.advance(1);
    expect(await refusalOf(setting.client.refresh())).toBe('expired');
    setting.operator.changes = { epoch: { ...setting.operator.manifest!.epoch, endsAt: setting.operator.now } };
    setting.operator.publish();
    expect(await refusalOf(setting.another().refresh())).toBe('expired');
    setting.operator.changes = {};
    setting.operator.publish();
    await setting.client.refresh();
    const { now } = setting.operator;
    const early = setting.another({ clock: () => now - 6 * 60_000 });
    expect(await refusalOf(early.refresh())).toBe('issued-in-future');
    expect(await refusalOf(early.query([EMAIL]))).toBe('issued-in-future');
    // A clock that is set back after the refresh is wrong, too.
    setting.advance(-6 * 60_000);
    expect(await refusalOf(setting.client.query([EMAIL]))).toBe('issued-in-future');
  });

  it('with a model or constants that this version does not know', async () => {
    const setting = open();
    const { model } = setting.operator.manifest!;
    const wrong: object[] = [
      ...['link-claim/8', 'link-claim/6', 'severity-sum'].map((name) => ({ ...model, name })),
      ...[{ version: 5 }, { voices: 1 }, { precision: {} }].map((changed) => ({
        ...model,
        constants: { ...model.constants, ...changed },
      })),
    ];
    for (const changed of wrong) {
      setting.operator.changes = { model: changed as typeof model };
      setting.operator.publish();
      expect(await refusalOf(setting.client.refresh())).toBe('unknown-model');
    }
  });
});

describe('a refusal of the service', () => {
  it.each([
    [400, 'invalid-request', 'invalid-request'],
    [400, 'invalid-element', 'invalid-element'],
    [401, 'unauthorised', 'unauthorised'],
    [403, 'x', 'unauthorised'],
    [404, 'x', 'not-found'],
    [409, 'unknown-epoch', 'unknown-epoch'],
    [410, 'epoch-ended', 'epoch-ended'],
    [413, 'too-many', 'too-many'],
    [418, 'x', 'unexpected-reply'],
    [302, 'x', 'unexpected-reply'],
  ])('with the status %d and the error %s is %s', async (status, error, code) => {
    const setting = open();
    await setting.client.refresh();
    setting.service.before = (path) => (path === 'evaluate' ? refusal(status, error) : undefined);
    expect(await refusalOf(setting.client.prepare([EMAIL]))).toBe(code);
    const failed = setting.client.query([EMAIL]);
    await expect(failed).rejects.not.toThrow(/a text of the service|x-/);
  });
});
