import { count } from '../../core/domain/text.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import { bars, columns, legend, numbersOf, plot, toPercent, type Bar, type Plot } from '../../lab/page/chart.ts';
import { html } from '../../lab/page/markup.ts';
import { Day, Drawn, formatDay } from './parts.tsx';

/** Points at the full width or height, as in the meter of a score. */
const FULL = 100;
/** A shorter part of a bar is not visible, and has no entry in the legend. */
const MIN_PART = 0.05;

/** Bars of points. `names` says what their parts are, in their order. */
export function PointBars({
  all,
  names,
}: {
  readonly all: readonly Bar[];
  readonly names: Readonly<Record<string, string>>;
}) {
  const shown = Object.entries(names).filter(([style]) => all.some(({ parts }) => (parts[style] ?? 0) >= MIN_PART));
  const entries = shown.map(([style, name]) => ({ style, name }));
  return <Drawn of={html`${bars(all, FULL)}${legend(entries, `full width: ${FULL} points`)}`} />;
}

/** What one organisation adds to the points. */
interface Voice {
  readonly name: string;
  /** Whole points. Those of all voices add up to the points of the record. */
  readonly added: number;
  /** Whole points that open disputes take away, and then age. Added to the points of the record, at most 100. */
  readonly disputed: number;
  readonly faded: number;
  /** Number of its reports; undefined for several organisations. */
  readonly reported?: number;
  /** The same points before they were rounded: the lengths of the picture. */
  readonly exact: { readonly added: number; readonly disputed: number; readonly faded: number };
}

/** Draws what each organisation adds to the points, and what disputes and time take away. Each bar has its words. */
export function Voices({ record }: { readonly record: PublicRecord }) {
  const voices = toRounded(record);
  return (
    <div class="card">
      <PointBars
        names={{ added: 'counts', disputed: 'disputed', faded: 'faded with time' }}
        all={voices.map(({ exact: { added, disputed, faded }, ...voice }) => ({
          name: voice.name,
          value: voice.added === 0 ? 'less than 1 point' : count(voice.added, 'point'),
          parts: { added, disputed, faded },
          words: formatVoice(voice),
        }))}
      />
      {voices.length > 1 && (
        <p class="bar-name bar-sum">
          <span>Together</span> <b>{count(record.points, 'point')}</b>
        </p>
      )}
      {voices.some(({ disputed }) => disputed > 0) && (
        <p class="quiet">
          A disputed report counts half: it is taken as half as likely to be right. Its points may fall by more or less
          than half, because the points of all reports together are at most 100.
        </p>
      )}
    </div>
  );
}

/** Returns one voice for each organisation, and one for all that the record does not name. */
export function toRounded({ voices, points, reporters }: PublicRecord): Voice[] {
  const named = voices.reduce((sum, { added }) => sum + added, 0);
  const others = reporters - voices.length;
  const rest = { name: count(others, 'other organisation'), added: Math.max(0, points - named), disputed: 0, faded: 0 };
  const all = others > 0 ? [...voices, rest] : voices;
  const whole = apportion(
    all.map(({ added }) => added),
    points,
  );
  return all.map((voice, at) => {
    // Sums are rounded, not their parts: without a dispute, the heading would say the rounded sum.
    const undisputed = Math.round(points + voice.disputed);
    return {
      ...voice,
      added: whole[at]!,
      disputed: undisputed - points,
      faded: Math.round(points + voice.disputed + voice.faded) - undisputed,
      exact: voice,
    };
  });
}

/** The first number less the others is `added`, as the heading says it. */
export function formatVoice({ reported, added, disputed, faded }: Omit<Voice, 'name' | 'exact'>): string {
  if (reported === undefined) return 'Each has a small part.';
  const lost = [
    ...(disputed > 0 ? [`${disputed} for an open dispute`] : []),
    ...(faded > 0 ? [`${faded} that faded with time`] : []),
  ];
  const made = count(reported, 'report');
  if (lost.length === 0) return `${made}.`;
  return `${made}: ${count(added + disputed + faded, 'point')}, less ${lost.join(' and ')}.`;
}

/**
 * Rounds parts to whole numbers that add up to `total`, by largest remainder. The parts, which are not negative, add up
 * to about `total`.
 */
export function apportion(parts: readonly number[], total: number): number[] {
  const rounded = parts.map(Math.floor);
  const missing = total - rounded.reduce((sum, part) => sum + part, 0);
  const byRemainder = parts.map((part, at) => [part - Math.floor(part), at] as const).sort(([a], [b]) => b - a);
  for (const [, at] of byRemainder.slice(0, Math.max(0, missing))) rounded[at]!++;
  return rounded;
}

/** Heights in CSS pixels. Horizontal places are percentages, so the picture fits every screen without a script. */
const REPORTS_HEIGHT = 72;
const SCORES_HEIGHT = 120;
const DOT = 5;

/** Draws when reports were made, and how the points moved. A table has the same numbers. */
export function History({ record }: { readonly record: PublicRecord }) {
  const { history, reports, disputed, reported } = record;
  const first = history[0]!;
  const last = history.at(-1)!;
  const band = 1 / history.length;
  // A column stands at the middle of its band, and a report at its moment between the first and the last column.
  const placeOf = (at: number): string => {
    const share = (Math.min(Math.max(at, first.at), last.at) - first.at) / (last.at - first.at);
    return toPercent(band / 2 + share * (1 - band));
  };
  const dots = reports.map(({ reportId, createdAt, severity }) => {
    const style = disputed.includes(reportId) ? 'dot open' : 'dot added';
    const y = DOT + 1 + Math.round(((10 - severity) / 9) * (REPORTS_HEIGHT - 2 * DOT - 2));
    return html`<circle class="${style}" cx="${placeOf(createdAt)}" cy="${y}" r="${DOT}"/>`;
  });
  const before = history.map(({ points }, at) => (at < history.length - 1 ? points : 0));
  const now = history.map(({ points }, at) => (at < history.length - 1 ? 0 : points));
  const series = [
    { name: 'Points before', style: 'past', values: before },
    { name: 'Points', style: 'added', values: now },
  ];
  const pictures: readonly Plot[] = [
    {
      name: `${reports.length < reported ? 'Newest reports' : 'Reports'}, by severity`,
      height: REPORTS_HEIGHT,
      scale: [10, 1],
      marks: dots,
      margin: DOT + 1,
    },
    { name: 'Points', height: SCORES_HEIGHT, scale: [100, 50, 0], marks: columns(series, FULL, SCORES_HEIGHT) },
  ];
  const highest = history.reduce((most, one) => (one.points > most.points ? one : most));
  return (
    <figure class="card">
      <p>
        The oldest report that counts is of <Day at={first.at} />.{' '}
        {highest.points === last.points ? (
          <>The score has never been higher than now.</>
        ) : (
          <>
            The highest score was {count(highest.points, 'point')}, on <Day at={highest.at} />. Now it is {last.points}.
          </>
        )}
      </p>
      <Drawn of={plot('When reports were made, and the points over time', pictures, [formatDay(first.at), 'now'])} />
      <figcaption class="quiet">
        Computed from the reports that count today, with what is known today about the organisations.
        {disputed.length > 0 && ' A hollow dot is a report that is disputed now.'}
      </figcaption>
      <Drawn
        of={numbersOf('Points over time', {
          head: ['Day', 'Reports', 'Points'],
          rows: history.map((one) => [formatDay(one.at), one.reported, one.points]),
        })}
      />
    </figure>
  );
}
