/**
 * All states that the operations of a history can lead to, in any order at all, whether
 * real time allows it or not: more than the orders go through, never fewer.
 *
 * For objects with few states: null where there are too many, or where the spec does
 * not cope with one that no order leads to. Cost: O(states · letters) steps.
 */
import type { History } from '../history/index.js';
import { DEAD, type Machine, SpecError } from '../spec/index.js';

const MOST_STATES = 64;
const MOST_LETTERS = 1_000;

export function reachableStates(history: History, machine: Machine): number[] | null {
  const letters = new Set(machine.lettersOf(history));
  if (letters.size > MOST_LETTERS) return null;
  const states = new Set([machine.initial]);
  try {
    for (const state of states)
      for (const letter of letters) {
        const next = machine.step(state, letter);
        if (next !== DEAD) states.add(next);
        if (states.size > MOST_STATES) return null;
      }
  } catch (error) {
    if (error instanceof SpecError) return null;
    throw error;
  }
  return [...states];
}
