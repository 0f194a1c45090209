import type { ComponentChildren } from 'preact';

/** Something to do before a service or a reporter is complete. */
export interface FirstStep {
  /** True if the store or the settings show that it was done. */
  readonly isDone: boolean;
  /** What to do, with a link to where it is done. */
  readonly what: ComponentChildren;
}

/** One line about what is left to do, on the page where a new person arrives. */
export function FirstStepsLine({ steps, page }: { readonly steps: readonly FirstStep[]; readonly page: string }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <p class="after">
      <a href={page}>
        First steps: {done} of {steps.length} done
      </a>
    </p>
  );
}

/** What is left to do at first, or nothing if all is done. No step is ticked by hand. */
export function FirstSteps({ steps }: { readonly steps: readonly FirstStep[] }) {
  const left = steps.filter(({ isDone }) => !isDone);
  if (left.length === 0) return null;
  return (
    <>
      <h2>First steps</h2>
      <div class="card">
        <p class="quiet">
          {steps.length - left.length} of {steps.length} done. A step disappears when it is done.
        </p>
        <ul>
          {left.map(({ what }, at) => (
            <li key={at}>{what}</li>
          ))}
        </ul>
      </div>
    </>
  );
}
