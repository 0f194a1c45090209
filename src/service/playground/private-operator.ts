import { createRandom } from '../../core/crypto/random.ts';
import { createFetchHandler } from '../../http.ts';
import { retryHeaders } from '../../core/http/status.ts';
import { OFFENCE_TYPES } from '../../index.ts';
import type { DatedReport } from '../../store.ts';
import { wordRefusal } from '../../protocol.ts';
import { LINK_CLAIM_CONSTANTS } from '../../scoring.ts';
import { createNobleGroup } from '../../sealed/group/noble.ts';
import { createKeys, sealInput } from '../../sealed/keys.ts';
import { operatorPublicKey } from '../../sealed/manifest.ts';
import { toHex, toInput } from '../../sealed/encoding.ts';
import { createSealedOperations } from '../../sealed/engine/operations.ts';
import { createSealedEndpoints } from '../../sealed/service/endpoints.ts';
import { createMemoryPublications } from '../../sealed/service/memory-publications.ts';
import { createPace } from '../../sealed/service/pace.ts';
import { createPublisher } from '../../sealed/service/publisher.ts';
import { toPublishedRules } from '../../sealed/service/rules.ts';
import type { SourceRow } from '../../sealed/service/source.ts';
import type { Session } from './session.ts';

const PAGE = 50;

/** The operator of the private look-up, for the reports of a session. Keys and publications are in memory. */
export interface PrivateOperator {
  /** Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Publishes all reports as they are now. Returns the number of rows. */
  publish(): Promise<number>;
  /** Answers requests to the service. */
  readonly handle: (request: Request) => Promise<Response>;
}

/** Returns an operator with fresh keys. */
export function createPrivateOperator({ engine, store }: Session): PrivateOperator {
  const group = createNobleGroup();
  const random = createRandom();
  const keys = createKeys(group, Date.now(), random);
  const publications = createMemoryPublications();
  const elements = new Map<string, string>();
  const pace = createPace(giveTurn, () => performance.now());
  const elementOf = (hash: string): string => {
    const known = elements.get(hash) ?? toHex(sealInput(group, keys, toInput(hash)));
    elements.set(hash, known);
    return known;
  };

  async function* readRows(): AsyncIterable<readonly SourceRow[]> {
    for (let after: DatedReport | undefined, page: DatedReport[]; ; after = page.at(-1)) {
      page = await store.readReports({ from: 0, after, limit: PAGE });
      const ids = page.map(({ reportId }) => reportId);
      const reports = new Map((await store.findReports(ids)).map((report) => [report.reportId, report]));
      const rows: SourceRow[] = [];
      for (const { reportId, reporterId, kind, hash } of await store.findIdentifiers(ids)) {
        const { type, severity, createdAt } = reports.get(reportId)!;
        const element = elementOf(hash);
        rows.push({ element, reportId, reporterId, kind, type, severity, createdAt, disputeOpen: false });
        if (pace.isDue()) await pace.turn();
      }
      yield rows;
      if (page.length < PAGE) return;
    }
  }

  const publisher = createPublisher({
    group,
    keys: () => keys,
    source: {
      readRows,
      countUnsealed: async () => 0,
      readReporters: async () => new Map((await engine.listStandings()).map((one) => [one.reporterId, one])),
    },
    store: publications.store,
    rules: toPublishedRules({ constants: LINK_CLAIM_CONSTANTS, types: OFFENCE_TYPES, matchKinds: 'any' }),
    clock: Date.now,
    pace,
  });
  const beside = createSealedEndpoints({
    group,
    keys: () => keys,
    files: publications.reader,
    service: createSealedOperations(engine),
    wordRefusal,
    retryHeaders,
    clock: Date.now,
    random,
    giveTurn,
    // The reply says so, and the page shows it.
    onError: () => undefined,
  });
  return {
    publicKey: operatorPublicKey(keys.operatorKey),
    publish: async () => (await publisher.publish()).rows,
    handle: createFetchHandler(engine, { beside }),
  };
}

function giveTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
