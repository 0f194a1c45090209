// A client of the private look-up in plain JavaScript, written from docs/sealed-protocol.md and docs/scoring.md alone.
// It imports nothing of src/, and keeps everything in memory. Numbers in comments are sections of the protocol page.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { ristretto255, ristretto255_oprf as oprf } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';

const DAY = 86_400_000;
const FIELDS = `destroyed epoch evaluator expiresAt format history issuedAt kinds matchKinds model next operatorKey rows
salt sequence snapshot types`.split(/\s/);
const unBase64 = (text) => Buffer.from(text, 'base64url');
const base64 = (bytes) => Buffer.from(bytes).toString('base64url');
const unHex = (text) => Buffer.from(text, 'hex');
const digest = (name, ...parts) => createHash(name).update(Buffer.concat(parts)).digest();
const sha256 = (...parts) => digest('sha256', ...parts).toString('hex');
const u32 = (value) => unHex(value.toString(16).padStart(8, '0'));
const publicKey = (x) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
const isSigned = (bytes, signature, x) => verify(null, bytes, publicKey(x), signature);
function refuse(reason) {
  throw new Error(reason);
}

export class IndependentClient {
  #options;
  #last; // link, sequence and epoch of the last accepted manifest
  #manifest;
  #rows = new Map();
  #points = new Map(); // N of each hash
  /** Options: url, apiKey, operatorKey, now, and if wanted evaluatorKey and fetch. */
  constructor(options) {
    this.#options = { fetch, ...options };
  }

  async #fetch(path, body) {
    const headers = { authorization: `Bearer ${this.#options.apiKey}`, 'content-type': 'application/json' };
    const posted = body && { method: 'POST', body: JSON.stringify(body) };
    const reply = await this.#options.fetch(`${this.#options.url}${path}`, { headers, ...posted });
    return reply.ok ? reply : refuse((await reply.json()).error);
  }

  /** Fetches the manifest and its rows (4, 5). */
  async refresh() {
    const reply = await this.#fetch('/sealed/manifest');
    const signatures = unBase64(reply.headers.get('redflag-signature') ?? '');
    const manifest = this.#accept(Buffer.from(await reply.arrayBuffer()), signatures);
    const { epoch, sequence, rows, snapshot } = manifest;
    const file = Buffer.from(await (await this.#fetch(`/sealed/${epoch.number}/${sequence}/snapshot`)).arrayBuffer());
    if (file.length !== 21 * rows || sha256(file) !== snapshot) refuse('wrong-snapshot');
    const found = Array.from({ length: rows }, (_, at) => file.subarray(21 * at, 21 * at + 21));
    if (found.some((row, at) => at > 0 && found[at - 1].compare(row, 0, 8, 0, 8) >= 0)) refuse('unsorted');
    this.#rows = new Map(found.map((row) => [row.toString('hex', 0, 8), row.subarray(8)]));
    if (this.#manifest?.epoch.publicKey !== epoch.publicKey) this.#points.clear();
    this.#manifest = manifest;
  }

  #accept(bytes, signatures) {
    const { operatorKey, evaluatorKey, now } = this.#options;
    if (signatures.length !== 128 || !isSigned(bytes, signatures.subarray(0, 64), operatorKey)) refuse('bad-signature');
    const manifest = JSON.parse(bytes);
    const { evaluator, sequence, history, epoch, model } = manifest;
    if (manifest.operatorKey !== operatorKey) refuse('bad-signature');
    const isWhole = JSON.stringify(manifest) === bytes.toString() && manifest.format === 'redflag-sealed/4';
    if (!isWhole || Object.keys(manifest).sort().join() !== FIELDS.join()) refuse('malformed');
    const links = [history.link];
    for (const mark of [...history.manifests, sha256(bytes)]) links.push(sha256(unHex(links.at(-1)), unHex(mark)));
    const link = links.pop();
    const label = Buffer.from('redflag sealed manifest');
    const signed = Buffer.concat([label, unBase64(evaluator.publicKey), u32(sequence), unHex(link)]);
    const isExpected = evaluatorKey === undefined || evaluator.key === evaluatorKey;
    if (!isExpected || !isSigned(signed, signatures.subarray(64), evaluator.key)) refuse('bad-evaluator-signature');
    if (manifest.issuedAt > now() + 300_000) refuse('issued-in-future');
    const last = this.#last;
    if (last !== undefined && link !== last.link) {
      if (sequence < last.sequence) refuse('rollback');
      if (sequence === last.sequence || !links.includes(last.link)) refuse('fork');
      const isSame = epoch.publicKey === last.epoch.publicKey && epoch.endsAt === last.epoch.endsAt;
      if (!isSame && epoch.endsAt < last.epoch.endsAt + 20 * DAY) refuse('early-epoch');
    }
    if (Math.min(manifest.expiresAt, epoch.endsAt) <= now()) refuse('expired');
    if (!/^link-claim\/7(\+[0-9a-f]{8})?$/.test(model.name)) refuse('unknown-model');
    this.#last = { link, sequence, epoch };
    return manifest;
  }

  /** N of each hash (6). */
  async #evaluate(hashes) {
    const { epoch, evaluator } = this.#manifest;
    const missing = [...new Set(hashes)].filter((hash) => !this.#points.has(hash));
    for (let from = 0; from < missing.length; from += 32) {
      const batch = missing.slice(from, from + 32);
      const items = batch.map((hash) => ({ input: unHex(hash), ...oprf.voprf.blind(unHex(hash)) }));
      const blinded = items.map((item) => base64(item.blinded));
      const reply = await (await this.#fetch('/sealed/evaluate', { epoch: epoch.number, blinded })).json();
      // `finalizeBatch` throws if the proof is false. Its output is not used.
      const verifyStep = (given, { evaluated, proof }, key) => {
        if (evaluated.length !== batch.length || reply.epoch !== epoch.number) refuse('unexpected-reply');
        const step = items.map((item, at) => ({ ...item, blinded: given[at], evaluated: unBase64(evaluated[at]) }));
        oprf.voprf.finalizeBatch(step, unBase64(key), unBase64(proof));
        return step.map((item) => item.evaluated);
      };
      const halves = verifyStep(blinded.map(unBase64), reply.evaluator, evaluator.publicKey);
      for (const [at, result] of verifyStep(halves, reply, epoch.publicKey).entries()) {
        const inverse = ristretto255.Point.Fn.inv(bytesToNumberLE(items[at].blind));
        this.#points.set(batch[at], ristretto255.Point.fromBytes(result).multiply(inverse).toBytes());
      }
    }
    return hashes.map((hash) => this.#points.get(hash));
  }

  /** Sends a report and returns its deletion code (7). An identifier is `{ kind, hash }`. */
  async report({ type, severity, text }, identifiers) {
    const points = await this.#evaluate(identifiers.map(({ hash }) => hash));
    const named = identifiers.map(({ kind }, at) => ({ kind, point: base64(points[at]) }));
    const body = { epoch: this.#manifest.epoch.number, type, severity, text, identifiers: named };
    return (await (await this.#fetch('/sealed/report', body)).json()).code;
  }

  /** The rows of an identifier (5). */
  #open(point) {
    const { salt, kinds, types } = this.#manifest;
    for (let index = 0, rows = []; ; index += 1) {
      const key = digest('sha512', Buffer.from('redflag sealed row'), unBase64(salt), u32(index), point);
      const content = this.#rows.get(key.toString('hex', 0, 8))?.map((byte, at) => byte ^ key[8 + at]);
      if (content === undefined) return rows;
      const [flags, standing] = [content.readUInt16BE(8), content[12]];
      const [report, reporter] = [content.toString('hex', 0, 6), content.readUInt16BE(6)];
      const [severity, isDisputed] = [flags >> 12, flags % 2 === 1];
      const [kind, type] = [kinds[(flags >> 7) & 31], types[(flags >> 1) & 63]];
      const age = Math.max(0, Math.floor(this.#options.now() / DAY) - content.readUInt16BE(10));
      const precision = standing === 255 ? undefined : ((standing >> 2) + 0.5) / 16;
      const isVerified = standing !== 255 && standing % 2 === 1;
      rows.push({ report, reporter, severity, kind, type, isDisputed, age, precision, isVerified });
    }
  }

  /** The score (9). */
  async query(identifiers) {
    const { matchKinds, epoch, model } = this.#manifest;
    const c = model.constants;
    if (epoch.endsAt <= this.#options.now()) refuse('expired');
    const kindOf = (name) => (Object.hasOwn(c.kinds, name) ? c.kinds[name] : c.otherKinds);
    const points = await this.#evaluate(identifiers.map(({ hash }) => hash));
    const reports = new Map();
    const verifiedOf = new Map(); // n of each hash: its verified reporters
    for (const [at, { kind, hash }] of identifiers.entries())
      for (const row of this.#open(points[at]).filter((row) => matchKinds === 'any' || row.kind === kind)) {
        const used = kindOf(kind).weight < kindOf(row.kind).weight ? kindOf(kind) : kindOf(row.kind);
        if (!reports.has(row.report)) reports.set(row.report, { ...row, kinds: new Map() });
        const { kinds } = reports.get(row.report);
        if (used.weight > (kinds.get(hash)?.weight ?? -1)) kinds.set(hash, used);
        if (row.isVerified) verifiedOf.set(hash, (verifiedOf.get(hash) ?? new Set()).add(row.reporter));
      }
    if (reports.size === 0) return { points: 0, reported: 0, reliability: 0 };
    const slowingOf = (hash) => Math.max(1, (verifiedOf.get(hash)?.size ?? 0) / c.slowFadingFrom);
    const fadedOf = ([hash, kind], age) => kind.weight * 2 ** (-age / (kind.halfLifeDays * slowingOf(hash)));
    const linkOf = ({ kinds }, age) => union([...kinds].map((one) => fadedOf(one, age)));
    const weighed = [...reports.values()].map((report) => {
      const type = Object.hasOwn(c.typeWeights, report.type) ? c.typeWeights[report.type] : 1;
      const claim = (report.precision ?? c.precision.newKey) * type * (report.isDisputed ? c.openDispute : 1);
      const [m, m0] = [linkOf(report, report.age), linkOf(report, 0)];
      const points = claim * m * (report.severity / 10) ** c.severityExponent;
      return { ...report, points, reliability: claim * Math.sqrt(m * m0) };
    });
    const [total] = combine(weighed, 'points', c, c.unverifiedMost, c.aloneMost);
    const [all, verified] = combine(weighed, 'reliability', c, (c.unverifiedMost - 0.1) / 0.9, 1);
    const [stated, most] = [all, verified].map((part) => map(c.calibration, 0.1 + 0.9 * part));
    const bound = Math.max(c.unverifiedMost, weighed.some(({ isVerified }) => isVerified) && most);
    const reliability = c.calibration === null ? stated : Math.min(stated, bound);
    const round = (value, least) => Math.max(least, Math.floor(100 * value + 0.5 + 1e-9));
    return { points: round(total, 1), reported: reports.size, reliability: round(reliability, 10) / 10 };
  }
}
const union = (chances) => 1 - chances.reduce((rest, chance) => rest * (1 - chance), 1);
function map(calibration, x) {
  if (calibration === null) return x;
  const { points } = calibration;
  const at = points.findIndex(([stated]) => stated > x);
  if (at < 1) return points.at(at)[1];
  const [[x0, y0], [x1, y1]] = points.slice(at - 1, at + 1);
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}
// S and S_v of docs/scoring.md.
function combine(reports, sum, { crowdFactor, voiceMost }, u, alone) {
  const bend = (x, b) => b * (1 - (1 - x) ** (1 / b));
  const raise = (most, key, value) => most.set(key, Math.max(value, most.get(key) ?? 0));
  const sideOf = (chosen) => {
    const links = chosen.flatMap(({ kinds }) => [...kinds]);
    const weights = links.reduce((most, [hash, { weight }]) => raise(most, hash, weight), new Map());
    const voices = chosen.reduce((most, report) => raise(most, report.reporter, report[sum]), new Map());
    const reach = union([...weights.values()]);
    const shares = Array.from(voices.values(), (a) => Math.min(voiceMost, a / (reach || 1)));
    return [reach, shares.sort((one, other) => other - one)];
  };
  const [reach] = sideOf(reports);
  const [reachV, [first = 0, second = 0, ...rest]] = sideOf(reports.filter(({ isVerified }) => isVerified));
  const [reachU, crowd] = sideOf(reports.filter(({ isVerified }) => !isVerified));
  const voices = [bend(first, alone + (1 - alone) * second), second, ...rest];
  const verified = reachV * Math.sqrt(union(voices.map((x) => x ** 2)));
  const others = reachU * bend(Math.sqrt(union(crowd.map((x, j) => x ** 2 * crowdFactor ** j))), u);
  return [reach * Math.sqrt(union([verified, others].map((part) => (part / (reach || 1)) ** 2))), verified];
}
