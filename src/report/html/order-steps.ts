/**
 * A linearization step by step: the state of the spec after each operation, and the outcomes that it allows there.
 *
 * Cost: one step of the machine for each operation. States may be long, so the number of steps is limited.
 */

import type { Part } from '../../check/parts/part.js';
import { type AnySpecOf, splitObjects } from '../../check/rendezvous/split-objects.js';
import { afterRendezvous } from '../../check/rendezvous/verify.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';

/** Returns the state of the spec after each rendezvous, as text. Operations are named by id. */
export function walkRendezvous(
  history: History,
  specOf: AnySpecOf,
  rendezvous: readonly (readonly number[])[],
): string[] {
  const { rendezvous: parts } = splitObjects(history, specOf);
  const partOf = new Map<number, number>();
  for (const [number, part] of parts.entries())
    for (const id of part.history.columns.id) partOf.set(id, number);
  const states = parts.map(({ machine }) => [machine.initial]);
  return rendezvous.map((members) => {
    const number = partOf.get(members[0]) ?? 0;
    const { machine } = parts[number];
    states[number] = afterRendezvous(machine, states[number], members);
    return states[number].map((state) => machine.describe(state)).join(' or ');
  });
}

interface WalkStep {
  readonly operation: number;
  /** The state after it, in words; undefined where the spec does not allow the operation. */
  readonly state: string | undefined;
  /** The outcomes that the spec allows here. */
  readonly allowed: readonly Outcome[];
}

interface Walk {
  /** The state that it starts in, in words. */
  readonly start: string;
  /** Those of the first operations of the order, up to one that the spec does not allow. */
  readonly steps: readonly WalkStep[];
}

/** Walks through operations of one part, by id; `most` limits the steps. */
export function walkOrder({ machine }: Part, order: Iterable<number>, most: number): Walk {
  let state = machine.initial;
  const steps: WalkStep[] = [];
  for (const operation of order) {
    if (steps.length >= most || state === DEAD) break;
    const letter = machine.letterOf(operation);
    const allowed = machine.allowedOutcomes(state, letter);
    state = machine.step(state, letter);
    steps.push({ operation, state: state === DEAD ? undefined : machine.describe(state), allowed });
  }
  return { start: machine.describe(machine.initial), steps };
}
