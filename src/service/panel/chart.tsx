import { formatWhole } from '../web/words.tsx';

/** One series of a {@link BarChart}. Series of a bar are above each other, the first one at the bottom. */
export interface Series {
  /** Name in the legend and in the table of numbers. */
  readonly name: string;
  /** Class of the style for its colour: `one`, `two` or `three`. */
  readonly colour: 'one' | 'two' | 'three';
  /** One value per bar. */
  readonly values: readonly number[];
}

const WHOLE_STEPS = [1, 2, 3, 4, 5, 6, 8, 10];
const HEIGHT = 100;
/** Width of a bar and its gap, in units of the picture. The picture is stretched to the width of the page. */
const STEP = 10;
const BAR = 8;
/** A value above zero is visible next to a large one. */
const LEAST = 1.5;

/**
 * Bars of one or several series. The picture has no text, because it is stretched; the labels are below it. Its numbers
 * are in a table that the person can open, for those who cannot see the picture.
 */
export function BarChart({
  summary,
  of,
  labels,
  series,
}: {
  /** What the picture shows, in one sentence with its main numbers. */
  readonly summary: string;
  /** What a bar stands for, such as `Hour`. */
  readonly of: string;
  /** One label per bar. The first, the middle and the last one are shown. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}) {
  const most = toCeiling(
    Math.max(0, ...labels.map((_, at) => series.reduce((sum, { values }) => sum + values[at]!, 0))),
  );
  return (
    <figure class="chart">
      <figcaption>
        {series.length > 1 &&
          series.map(({ name, colour }) => (
            <span key={name} class="legend">
              <svg class={colour} width="12" height="12" aria-hidden="true">
                <rect width="12" height="12" rx="3" />
              </svg>
              {name}
            </span>
          ))}
        <span class="quiet">up to {formatWhole(most)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={summary}
        width="100%"
        height="140"
        viewBox={`0 0 ${labels.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {labels.map((label, at) => (
          <Bar key={label} at={at} most={most} series={series} />
        ))}
      </svg>
      <div class="axis quiet" aria-hidden="true">
        {[labels[0], labels[Math.floor(labels.length / 2)], labels.at(-1)].map((label, at) => (
          <span key={at}>{label}</span>
        ))}
      </div>
      <details>
        <summary>The numbers</summary>
        <div class="scroll" tabindex={0} role="region" aria-label={`Numbers: ${summary}`}>
          <table>
            <caption class="unseen">{summary}</caption>
            <thead>
              <tr>
                <th scope="col">{of}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, at) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ name, values }) => (
                    <td key={name} class="number">
                      {formatWhole(values[at]!)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Bar({ at, most, series }: { readonly at: number; readonly most: number; readonly series: readonly Series[] }) {
  let top = HEIGHT;
  return (
    <>
      {series.map(({ name, colour, values }) => {
        const value = values[at]!;
        if (value === 0) return null;
        const height = Math.min(Math.max(LEAST, (value / most) * HEIGHT), top);
        top -= height;
        return (
          <rect
            key={name}
            class={colour}
            x={at * STEP + (STEP - BAR) / 2}
            y={round(top)}
            width={BAR}
            height={round(height)}
          />
        );
      })}
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns a round number that is not below `most`, and at least 1: the top of the picture. */
export function toCeiling(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const steps = unit === 1 ? WHOLE_STEPS : [1, 1.5, ...WHOLE_STEPS];
  return steps.map((times) => times * unit).find((top) => top >= most)!;
}
