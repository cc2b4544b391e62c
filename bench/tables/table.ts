/** A table: its rows are made from plain data, each in a process of its own, here or on another machine. */
export interface Table<Input, Row extends { readonly isRight: boolean }> {
  /** One for each row, or for a few of them. */
  inputs(flags: TableFlags): readonly Input[];
  /** The modules in examples/ that are loaded for it. */
  modulesOf(input: Input): readonly string[];
  rowsOf(input: Input): readonly Row[];
  headOf(flags: TableFlags): string;
  textOf(row: Row): string;
}

export interface TableFlags {
  readonly seed: number;
  /** Of the rows that are asked for; none: all. */
  readonly names: readonly string[];
}

/** What is done with every table: what its rows are made of is its own matter. */
export type AnyTable = Table<unknown, { readonly isRight: boolean }>;
