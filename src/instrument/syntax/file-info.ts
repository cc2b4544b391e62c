/** What a transformed file tells the run-time half of itself, and how it finds it. */
export interface FileInfo {
  readonly file: string;
  /** Line, column and name of each site, one after another. */
  readonly sites: readonly (number | string)[];
  /** Names of fields that it assigns after construction. */
  readonly writes: readonly string[];
  /** Names of accessors that it makes by `Object.defineProperty` and the like. */
  readonly accessors: readonly string[];
  /** Does it ask which fields an object has? */
  readonly looksAtNames: boolean;
}

/** The name by which the run-time half is known in a process. */
export const RUNTIME = 'straightedge.runtime';
