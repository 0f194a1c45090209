import { DEFAULT_BOUNDS, type Bounds } from '../domain/bounds.ts';

/** What one form may hold at most (silent: 8). */
export interface FormBounds extends Bounds {
  /** Fields of any name. */
  readonly fields: number;
}

/** The bounds that hold unless an operator sets others. */
export const DEFAULT_FORM_BOUNDS: FormBounds = {
  ...DEFAULT_BOUNDS,
  // Twice the identifiers: a full report has five fields beside them, and a form that holds more was not made for this service.
  fields: 64,
};

/** The bounds of one reading: what is set, and the default for the rest. */
export function toFormBounds(set: { readonly [Name in keyof FormBounds]?: number | undefined }): FormBounds {
  return {
    identifiers: set.identifiers ?? DEFAULT_FORM_BOUNDS.identifiers,
    textCharacters: set.textCharacters ?? DEFAULT_FORM_BOUNDS.textCharacters,
    fields: set.fields ?? DEFAULT_FORM_BOUNDS.fields,
  };
}
