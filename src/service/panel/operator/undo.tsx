import type { Dispute } from '../../../core/domain/dispute.ts';
import { isCode } from '../../../core/domain/identifier.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import { UNDO_MS } from '../../../operator/disputes.ts';
import { nameOfType } from '../../web/parts.tsx';
import { ENGLISH } from '../../web/spoken.ts';
import type { PanelRequest } from '../page.ts';
import { ActionForm } from '../parts.tsx';

/** Most reports of a case that one page shows, and one form decides. */
export const MAX_REPORTS = 50;

/**
 * Returns a decision with the case that it is about, such as `Upheld: fraud of 3 Nov 2026, First Shop (1 report)`.
 * `live`: those of the reports that are not deleted.
 */
export function nameDecision(upheld: boolean, reportIds: readonly string[], live: readonly PublicReport[]): string {
  return `${upheld ? 'Upheld' : 'Rejected'}: ${nameCase(live)} (${count(reportIds.length, 'report')})`;
}

/** Returns what a case is about: its first report, and how many other organisations reported. */
export function nameCase(live: readonly PublicReport[]): string {
  const first = live.at(-1);
  if (!first) return 'a deleted report';
  const others = new Set(live.map(({ reporter }) => reporter)).size - 1;
  const more = others > 0 ? ` and ${count(others, 'other')}` : '';
  return `${nameOfType(first.type)} of ${ENGLISH.day(first.createdAt)}, ${first.reporter}${more}`;
}

/** Returns the newest dispute of each report, if it was decided within the last ten minutes: oldest first. */
export function undoable({ nowMs }: PanelRequest, disputes: readonly Dispute[]): Dispute[] {
  const newest = new Map<string, Dispute>();
  for (const dispute of disputes)
    if (dispute.openedAt > (newest.get(dispute.reportId)?.openedAt ?? -1)) newest.set(dispute.reportId, dispute);
  return [...newest.values()].reverse().filter(({ decidedAt }) => decidedAt !== null && nowMs - decidedAt < UNDO_MS);
}

/** Reports of one case are decided one after the other. A person cannot decide two cases so soon after each other. */
const TOGETHER_MS = 300;

/** Returns decisions that were made together: the newest of each group first. */
export function groupDecisions(disputes: readonly Dispute[]): (readonly Dispute[])[] {
  const groups: Dispute[][] = [];
  for (const dispute of [...disputes].sort((a, b) => b.decidedAt! - a.decidedAt!)) {
    const group = groups.find(([first]) => first!.decidedBy === dispute.decidedBy && first!.upheld === dispute.upheld);
    if (group && group.at(-1)!.decidedAt! - dispute.decidedAt! <= TOGETHER_MS) group.push(dispute);
    else groups.unshift([dispute]);
  }
  return groups;
}

/** Returns the field of a query that names a decision, so that the page can offer to take it back; '' for none. */
export const queryOf = (reportIds: readonly string[]): string =>
  reportIds.length === 0 ? '' : `&decided=${reportIds.join()}`;

/** Returns the disputes of the decision that the query names, while it can be taken back. */
export function lastDecision(request: PanelRequest, disputes: readonly Dispute[]): Dispute[] {
  const named = new Set((request.fields.get('decided') ?? '').split(',').slice(0, MAX_REPORTS).filter(isCode));
  return undoable(request, disputes).filter((one) => named.has(one.reportId) && one.decidedBy === request.visitor.name);
}

/** The button that takes decisions back. `last`: the live reports of the last case, whose button has the single key. */
export function Undo({
  disputes,
  request: { form, to, said },
  last,
}: {
  readonly disputes: readonly Dispute[];
  readonly request: PanelRequest;
  readonly last?: readonly PublicReport[];
}) {
  const isLast = last !== undefined;
  const [first] = disputes;
  if (!first) return null;
  const reportIds = disputes.map(({ reportId }) => reportId);
  const all = isLast || reportIds.length === 1 ? 'Undo' : `Undo all ${reportIds.length}`;
  return (
    <ActionForm
      act={form('undo')}
      page={to(`disputes?list=${isLast ? 'open' : 'decided'}`)}
      ids={{
        ...(isLast ? {} : { reportId: first.reportId, list: 'decided' }),
        reportIds: reportIds.join(),
        seen: disputes.map(({ decidedAt }) => decidedAt).join(),
      }}
      back="case"
      button={
        <>
          {all}
          {isLast && <span class="by-keyboard"> (z)</span>}
        </>
      }
      label={isLast ? undefined : `${all}: the decision about report ${first.reportId}`}
      keyName={isLast ? 'z' : undefined}
      attributes={{ class: 'undo' }}
    >
      {isLast && (
        <p>
          {said?.at === 'case' && said.isDone
            ? 'You can take it back for ten minutes.'
            : `${nameDecision(first.upheld === true, reportIds, last)}.`}
        </p>
      )}
    </ActionForm>
  );
}
