import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../../src/core/scoring/constants.ts';
import { createLinkClaimModel } from '../../../src/core/scoring/link-claim-model.ts';
import type { JsonObject } from '../../../src/sealed/json.ts';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import { kindCode, typeCode } from '../../../src/sealed/codes.ts';
import { fromBase64Url, toBase64Url } from '../../../src/sealed/encoding.ts';
import { toReply } from '../../../src/sealed/evaluation.ts';
import { evaluate, publicKeyOf } from '../../../src/sealed/group/voprf.ts';
import { createKeys, epochKeyOf, epochPublicKeyOf, nextEpoch, scheduleOf } from '../../../src/sealed/keys.ts';
import { joinBytes } from '../../../src/sealed/group/hash-to-group.ts';
import { headAfter, markOf, NO_HISTORY, type History } from '../../../src/sealed/history.ts';
import { EPOCH_DAYS, type Manifest } from '../../../src/sealed/manifest-format.ts';
import { operatorPublicKey, signManifest, signMark, type SignedManifest } from '../../../src/sealed/manifest.ts';
import type { Standing } from '../../../src/core/scoring/evidence.ts';
import { createRowKeys, ROW_BYTES } from '../../../src/sealed/rows.ts';
import { seededRandom } from '../group-samples.ts';
import { buildSnapshot, sealRow } from '../row-samples.ts';
import { createTestEvaluator, toEpoch } from '../test-evaluator.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const BEGIN = 1_800_000_000_000;

/** A report as the operator stores it. */
export interface PlainReport {
  readonly id: number;
  readonly reporter: number;
  readonly type: string;
  readonly severity: number;
  readonly seconds: number;
  readonly disputed: boolean;
  readonly identifiers: readonly { readonly kind: string; readonly hash: string }[];
}

/** Returns a report of reporter 1 about these identifiers, `id` days before the begin of a test. */
export function plainReport(
  id: number,
  identifiers: PlainReport['identifiers'],
  more: Partial<PlainReport> = {},
): PlainReport {
  const seconds = BEGIN / 1000 - 86_400 * id;
  return { id, reporter: 1, type: 'fraud', severity: 8, seconds, disputed: false, identifiers, ...more };
}

/** A reporter and its standing. */
export interface ReporterEntry extends Standing {
  readonly number: number;
}

const KINDS = ['email', 'ip', 'phone', 'domain'];
const TYPES = ['chargeback', 'fraud', 'spam'];

/**
 * An operator made of the core functions alone: reports → rows → snapshots and signed manifests, and
 * evaluations under real keys.
 */
export class TestOperator {
  readonly random = seededRandom('operator');
  /** May be replaced by another one. */
  evaluator = createTestEvaluator();
  keys = createKeys(this.evaluator.access, BEGIN, this.random);
  now = BEGIN;
  reports: PlainReport[] = [];
  reporters: ReporterEntry[] = [];
  constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS;
  sequence = 0;
  /** What the next manifest continues. */
  history: History = NO_HISTORY;
  /** Changes of the next manifests, before they are signed. */
  changes: Partial<Manifest> = {};
  signed: SignedManifest | undefined;
  /** The manifest before the last one. */
  signedBefore: SignedManifest | undefined;
  manifest: Manifest | undefined;
  /** Snapshots. */
  readonly files = new Map<string, Uint8Array>();
  readonly #points = new Map<string, Uint8Array>();

  get operatorKey(): Uint8Array {
    return operatorPublicKey(this.keys.operatorKey);
  }

  /** Ed25519 public key of the evaluator, which clients may know. */
  get evaluatorKey(): Uint8Array {
    return this.evaluator.access.key;
  }

  get epoch(): number {
    return scheduleOf(this.keys.epochs, this.now).current!.number;
  }

  /** Adds an epoch after the last one. */
  addEpoch(): void {
    this.keys = nextEpoch(this.keys, this.now, this.random);
  }

  /** Publishes what is stored now, in the current epoch. */
  publish(): Manifest {
    const { epoch } = this;
    const { access, secrets } = this.evaluator;
    this.sequence++;
    const { lists, name } = { lists: { kinds: KINDS, types: TYPES }, name: createLinkClaimModel(this.constants).name };
    const salt = seededRandom(`salt ${epoch} ${this.sequence}`)(32);
    const bytes = this.#build(epoch, salt, lists);
    this.files.set(`${epoch}/${this.sequence}`, bytes);
    const { current, next } = scheduleOf(this.keys.epochs, this.now);
    const publicKey = (number: number): string => toBase64Url(epochPublicKeyOf(this.keys, number));
    const content: Omit<Manifest, 'operatorKey'> = {
      evaluator: { key: toBase64Url(access.key), publicKey: toBase64Url(access.publicKey) },
      sequence: this.sequence,
      history: this.history,
      issuedAt: this.now,
      expiresAt: this.now + 2 * DAY,
      epoch: { number: epoch, publicKey: publicKey(epoch), endsAt: current!.endsAt },
      next: next ? { number: next.number, publicKey: publicKey(next.number), startsAt: next.startsAt } : null,
      destroyed: [],
      rows: bytes.length / ROW_BYTES,
      snapshot: checksum(bytes),
      salt: toBase64Url(salt),
      model: { name, constants: this.constants as unknown as JsonObject },
      matchKinds: 'any',
      ...lists,
      ...this.changes,
    };
    this.signedBefore = this.signed;
    const { bytes: text, signature } = signManifest(content, this.keys.operatorKey);
    const head = headAfter(content, text);
    const more = signMark(secrets.signingKey, access.publicKey, markOf(head));
    this.signed = { bytes: text, signature: joinBytes([signature, more]) };
    this.history = head.history;
    this.manifest = { ...content, operatorKey: toBase64Url(this.operatorKey) };
    return this.manifest;
  }

  evaluate(epoch: number, blinded: readonly string[]) {
    const { evaluator, keys, random } = this;
    const elements = blinded.map((text) => fromBase64Url(text)!);
    const first = evaluate(evaluator.secrets.sealingKey, evaluator.access.publicKey, elements, random);
    const key = epochKeyOf(keys, epoch);
    const own = evaluate(key, publicKeyOf(key), first.evaluated, random);
    return { epoch, ...toReply(own), evaluator: toReply(first) };
  }

  /** Returns N of a hash. */
  elementOf(epoch: number, hash: string): Uint8Array {
    let sealed = this.#points.get(hash);
    if (sealed === undefined) this.#points.set(hash, (sealed = this.evaluator.sealHash(hash)));
    return toEpoch(this.keys, epoch, sealed);
  }

  #build(epoch: number, salt: Uint8Array, lists: { readonly kinds: string[]; readonly types: string[] }): Uint8Array {
    const byHash = new Map<string, { readonly report: PlainReport; readonly kind: string }[]>();
    for (const report of this.reports)
      for (const { kind, hash } of report.identifiers)
        byHash.set(hash, [...(byHash.get(hash) ?? []), { report, kind }]);
    return buildSnapshot([
      seededRandom(`blank ${this.sequence}`)(ROW_BYTES),
      ...[...byHash].flatMap(([hash, entries]) => {
        const keys = createRowKeys(salt, this.elementOf(epoch, hash));
        return entries.map(({ report, kind }, index) =>
          sealRow(keys, index, {
            report: tagOf(report.id),
            reporter: report.reporter,
            severity: report.severity,
            kind: kindCode(lists, kind),
            type: typeCode(lists, report.type),
            disputed: report.disputed,
            days: Math.max(0, Math.floor(report.seconds / 86_400)),
            standing: this.reporters.find(({ number }) => number === report.reporter),
          }),
        );
      }),
    ]);
  }
}

/** Returns the tag of a report in its rows. */
export function tagOf(id: number): Uint8Array {
  return seededRandom(`tag ${id}`)(6);
}

/** Returns a hash for a name. */
export function hashFor(name: string): string {
  return Array.from(seededRandom(`hash ${name}`)(20), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const EPOCH_MS = EPOCH_DAYS * DAY;
