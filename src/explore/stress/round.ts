/** One round of a stress run: all clients at once, until they are done or nothing has moved for a while. */
import type { TimedOperation } from '../../history/index.js';
import type { Matrix } from '../matrix.js';
import type { Scenario } from '../scenario.js';

export interface Ended {
  readonly operations: readonly (readonly TimedOperation[])[];
  readonly annotations: readonly { readonly text: string; readonly at: bigint }[];
  /** Nothing moved for as long as the watchdog waits. */
  readonly isStuck: boolean;
}

/** Runs rounds: with asynchronous clients, or with threads. */
export interface Rounds {
  run(scenario: Scenario, matrix: Matrix, round: number): Promise<Ended>;
  close(): Promise<void>;
  /** Errors whose meaning nobody has said, by name, and how often. */
  readonly unknown: ReadonlyMap<string, number>;
}
