// The package has no types. These are the parts that boosted-trees.ts uses.
declare module 'ydf-training' {
  interface Model {
    /** Columns by name. Returns the chance of the second class, in order of the rows. */
    predict(columns: Readonly<Record<string, readonly number[]>>): number[];
    getLabelClasses(): string[];
    unload(): void;
  }

  interface Library {
    readonly GradientBoostedTreesLearner: new (
      label: string,
      task: 'CLASSIFICATION',
    ) => { train(columns: Readonly<Record<string, readonly number[] | readonly string[]>>): Model };
  }

  const load: (module: { print(line: string): void; printErr(line: string): void }) => Promise<Library>;
  export default load;
}
