import { describe, expect, it } from 'vitest';
import { fromBase64Url, toBase64Url } from '../../../src/sealed/encoding.ts';
import { createHistorySigner } from '../../../src/sealed/evaluator/history-signer.ts';
import { joinBytes } from '../../../src/sealed/group/hash-to-group.ts';
import { headAfter, NO_HISTORY, NOTHING_SIGNED } from '../../../src/sealed/history.ts';
import { evaluate, publicKeyOf, randomScalar } from '../../../src/sealed/group/voprf.ts';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { BEGIN, hashFor } from './operator.ts';
import { openSetting, refusal, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };

interface Step {
  evaluated: string[];
  proof: string;
}
type Reply = Step & { evaluator: Step };

function open(more: Parameters<typeof openSetting>[0] = {}): Setting {
  const setting = openSetting(more);
  const { operator } = setting;
  operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  const seconds = BEGIN / 1000 - 86_400;
  operator.reports = [
    { id: 1, reporter: 1, type: 'fraud', severity: 8, seconds, disputed: false, identifiers: [EMAIL] },
  ];
  operator.publish();
  return setting;
}

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

describe('a client', () => {
  it('scores, prepares and reports in two steps', async () => {
    const setting = open();
    const { client } = setting;
    const knowing = setting.another({ evaluatorKey: setting.operator.evaluatorKey });
    expect(await knowing.query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
    expect(await client.prepare([hashFor('other')])).toMatchObject({ evaluated: 1 });
    await client.report({ type: 'fraud', severity: 5, text: 'Not paid.', identifiers: [EMAIL] });
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
  ])('refuses a change of %s', async (_, by, code) => {
    const setting = open();
    await setting.client.refresh();
    const other = toBase64Url(setting.operator.elementOf(1, hashFor('other')));
    change(setting, (reply) => by(reply, other));
    expect(await refusalOf(setting.client.query([EMAIL]))).toBe(code);
    setting.service.tamper = undefined;
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
  });

  it('refuses a first step with a proof that holds, but under another key', async () => {
    const setting = open();
    const { operator, service, client } = setting;
    await client.refresh();
    const own = randomScalar(seededRandom('own'));
    change(setting, (reply) => {
      const { blinded } = JSON.parse(service.seen.at(-1)!.body) as { blinded: string[] };
      const elements = blinded.map((text) => fromBase64Url(text)!);
      const made = evaluate(own, publicKeyOf(own), elements, operator.random);
      reply.evaluator = { evaluated: made.evaluated.map(toBase64Url), proof: toBase64Url(made.proof) };
    });
    expect(await refusalOf(client.query([EMAIL]))).toBe('invalid-evaluator-proof');
  });

  it('refuses another evaluator than the one that it expects, also in what it has kept', async () => {
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
    expect(await refusalOf(pinned.query([EMAIL]))).toBe('wrong-evaluator-key');
    expect(() => setting.another({ evaluatorKey: 'x' })).toThrow('"evaluatorKey" expected 43 characters');
  });

  it('refuses another evaluator if it knows the right one, and cannot tell otherwise', async () => {
    const setting = open();
    const { operator } = setting;
    const { evaluatorKey } = operator;
    const [pinned, trusting] = [setting.another({ evaluatorKey }), setting.another()];
    for (const client of [pinned, trusting]) await client.refresh();
    operator.evaluator = createTestEvaluator("the operator's own");
    operator.publish();
    expect(await refusalOf(pinned.refresh())).toBe('wrong-evaluator-key');
    expect(await refusalOf(trusting.refresh())).toBe('none');
    // Nor may the operator name the right one, and sign itself.
    operator.changes = { evaluator: { ...operator.manifest!.evaluator, key: toBase64Url(evaluatorKey) } };
    operator.publish();
    expect(await refusalOf(pinned.refresh())).toBe('bad-evaluator-signature');
    expect(await refusalOf(setting.another().refresh())).toBe('bad-evaluator-signature');
  });

  it('is shown one of two manifests of a sequence: the evaluator has signed the other one', async () => {
    const [left, right] = [open(), open()] as const;
    const { evaluatorKey, evaluator } = left.operator;
    const signer = createHistorySigner({
      signingKey: evaluator.secrets.signingKey,
      publicKey: evaluator.access.publicKey,
      last: NOTHING_SIGNED,
      save: async () => undefined,
    });
    const shown: string[] = [];
    for (const { operator, another } of [left, right]) {
      operator.reports = operator.reports.slice(0, shown.length);
      operator.history = NO_HISTORY;
      operator.publish();
      const { bytes, signature } = operator.signed!;
      const signed = await signer.sign(headAfter(operator.manifest!, bytes));
      // The operator has no other signature of this sequence than that of the other manifest.
      operator.signed = {
        bytes,
        signature: joinBytes([signature.slice(0, 64), signed ?? left.operator.signed!.signature.slice(64)]),
      };
      shown.push(await refusalOf(another({ evaluatorKey }).refresh()));
    }
    expect(shown).toEqual(['none', 'bad-evaluator-signature']);
  });

  it('is unknown while the operator cannot reach the evaluator, and answers what is prepared', async () => {
    const setting = open();
    await setting.client.refresh();
    await setting.client.prepare([EMAIL]);
    setting.service.before = (path) =>
      path === 'evaluate' ? refusal(503, 'unavailable', { 'Retry-After': '60' }) : undefined;
    expect(await setting.client.query([{ kind: 'email', hash: hashFor('new') }])).toEqual({
      answer: 'unknown',
      why: 'no-evaluation',
      retryAfterSeconds: 60,
    });
    expect(await setting.client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
  });
});
