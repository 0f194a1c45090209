import { formatWhole } from '../../../core/domain/text.ts';
import { ANSWER_ACTIONS, isFailure, type AnswerEvent } from '../../../core/http/answer-event.ts';
import { Drawn, Time } from '../../web/parts.tsx';
import { columnChart } from '../../../lab/page/chart.ts';
import type { HealthFigures, HealthHour } from '../health.ts';
import { Table } from '../parts.tsx';

/** What became of a request: answered, refused because of the request, or failed because of the service. */
type Fate = 'answered' | 'refused' | 'failed';

const FATES = [
  { fate: 'answered', name: 'Answered', style: 'one' },
  { fate: 'refused', name: 'Refused', style: 'two' },
  { fate: 'failed', name: 'Failed', style: 'three' },
] as const;

/** Actions in the words of the operator. */
const ACTIONS: Readonly<Record<AnswerEvent['action'], string>> = {
  query: 'Queries',
  report: 'Reports',
  delete: 'Deletions',
  viewer: 'Views of a link',
  other: 'Pages and others',
};
const REASONS_SHOWN = 12;

function fateOf(outcome: AnswerEvent['outcome']): Fate {
  if (outcome === 'ok') return 'answered';
  return isFailure(outcome) ? 'failed' : 'refused';
}

function sumOf(counts: HealthHour['counts'], fate: Fate): number {
  return counts.reduce((sum, { outcome, requests }) => sum + (fateOf(outcome) === fate ? requests : 0), 0);
}

/** The requests of the last day: per hour, by what they ask for, and why some were refused. */
export function Traffic({ figures: { hours, startedAt } }: { readonly figures: HealthFigures }) {
  const all = hours.flatMap(({ counts }) => counts);
  const [answered, refused, failed] = FATES.map(({ fate }) => formatWhole(sumOf(all, fate)));
  const actions = ANSWER_ACTIONS.map((action) => ({ action, counts: all.filter((one) => one.action === action) }));
  const reasons = new Map<string, number>();
  for (const { outcome, requests } of all)
    if (outcome !== 'ok') reasons.set(outcome, (reasons.get(outcome) ?? 0) + requests);
  const often = [...reasons].sort(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN);
  return (
    <div class="card">
      <Drawn
        of={columnChart(
          `Requests per hour: ${answered} answered, ${refused} refused and ${failed} failed in 24 hours`,
          {
            of: 'Hour (UTC)',
            labels: hours.map(({ startsAt }) => new Date(startsAt).toISOString().slice(11, 16)),
            series: FATES.map(({ fate, name, style }) => ({
              name,
              style,
              values: hours.map(({ counts }) => sumOf(counts, fate)),
            })),
          },
        )}
      />
      <Table
        isCompact
        caption="Requests by what they ask for"
        rows={actions}
        keyOf={({ action }) => action}
        columns={[
          { title: 'Request', cell: ({ action }) => ACTIONS[action] },
          ...FATES.map(({ fate, name }) => ({
            title: name,
            isNumber: true,
            cell: ({ counts }: (typeof actions)[number]) => formatWhole(sumOf(counts, fate)),
          })),
        ]}
      />
      {often.length > 0 && (
        <>
          <h3>Why requests were refused or failed</h3>
          <Table
            isCompact
            caption="Refused and failed requests by reason"
            rows={often}
            keyOf={([reason]) => reason}
            columns={[
              { title: 'Reason', cell: ([reason]) => <code>{reason}</code> },
              { title: 'Requests', isNumber: true, cell: ([, requests]) => formatWhole(requests) },
            ]}
          />
        </>
      )}
      <p class="quiet">
        Counted by this process since <Time at={startedAt} />. Refused: the request was wrong or over a limit. Failed:
        the service could not answer.
      </p>
    </div>
  );
}
