import type { ActivityMonth } from '../../operator/activity.ts';
import type { ReporterUsage } from '../../operator/own-reports.ts';
import { count, formatWhole } from '../../core/domain/text.ts';
import { columnChart } from '../../lab/page/chart.ts';
import { Drawn, Facts } from '../web/parts.tsx';
import { Meter } from './parts.tsx';

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  query: 'Identifiers in queries',
  report: 'Reports',
  delete: 'Deletions',
};

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Reports and look-ups of the last months, from the store. */
export function Months({ months }: { readonly months: readonly ActivityMonth[] }) {
  const labels = months.map(({ startsAt }) => MONTH.format(startsAt));
  const draw = (name: string, none: string, values: readonly number[]) => (
    <Drawn
      of={columnChart(`${name}: ${formatWhole(values.reduce((sum, value) => sum + value, 0))}`, {
        of: 'Month (UTC)',
        labels,
        series: [{ name, style: 'one', values }],
        none,
      })}
    />
  );
  return (
    <div class="card">
      {draw(
        'Reports',
        'No reports in these months.',
        months.map(({ reports }) => reports),
      )}
      <div class="after">
        {draw(
          'Identifiers looked up',
          'Nothing was looked up in these months.',
          months.map(({ identifiers }) => identifiers),
        )}
      </div>
      <p class="quiet after">From the store, without deleted reports, by month of UTC. The last month is not over.</p>
    </div>
  );
}

/** How much of its budget a reporter uses, and its limits. */
export function Usage({
  usage: { identifiersPerDay, identifiersToday, days, limits },
  note,
}: {
  readonly usage: ReporterUsage;
  /** What to do if the limits are wrong. */
  readonly note: string;
}) {
  const used = `${formatWhole(identifiersToday)} of ${formatWhole(identifiersPerDay)}`;
  const total = days.reduce((sum, { identifiers }) => sum + identifiers, 0);
  return (
    <div class="card">
      <dl class="figures">
        <div>
          <dt>Identifiers in queries today (UTC)</dt>
          <dd>
            {formatWhole(identifiersToday)} <small>of {formatWhole(identifiersPerDay)}</small>
            <Meter
              value={Math.min(identifiersToday, identifiersPerDay)}
              max={identifiersPerDay}
              label={`${used} identifiers today`}
              isRisk={identifiersToday > 0.9 * identifiersPerDay}
            />
          </dd>
        </div>
      </dl>
      <h3>The last {count(days.length, 'day')}</h3>
      <Drawn
        of={columnChart(`${formatWhole(total)} identifiers in queries in ${days.length} days`, {
          of: 'Day',
          labels: days.map(({ dayAt }) => new Date(dayAt).toISOString().slice(0, 10)),
          series: [{ name: 'Identifiers', style: 'one', values: days.map(({ identifiers }) => identifiers) }],
          none: 'No queries.',
        })}
      />
      <h3>Limits</h3>
      <Facts
        of={limits.map(({ name, requests, windowSeconds }) => [
          LIMIT_NAMES[name] ?? name,
          `${formatWhole(requests)} ${windowSeconds === 60 ? 'a minute' : `in ${formatWhole(windowSeconds)} seconds`}`,
        ])}
      />
      <p class="quiet">
        The limits are over all keys together. In any 24 hours, identifiers in queries and in stored reports share the{' '}
        {formatWhole(identifiersPerDay)}. Limits of a minute are not counted here: a refused request says when to retry.{' '}
        {note}
      </p>
    </div>
  );
}
