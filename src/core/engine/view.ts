import { isCode, isHash, type Identifier } from '../domain/identifier.ts';
import { requireString } from '../domain/options.ts';
import { protectsNow } from '../domain/protection.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { EngineContext } from './context.ts';
import { addressBucket } from './limits.ts';
import type { CachedView } from './views.ts';

/** Reports that are read and measured in one turn of the event loop: at most 256 KiB of text. */
const REPORTS_AT_ONCE = 32;
/** What the viewer's JSON has beside the JSON of the reports: the envelope, and per report longer names and a time. */
const ENVELOPE_BYTES = 64;
const RECORD_BYTES = 32;

/** A link that shows something. */
export interface VisibleLink {
  /** Who asks: the network of the client, of which anyone with IPv6 has many in one /48. */
  readonly owner: string | undefined;
  readonly linkHash: string;
  /** As they are stored, without protected ones. At least one. */
  readonly identifiers: readonly Identifier[];
  /** The identifiers as one text, the same for the same identifiers. */
  readonly identifiersKey: string;
}

/** A request to see what is behind a link, given by its hash or its viewer code. */
export interface ViewRequest {
  readonly linkHash: string;
  readonly client?: string | undefined;
}

/** Counts the request against the limit of its address, and returns the link. */
export async function findVisibleLink(
  context: EngineContext,
  { linkHash: given, client }: ViewRequest,
): Promise<Outcome<VisibleLink>> {
  const { store, limits } = context;
  if (client !== undefined) {
    requireString('client', client);
    const allowed = await limits.throttles.viewer.take(addressBucket(client));
    if (!allowed.ok) return allowed;
  }
  const linkHash = isCode(given) ? await store.findLinkHash(given) : given;
  if (!isHash(linkHash)) return refuse({ reason: 'not-found' });
  const linked = await store.findLink(linkHash);
  if (!linked) return refuse({ reason: 'not-found' });
  const identifiers = await withoutProtected(context, linked);
  if (identifiers.length === 0) return refuse({ reason: 'not-found' });
  const owner = client && addressBucket(client, 48);
  return accept({ owner, linkHash, identifiers, identifiersKey: namesOf(identifiers) });
}

/**
 * Returns the live reports behind a link, given by its hash or its viewer code, newest first (protocol 4.5): at most
 * `bounds.viewReports` of them, and at most `bounds.viewBytes` of JSON, but always one. Leaves out reports in a fair
 * order: each reporter's newest report stays first. Returns the same array as long as it has the same reports. Refuses
 * with `overloaded` if too many views read reports.
 */
export async function view(context: EngineContext, request: ViewRequest): Promise<Outcome<readonly PublicReport[]>> {
  const linked = await findVisibleLink(context, request);
  if (!linked.ok) return linked;
  const link = linked.value;
  const kept = cachedView(context, link);
  if (kept) return outcomeOf(kept);
  return context.views.inTurn(
    `view ${link.linkHash} ${link.identifiersKey}`,
    () => viewInTurn(context, link),
    link.owner,
  );
}

/** {@link view} of a link that was found, for a caller that has one of the turns of views. */
export async function viewInTurn(context: EngineContext, link: VisibleLink): Promise<Outcome<readonly PublicReport[]>> {
  // Another view of the same link may have read it meanwhile.
  return outcomeOf(cachedView(context, link) ?? (await read(context, link)));
}

/** Returns the kept view if the store would return the same reports again; undefined if only the store can tell. */
function cachedView(
  { store, views }: EngineContext,
  { linkHash, identifiers, identifiersKey }: VisibleLink,
): CachedView | undefined {
  const kept = views.get(linkHash);
  if (kept?.stamp === undefined || kept.identifiersKey !== identifiersKey) return undefined;
  return kept.stamp === stampOf(store, identifiers) ? kept : undefined;
}

function outcomeOf({ reports }: CachedView): Outcome<readonly PublicReport[]> {
  return reports.length === 0 ? refuse({ reason: 'not-found' }) : accept(reports);
}

/** Protected hashes match nothing. */
async function withoutProtected(
  { store, effects }: EngineContext,
  linked: readonly Identifier[],
): Promise<Identifier[]> {
  const protections = await store.findProtections([...new Set(linked.map(({ hash }) => hash))]);
  const atMs = effects.clock();
  return linked.filter(({ hash }) => !protections.some((one) => one.hash === hash && protectsNow(one, atMs)));
}

function namesOf(identifiers: readonly Identifier[]): string {
  return identifiers
    .map(({ kind, hash }) => `${hash} ${kind}`)
    .sort()
    .join();
}

function stampOf({ stampOf }: EngineContext['store'], identifiers: readonly Identifier[]): number | undefined {
  return stampOf?.(identifiers.map(({ hash }) => hash));
}

/** Reads a view, and keeps it. If the store names the same reports as before, it is not asked for their texts again. */
async function read(
  context: EngineContext,
  { linkHash, identifiers, identifiersKey }: VisibleLink,
): Promise<CachedView> {
  const { store, views, settings } = context;
  const stamp = stampOf(store, identifiers);
  const keep = views.keeper();
  const reportIds = await store.findNewest({
    identifiers,
    exactKinds: settings.matchKinds === 'exact',
    limit: settings.bounds.viewReports,
  });
  const before = views.get(linkHash);
  const isSame = before?.reportIds.join() === reportIds.join();
  const content = isSame ? { ...before, isWhole: true } : await readReports(context, reportIds);
  const kept = { ...content, identifiersKey, reportIds, stamp };
  // A report that was gone when it was read may come back, if its deletion could not be saved.
  if (content.isWhole) keep(linkHash, kept);
  return kept;
}

/**
 * Reads reports in the given order until they exceed the bound in bytes, and returns them newest first. Lets other work
 * run between slices.
 */
async function readReports(
  { store, settings, effects }: EngineContext,
  reportIds: readonly string[],
): Promise<Pick<CachedView, 'reports' | 'bytes'> & { readonly isWhole: boolean }> {
  const encoder = new TextEncoder();
  const reports: PublicReport[] = [];
  let bytes = ENVELOPE_BYTES;
  let isWhole = true;
  let end = reportIds.length;
  for (let from = 0; from < end; from += REPORTS_AT_ONCE) {
    if (from > 0) await effects.giveTurn();
    const asked = reportIds.slice(from, from + REPORTS_AT_ONCE);
    const found = await store.findReports(asked);
    isWhole &&= found.length === asked.length;
    for (const report of found.sort((a, b) => asked.indexOf(a.reportId) - asked.indexOf(b.reportId))) {
      const size = encoder.encode(JSON.stringify(report)).length + RECORD_BYTES;
      if (reports.length > 0 && bytes + size > settings.bounds.viewBytes) {
        end = 0;
        break;
      }
      reports.push(Object.freeze(report));
      bytes += size;
    }
  }
  return { reports: Object.freeze(reports.sort((a, b) => b.createdAt - a.createdAt)), bytes, isWhole };
}
