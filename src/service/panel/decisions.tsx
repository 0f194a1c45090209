import type { ComponentChildren } from 'preact';
import type { Dispute } from '../../core/domain/dispute.ts';
import { Moment, type Column } from '../web/parts.tsx';
import type { PanelRequest } from './page.ts';
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
  more,
}: {
  readonly disputes: readonly Dispute[];
  /** Shown if there are none. */
  readonly empty: string;
  readonly extra: Column<Dispute>;
  /** For the operator: says who decided, and leads to the report. */
  readonly to?: PanelRequest['to'];
  /** What can be done about a decision. */
  readonly more?: (dispute: Dispute) => ComponentChildren;
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
          cell: (dispute) => (
            <>
              {dispute.upheld === true ? <span class="tag">upheld</span> : <span class="tag plain">rejected</span>}
              {more?.(dispute)}
            </>
          ),
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
