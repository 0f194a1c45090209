import { count } from '../../core/domain/text.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import { apportion } from './apportion.ts';
import { Bars } from './bars.tsx';

const LEGEND = { added: 'counts', disputed: 'disputed', faded: 'faded with time' };

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
      <Bars
        legend={LEGEND}
        bars={voices.map((voice) => ({
          name: voice.name,
          value: voice.added === 0 ? 'less than 1 point' : count(voice.added, 'point'),
          parts: voice.exact,
          words: wordVoice(voice),
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
export function wordVoice({ reported, added, disputed, faded }: Omit<Voice, 'name' | 'exact'>): string {
  if (reported === undefined) return 'Each has a small part.';
  const lost = [
    ...(disputed > 0 ? [`${disputed} for an open dispute`] : []),
    ...(faded > 0 ? [`${faded} that faded with time`] : []),
  ];
  const made = count(reported, 'report');
  if (lost.length === 0) return `${made}.`;
  return `${made}: ${count(added + disputed + faded, 'point')}, less ${lost.join(' and ')}.`;
}
