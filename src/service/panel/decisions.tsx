import { REQUESTS_LISTED, type Dispute, type DisputeRequest } from '../../core/domain/dispute.ts';
import { Moment, type Column } from '../web/parts.tsx';
import type { PanelEngine, PanelRequest } from './page.ts';
import { TableCard } from './parts.tsx';

/** Splits disputes that are sorted newest first: open ones oldest first, decided ones newest decision first. */
export function splitDisputes(disputes: readonly Dispute[]): {
  readonly open: readonly Dispute[];
  readonly decided: readonly Dispute[];
} {
  return {
    open: disputes.filter(({ decidedAt }) => decidedAt === null).reverse(),
    decided: disputes
      .filter(({ decidedAt }) => decidedAt !== null)
      .sort((a, b) => (b.decidedAt ?? 0) - (a.decidedAt ?? 0)),
  };
}

/** What a person wrote, and when. It keeps its lines. `orElse` is in place of an empty text. */
export function QuotedText({
  text,
  orElse,
  at = null,
}: {
  readonly text: string;
  readonly orElse?: string;
  readonly at?: number | null;
}) {
  return (
    <>
      {text === '' ? <span class="quiet">{orElse}</span> : <span class="said">{text}</span>}
      {at !== null && (
        <span class="quiet">
          {' '}
          (<Moment at={at} />)
        </span>
      )}
    </>
  );
}

/** A table of decided disputes. `extra` is the column that only the operator or only the reporter sees. */
export function DecidedDisputes({
  disputes,
  empty,
  extra,
  to,
}: {
  readonly disputes: readonly Dispute[];
  /** Shown if there are none. */
  readonly empty: string;
  readonly extra: Column<Dispute>;
  /** For the operator: says who decided, and leads to the report. */
  readonly to?: PanelRequest['to'];
}) {
  return (
    <TableCard
      caption="Decided disputes, newest first"
      empty={empty}
      rows={disputes}
      keyOf={({ reportId, openedAt }) => `${reportId} ${openedAt}`}
      columns={[
        {
          title: 'Decided',
          cell: ({ decidedAt, decidedBy }) => (
            <>
              <Moment at={decidedAt ?? 0} />
              {to && ` by ${decidedBy}`}
            </>
          ),
        },
        {
          title: 'Decision',
          cell: ({ upheld }) =>
            upheld === true ? <span class="tag">upheld</span> : <span class="tag plain">rejected</span>,
        },
        extra,
        { title: 'Reason', isBlock: true, cell: ({ reason }) => reason !== '' && <span class="said">{reason}</span> },
        {
          title: 'Report',
          cell: ({ reportId }) => {
            const id = <code>{reportId}</code>;
            return to ? <a href={to(`reports?id=${reportId}`)}>{id}</a> : id;
          },
        },
      ]}
    />
  );
}

/** Requests read for one page of the panel. More wait only if persons have asked about as many reports. */
const MAX_REQUESTS = 10_000;

/**
 * Returns the requests for disputes that wait, oldest first: all of them, or those about live reports of one reporter.
 * It has nothing to do about a report that it deleted.
 */
export async function findRequests(
  engine: Pick<PanelEngine, 'listDisputeRequests' | 'findReports'>,
  reporterId?: string,
): Promise<readonly DisputeRequest[]> {
  const found: DisputeRequest[] = [];
  let after: DisputeRequest | undefined;
  for (let read = 0; read < MAX_REQUESTS; read += REQUESTS_LISTED) {
    const page = await engine.listDisputeRequests({ reporterId, after });
    after = page.at(-1);
    const reportIds = page.map(({ reportId }) => reportId);
    const live = reporterId && new Set((await engine.findReports({ reportIds })).map((report) => report.reportId));
    found.push(...page.filter(({ reportId }) => !live || live.has(reportId)));
    if (page.length < REQUESTS_LISTED) break;
  }
  return found;
}
