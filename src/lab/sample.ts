/** One judged query under one model. */
export interface Sample {
  /** 1: a person to be warned of. */
  readonly label: 0 | 1;
  /** Before rounding, whatever the model's scale: what queries are ranked by. */
  readonly score: number;
  /** Reliability as a chance, 0 to 1, before rounding; undefined for a model that states none. */
  readonly chance?: number;
}
