import type { Identifier } from '../../src/core/domain/identifier.ts';
import { accept, refuse, type Refusal } from '../../src/core/domain/refusal.ts';
import type { PublicReport, ReportDraft } from '../../src/core/domain/report.ts';
import type { Service } from '../../src/core/engine/service.ts';
import { createLink } from '../../src/core/protocol/link.ts';

export const KEYS = {
  shop: '00000000000000a1',
  stranger: '00000000000000b2',
  revoked: '00000000000000c3',
  suspended: '00000000000000d4',
} as const;

/** A service in memory, just enough to see what the HTTP rooms do with one. */
export interface ServiceDouble extends Service {
  /** The calls in their order. */
  readonly calls: { readonly name: keyof Service; readonly request: unknown }[];
  /** What the next call does instead of its work. */
  next: { readonly refusal: Refusal } | { readonly error: unknown } | undefined;
}

interface Stored extends ReportDraft {
  readonly apiKey: string;
  readonly reportId: string;
  readonly code: string;
  removed: boolean;
}

export function createServiceDouble(publicUrl = 'https://flags.example/fraud'): ServiceDouble {
  const stored: Stored[] = [];
  const links = new Map<string, readonly Identifier[]>();
  const toLink = createLink(publicUrl);

  function keyRefusal(apiKey: string): Refusal | undefined {
    if (apiKey === KEYS.revoked) return { reason: 'revoked-key' };
    if (apiKey === KEYS.suspended) return { reason: 'suspended-key' };
    return apiKey === KEYS.shop || apiKey === KEYS.stranger ? undefined : { reason: 'unknown-key' };
  }
  function matching(identifiers: readonly Identifier[]): Stored[] {
    const hashes = new Set(identifiers.map(({ hash }) => hash));
    return stored.filter((report) => !report.removed && report.identifiers.some(({ hash }) => hashes.has(hash)));
  }
  function begin(name: keyof Service, request: unknown): Refusal | undefined {
    double.calls.push({ name, request });
    const { next } = double;
    double.next = undefined;
    if (next === undefined) return undefined;
    if ('error' in next) throw next.error;
    return next.refusal;
  }

  const double: ServiceDouble = {
    calls: [],
    next: undefined,
    async report(request) {
      const refusal = begin('report', request) ?? keyRefusal(request.apiKey);
      if (refusal !== undefined) return refuse(refusal);
      if (!['chargeback', 'fraud', 'phishing'].includes(request.type)) return refuse({ reason: 'invalid-type' });
      const number = (stored.length + 1).toString(16);
      const report = { ...request, reportId: number.padStart(16, '1'), code: number.padStart(16, 'c'), removed: false };
      stored.push(report);
      return accept({ reportId: report.reportId, deletionCode: report.code, duplicate: false });
    },
    async remove(request) {
      const refusal = begin('remove', request) ?? keyRefusal(request.apiKey);
      if (refusal !== undefined) return refuse(refusal);
      const report = stored.find(({ code, apiKey }) => code === request.deletionCode && apiKey === request.apiKey);
      if (report === undefined) return refuse({ reason: 'unknown-code' });
      if (report.removed) return refuse({ reason: 'already-deleted' });
      report.removed = true;
      return accept(undefined);
    },
    async query(request) {
      const refusal = begin('query', request) ?? keyRefusal(request.apiKey);
      if (refusal !== undefined) return refuse(refusal);
      const linkHash = hashOf(request.identifiers);
      const reported = matching(request.identifiers).length;
      if (reported > 0) links.set(linkHash, request.identifiers);
      return accept({ points: reported * 30, reported, reliability: reported === 0 ? 0 : 4.5, link: toLink(linkHash) });
    },
    async checkKey(request) {
      const refusal = begin('checkKey', request) ?? keyRefusal(request.apiKey);
      return refusal === undefined ? accept(undefined) : refuse(refusal);
    },
    async view(request) {
      const refusal = begin('view', request);
      if (refusal !== undefined) return refuse(refusal);
      const reports = matching(links.get(request.linkHash) ?? [])
        .map(toPublic)
        .reverse();
      return reports.length === 0 ? refuse({ reason: 'not-found' }) : accept(reports);
    },
  };
  return double;
}

function toPublic({ reportId, type, severity, text }: Stored): PublicReport {
  return { reportId, type, severity, text, createdAt: Date.UTC(2024, 4, 6, 7, 8, 9, 10), reporter: 'Example Shop' };
}

/** The same set gives the same hash whatever its order; forty hex characters are all that the rooms ask of it. */
function hashOf(identifiers: readonly Identifier[]): string {
  let sum = 0x9e3779b97f4a7c15n;
  const text = identifiers
    .map(({ hash }) => hash)
    .sort()
    .join();
  for (let index = 0; index < text.length; index += 1)
    sum = ((sum ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & ((1n << 160n) - 1n);
  return sum.toString(16).padStart(40, '0');
}
