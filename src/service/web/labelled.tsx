import { cloneElement, type ComponentChildren, type VNode } from 'preact';

/**
 * The control of a form with its label, hint and error. The hint is below the label, so that controls beside each other
 * are in one line. The control gets the id, and the attributes that name hint and error.
 */
export function Labelled({
  id,
  label,
  hint,
  error,
  kind,
  children,
}: {
  /** Unique on the page. */
  readonly id: string;
  readonly label: ComponentChildren;
  /** What is expected, before something is wrong. */
  readonly hint?: ComponentChildren;
  /** What is wrong. Never repeats the value. */
  readonly error?: string | undefined;
  /** `short`: narrower than the fields beside it. */
  readonly kind?: 'short';
  /** The control. */
  readonly children: VNode;
}) {
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat();
  return (
    <div class={kind === undefined ? 'field' : `field ${kind}`}>
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {cloneElement(children, {
        id,
        ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
        ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
      })}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
