import type { Verdict } from '../../core/domain/verdict.ts';

/** The three numbers of an answer. */
export function Figures({ points, reliability, reported }: Pick<Verdict, 'points' | 'reliability' | 'reported'>) {
  const rounded = reliability.toFixed(1);
  return (
    <dl class="figures">
      <div>
        <dt>Points</dt>
        <dd>
          <span data-figure="points">{points}</span> <small>of 100</small>
          <meter class="risk" min={0} max={100} value={points} aria-label={`${points} of 100 points`} />
        </dd>
      </div>
      <div>
        <dt>Reliability</dt>
        <dd>
          <span data-figure="reliability">{rounded}</span> <small>of 10</small>
          <meter min={0} max={10} value={reliability} aria-label={`Reliability ${rounded} of 10`} />
        </dd>
      </div>
      <div>
        <dt>Reports</dt>
        <dd data-figure="reported">{reported}</dd>
      </div>
    </dl>
  );
}
