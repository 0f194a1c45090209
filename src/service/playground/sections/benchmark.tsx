import { formatWhole } from '../../../core/domain/text.ts';
import { useState } from 'preact/hooks';
import { bars } from '../../../lab/page/chart.ts';
import { Drawn } from '../../web/parts.tsx';
import { measure, type Speed } from '../benchmark.ts';
import type { Desk } from '../desk.ts';
import { useMessage } from '../parts.tsx';

/** Measures how fast the visitor's machine hashes. */
export function Benchmark({ desk }: { readonly desk: Desk }) {
  const [speeds, setSpeeds] = useState<readonly Speed[]>([]);
  const [isRunning, setRunning] = useState(false);
  const message = useMessage();
  const run = async (): Promise<void> => {
    setSpeeds([]);
    setRunning(true);
    try {
      await measure(desk.threads, (speed) => setSpeeds((before) => [...before, speed]));
      message.tell('The measurement is complete.');
    } finally {
      setRunning(false);
    }
  };
  const most = Math.max(1, ...speeds.map(({ identifiersPerSecond }) => identifiersPerSecond));
  return (
    <>
      <h2>How fast is this machine?</h2>
      <p>
        An identifier takes 32,000 rounds, one after the other. A shop hashes one or a few for each order; a thief who
        guesses addresses needs millions. Close other programs first, because they slow the measurement.
      </p>
      <p class="actions">
        <button type="button" class="button primary" disabled={isRunning} onClick={() => message.attempt(run)}>
          {isRunning ? 'Measuring…' : 'Measure'}
        </button>
      </p>
      {message.shown}
      {speeds.length > 0 && (
        <section class="card">
          <h3>Identifiers a second</h3>
          <Drawn
            of={bars(
              speeds.map(({ name, identifiersPerSecond, roundsPerSecond }) => ({
                name,
                value: formatWhole(identifiersPerSecond),
                parts: { speed: identifiersPerSecond },
                words: `${(roundsPerSecond / 1e6).toFixed(1)} million rounds`,
              })),
              most,
            )}
          />
        </section>
      )}
    </>
  );
}
