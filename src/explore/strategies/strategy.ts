/** Chooses one schedule after another, for when there are too many to try all. */
import type { Execution } from '../../execution/execution.js';

export interface Strategy {
  readonly name: string;
  /** A run begins; the longest so far had this many steps. */
  begin(execution: Execution, longest: number): void;
  /** One of the enabled threads, which are bits. */
  next(enabled: number, execution: Execution): number;
  /** The thread has taken its step. */
  stepped(thread: number, execution: Execution): void;
  /** One of so many alternatives. */
  choose(alternatives: number): number;
}
