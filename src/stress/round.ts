/** One round of a stress run: all clients at once, until they are done or nothing has moved for a while. */
import type { Random } from '../base/random.js';
import type { Matrix } from '../explore/scenario/matrix.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { TimedOperation } from '../history/builder/builder.js';

/** What each client has done. */
export type Logs = readonly (readonly TimedOperation[])[];

export interface Ended {
  readonly operations: Logs;
  readonly annotations: readonly { readonly text: string; readonly at: bigint }[];
  /** Nothing moves any more. */
  readonly isStuck: boolean;
}

export interface Round {
  readonly matrix: Matrix;
  /** Which one it is, from 0. */
  readonly number: number;
  readonly chance: Random;
  /** May all who are in a call wait for ever? */
  readonly mayRest: (operations: Logs) => boolean;
  /** Has time run out? */
  readonly isOver: () => boolean;
  /** Called now and then while threads get ready. */
  readonly onWait: () => void;
}

/** Runs rounds: with asynchronous clients, or with threads. */
export interface Rounds {
  /** Nothing comes of a round that time runs out in. */
  run(scenario: Scenario, round: Round): Promise<Ended | undefined>;
  close(): Promise<void>;
  /** Errors whose meaning nobody has said, by name, and how often. */
  readonly unknown: ReadonlyMap<string, number>;
}
