import type { Dispute } from '../../core/domain/dispute.ts';
import { Moment } from '../web/parts.tsx';
import { Empty, Table, type Column } from './parts.tsx';

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

/** A table of decided disputes. `extra` is the column that only the operator or only the reporter sees. */
export function DecidedDisputes({
  disputes,
  empty,
  extra,
  showsOperator = false,
}: {
  readonly disputes: readonly Dispute[];
  /** Shown if there are none. */
  readonly empty: string;
  readonly extra: Column<Dispute>;
  /** True to say who decided. */
  readonly showsOperator?: boolean;
}) {
  if (disputes.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div class="card">
      <Table
        caption="Decided disputes, newest first"
        rows={disputes}
        keyOf={({ reportId, openedAt }) => `${reportId} ${openedAt}`}
        columns={[
          { title: 'Report', cell: ({ reportId }) => <code>{reportId}</code> },
          {
            title: 'Decision',
            cell: ({ upheld }) =>
              upheld === true ? <span class="tag">upheld</span> : <span class="tag plain">rejected</span>,
          },
          extra,
          {
            title: 'Decided',
            cell: ({ decidedAt, decidedBy }) => (
              <>
                <Moment at={decidedAt ?? 0} />
                {showsOperator && ` by ${decidedBy}`}
              </>
            ),
          },
          { title: 'Reason', isBlock: true, cell: ({ reason }) => reason !== '' && <span class="said">{reason}</span> },
        ]}
      />
    </div>
  );
}
