/**
 * An order, read backwards from a configuration of shared stacks.
 *
 * What was taken out on the way to it was put in by the link that it was taken out through, and that may be
 * another than the one on the way to the removal first found. So going back, the link waits until the place is reached where its
 * node came on top; what was put in there is the link's, and the way goes on where the link was made. Cost: O(length).
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { BEGINNING, type Effects } from '../generic/effects.js';
import type { SharedStacks } from './graph-structured-stack.js';

/** Instead of the link that a value was taken out through: one was put in. */
export const PUT_IN = -1;

/** `through`: configuration to the link. The first effect on the way to a configuration put something in or took it out. */
export function sharedStackOrder(
  last: number,
  stacks: SharedStacks,
  effects: Effects,
  through: GrowingInts,
): Int32Array {
  const backwards = new GrowingInts();
  /** Links that wait; the one whose node is nearest to the top is last. */
  const waiting: number[] = [];
  for (let at = last; at !== BEGINNING; ) {
    const own = effects.of(at);
    const parent = effects.parentOf(at);
    const isPutIn = through.at(at) === PUT_IN;
    const link = isPutIn ? waiting.pop() : undefined;
    // what is inside at first was put in by nobody
    const made = link === undefined || parent === BEGINNING ? undefined : stacks.made(link);
    if (!isPutIn) waiting.push(through.at(at));
    if (made) own[0] = made.adder;
    for (let i = own.length; i > 0; ) backwards.push(own[--i]);
    at = made ? made.origin : parent;
  }
  return backwards.toArray().reverse();
}
