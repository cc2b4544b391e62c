/** A table of a paper. Its inputs are plain data; each one runs in its own process. */
export interface Table<Input, Row extends { readonly isRight: boolean }> {
  /** One for each row, or for a few of them; JSON on the way. */
  inputs(): readonly Input[];
  /** By which its rows are asked for. */
  nameOf(input: Input): string;
  rowsOf(input: Input, seed: number): readonly Row[] | Promise<readonly Row[]>;
  headOf(seed: number): string;
  /** Of a row that was JSON on the way. */
  textOf(row: Row): string;
}

/** What is done with every table: what its rows are made of is its own matter. */
export type AnyTable = Table<unknown, { readonly isRight: boolean }>;
