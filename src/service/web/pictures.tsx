import type { PublicRecord } from '../../core/domain/public-record.ts';
import { bars, columns, legend, numbersOf, plot, toPercent, type Bar, type Plot } from '../../lab/page/chart.ts';
import { html } from '../../lab/page/markup.ts';
import { Day, Drawn } from './parts.tsx';
import { useWords } from './spoken.ts';
import type { Words } from './words.ts';

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
  const note = useWords().say('voices.fullWidth', { most: FULL });
  return <Drawn of={html`${bars(all, FULL)}${legend(entries, note)}`} />;
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
  const words = useWords();
  const voices = toRounded(record, words);
  return (
    <div class="card">
      <PointBars
        names={{
          added: words.say('voices.added'),
          disputed: words.say('voices.disputed'),
          faded: words.say('voices.faded'),
        }}
        all={voices.map(({ exact: { added, disputed, faded }, ...voice }) => ({
          name: voice.name,
          value: voice.added === 0 ? words.say('voices.small') : words.count('points', voice.added),
          parts: { added, disputed, faded },
          words: formatVoice(voice, words),
        }))}
      />
      {voices.length > 1 && (
        <p class="bar-name bar-sum">
          <span>{words.say('voices.together')}</span> <b>{words.count('points', record.points)}</b>
        </p>
      )}
      {voices.some(({ disputed }) => disputed > 0) && <p class="quiet">{words.say('voices.half')}</p>}
    </div>
  );
}

/** Returns one voice for each organisation, and one for all that the record does not name. */
export function toRounded({ voices, points, reporters }: PublicRecord, words: Words): Voice[] {
  const named = voices.reduce((sum, { added }) => sum + added, 0);
  const others = reporters - voices.length;
  const name = words.count('otherOrganisations', others);
  const rest = { name, added: Math.max(0, points - named), disputed: 0, faded: 0 };
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
export function formatVoice({ reported, added, disputed, faded }: Omit<Voice, 'name' | 'exact'>, words: Words): string {
  if (reported === undefined) return words.say('voices.others');
  const lost = [
    ...(disputed > 0 ? [words.say('voices.lostToDispute', { lost: disputed })] : []),
    ...(faded > 0 ? [words.say('voices.lostToAge', { lost: faded })] : []),
  ];
  const reports = words.count('reports', reported);
  if (lost.length === 0) return words.say('voices.whole', { reports });
  const points = words.count('points', added + disputed + faded);
  return words.say('voices.less', { reports, points, lost: words.list(lost) });
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
  const words = useWords();
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
    { name: 'before', style: 'past', values: before },
    { name: 'now', style: 'added', values: now },
  ];
  const pictures: readonly Plot[] = [
    {
      name: words.say(reports.length < reported ? 'history.newestBySeverity' : 'history.bySeverity'),
      height: REPORTS_HEIGHT,
      scale: [10, 1],
      marks: dots,
      margin: DOT + 1,
    },
    {
      name: words.say('figures.points'),
      height: SCORES_HEIGHT,
      scale: [100, 50, 0],
      marks: columns(series, FULL, SCORES_HEIGHT),
    },
  ];
  const highest = history.reduce((most, one) => (one.points > most.points ? one : most));
  return (
    <figure class="card">
      <p>
        {words.show('history.oldest', { day: <Day at={first.at} /> })}{' '}
        {highest.points === last.points
          ? words.say('history.neverHigher')
          : words.show('history.highest', {
              points: words.count('points', highest.points),
              day: <Day at={highest.at} />,
              now: last.points,
            })}
      </p>
      <Drawn of={plot(words.say('history.picture'), pictures, [words.day(first.at), words.say('history.now')])} />
      <figcaption class="quiet">
        {words.say('history.computed')}
        {disputed.length > 0 && ` ${words.say('history.hollow')}`}
      </figcaption>
      <Drawn
        of={numbersOf(words.say('history.table'), {
          open: words.say('history.numbers'),
          head: [words.say('history.day'), words.say('figures.reports'), words.say('figures.points')],
          rows: history.map((one) => [words.day(one.at), one.reported, one.points]),
        })}
      />
    </figure>
  );
}
