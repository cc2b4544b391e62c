/**
 * Wing & Gong's search with a memory of configurations.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 3.1.
 *
 * The tree search, but where the same operations have taken effect and the state is the
 * same, it does not go on a second time: operations that commute cost their sets, not their
 * orders. Nor does it where it has used more of the operations that never return than it had
 * before, and all else is the same: whatever can follow then could follow before.
 *
 * Departure: the paper keeps a bit for each operation of the history in every
 * configuration, so that n operations take n² bits. Here the set is a prefix by return and
 * a mask of the open ones beyond it. (This makes it the just-in-time graph search, with
 * candidates in the order of their calls: see docs/papers.md.)
 *
 * Cost: O(open operations) a step, 4 · (2 + words of the mask) bytes a configuration.
 */
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import type { Machine } from '../../../spec/machine/machine.js';
import { WgTree } from './wg-tree.js';

/** Fields of a configuration's record; the mask follows. Records of one position are a group. */
const POSITION = 0;
const STATE = 1;
const MASK = 2;

export class WgGraph extends WgTree {
  override readonly name = 'Wing & Gong graph search';
  readonly #seen: RecordSet;

  constructor(history: History, machine: Machine) {
    super(history, machine);
    const { maskWords, usedWords } = this.slots;
    this.#seen = new RecordSet(MASK + maskWords, this.returns + 1, { bits: usedWords });
  }

  override get bytes(): number {
    return super.bytes + this.#seen.bytes;
  }

  protected override isNew(state: number): boolean {
    const { position, mask } = this.trail.done;
    const draft = this.#seen.draft();
    this.#seen.records[draft + POSITION] = position;
    this.#seen.records[draft + STATE] = state;
    for (let word = 0; word < mask.length; word++) this.#seen.records[draft + MASK + word] = mask[word];
    return this.#seen.add();
  }
}
