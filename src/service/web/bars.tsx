/** What a part of a bar shows, in the classes of the style: what counts, what a dispute or age takes away. */
export type BarPart = 'added' | 'disputed' | 'faded';

/** One line of {@link Bars}. */
export interface Bar {
  readonly name: string;
  /** The main number in words, such as `12 points`. */
  readonly value: string;
  /** Lengths of the parts, from the left. */
  readonly parts: Readonly<Partial<Record<BarPart, number>>>;
  /** What the picture shows, in words. */
  readonly words: string;
}

const PARTS: readonly BarPart[] = ['added', 'disputed', 'faded'];
/** Points at the full width, as in the meter of a score. */
const FULL = 100;
/** A shorter part is not visible, and has no entry in the legend. */
const LEAST = 0.05;

/** Bars with a name, a number and words. The words say what the picture shows, so screen readers skip the picture. */
export function Bars({
  bars,
  legend,
}: {
  readonly bars: readonly Bar[];
  readonly legend: Readonly<Record<BarPart, string>>;
}) {
  const shown = PARTS.filter((part) => bars.some(({ parts }) => (parts[part] ?? 0) >= LEAST));
  return (
    <>
      <ul class="bars">
        {bars.map(({ name, value, parts, words }, at) => (
          <li key={at}>
            <p class="bar-name">
              <span>{name}</span> <b>{value}</b>
            </p>
            <Strip lengths={PARTS.map((part) => [part, parts[part] ?? 0])} most={FULL} />
            <p class="quiet">{words}</p>
          </li>
        ))}
      </ul>
      <ul class="swatches quiet" aria-hidden="true">
        {shown.map((part) => (
          <li key={part}>
            <svg width="14" height="14" focusable="false">
              <rect class={part} x="1" y="1" width="12" height="12" rx="2" />
            </svg>{' '}
            {legend[part]}
          </li>
        ))}
        <li>full width: {FULL} points</li>
      </ul>
    </>
  );
}

/** A bar of parts that fill it from the left. `most` is the value of the full width. */
export function Strip({
  lengths,
  most,
}: {
  readonly lengths: readonly (readonly [style: string, length: number])[];
  readonly most: number;
}) {
  let from = 0;
  return (
    <svg class="strip" width="100%" height="16" aria-hidden="true" focusable="false">
      <rect class="track" width="100%" height="16" rx="3" />
      {lengths.map(([style, length]) => {
        const x = toPercent(from / most);
        from += length;
        return length > 0 && <rect key={style} class={style} x={x} width={toPercent(length / most)} height="16" />;
      })}
    </svg>
  );
}

/** Returns a share from 0 to 1 as a length of SVG. */
export function toPercent(share: number): string {
  return `${Math.round(Math.max(0, Math.min(1, share)) * 10_000) / 100}%`;
}
