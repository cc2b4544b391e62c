/** A table of a paper. Its inputs are plain data; each one runs in its own process. */
export interface Table<Input, Row extends { readonly isRight: boolean }> {
  /** One input for each row, or for a few rows; it is sent as JSON. */
  inputs(): readonly Input[] | Promise<readonly Input[]>;
  /** Makes ready what the selected rows need. */
  prepare?(inputs: readonly Input[]): Promise<void>;
  /** The name by which a user selects the rows of an input. */
  nameOf(input: Input): string;
  rowsOf(input: Input, seed: number): readonly Row[] | Promise<readonly Row[]>;
  headOf(seed: number): string;
  /** The text of a row, which was sent as JSON. */
  textOf(row: Row): string;
  /** What all rows come to, printed below them. */
  footOf?(rows: readonly Row[]): string;
}

/** A table whose inputs and rows are not known. */
export type AnyTable = Table<unknown, { readonly isRight: boolean }>;
