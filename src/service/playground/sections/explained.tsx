import type { QueryExplanation } from '../../../operator.ts';
import { PointBars } from '../../web/pictures.tsx';

/** Less is not shown with one decimal. */
const LEAST = 0.05;

/** Draws what each voice adds and what has faded, and says it in sentences. */
export function Explained({
  now,
  unfaded,
}: {
  readonly now: QueryExplanation;
  /** The same answer if nothing faded with age. */
  readonly unfaded: QueryExplanation;
}) {
  const full = new Map(unfaded.voices.map(({ reporterId, points }) => [reporterId, points.part]));
  return (
    <>
      {now.voices.length > 0 && (
        <>
          <h4>What each voice adds</h4>
          <PointBars
            names={{ added: 'adds now', faded: 'faded with age' }}
            all={now.voices.map(({ reporterId, points: { part }, standing }) => {
              const faded = Math.max(0, (full.get(reporterId) ?? part) - part);
              return {
                name: now.names[reporterId] ?? 'A reporter',
                value: `${part.toFixed(1)} points`,
                parts: { added: part, faded },
                words:
                  (standing.verified ? 'Verified.' : 'Not verified.') +
                  (faded < LEAST ? '' : ` ${faded.toFixed(1)} points faded with age.`),
              };
            })}
          />
        </>
      )}
      <h4>In words</h4>
      <ul>
        {now.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
