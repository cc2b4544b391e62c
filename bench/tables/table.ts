/** A table: its rows are made from plain data, each in a process of its own, here or on another machine. */
export interface Table<Input, Row extends { readonly isRight: boolean }> {
  /** One for each row, or for a few of them; JSON on the way. */
  inputs(): readonly Input[];
  /** By which its rows are asked for. */
  nameOf(input: Input): string;
  /** The modules that are loaded for it. */
  modulesOf(input: Input): readonly string[];
  rowsOf(input: Input, seed: number): readonly Row[] | Promise<readonly Row[]>;
  headOf(seed: number): string;
  /** Of a row that was JSON on the way. */
  textOf(row: Row): string;
}

/** What is done with every table: what its rows are made of is its own matter. */
export type AnyTable = Table<unknown, { readonly isRight: boolean }>;
