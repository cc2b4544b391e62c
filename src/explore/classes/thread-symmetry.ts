/**
 * Threads that make the same calls begin in the order of their numbers, as long as none has asked who it is.
 *
 * If the object can not tell them apart, any execution in which they do not is one in which they do, with other names:
 * its outcomes and the order of its calls and returns are right or wrong with it. So it is enough to explore the program in which the
 * first step of each comes after the first step of the one like it that is before it, its *elder*; as if that had started it. To
 * whoever looks at the order of steps this is one more reason for a step to come after another (happens-before.ts).
 *
 *   C. N. Ip, D. L. Dill. Better verification through symmetry. Formal Methods in System Design 9, 1996.
 */
import type { Execution } from '../../execution/execution.js';

export class Turns {
  /** Thread to its elder, or -1; empty where threads begin in any order. */
  elders: readonly number[];
  readonly #execution: Execution;

  constructor(execution: Execution) {
    this.#execution = execution;
    this.elders = execution.memory.isThreadSeen ? [] : execution.alike;
  }

  /** Of those that are enabled, the ones that have begun or may begin now. */
  of(enabled: number): number {
    let rest = enabled;
    for (const [thread, elder] of this.elders.entries())
      if (elder >= 0 && !this.#execution.hasBegun(elder)) rest &= ~(1 << thread);
    return rest;
  }

  /** Has a thread asked who it is? Then there are no turns any more, and whoever kept them begins anew. */
  areOver(): boolean {
    if (this.elders.length === 0 || !this.#execution.memory.isThreadSeen) return false;
    this.drop();
    return true;
  }

  drop(): void {
    this.elders = [];
  }
}
