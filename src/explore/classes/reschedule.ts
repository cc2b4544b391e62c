/**
 * The steps of an execution in another order of their class.
 *
 * Given some steps in an order that respects what happened before what, puts
 * before each of them what must come before it, and nothing else. The rest follows as it was.
 */

import { CHOOSE } from '../../execution/memory/access.js';
import type { Schedule } from '../model/engine.js';
import type { Steps } from './happens-before.js';

export function scheduleThrough(steps: Steps, path: readonly number[]): Schedule {
  const order: number[] = [];
  const isPlaced = new Uint8Array(steps.length);
  const place = (fits: (step: number) => boolean): void => {
    for (let step = 0; step < steps.length; step++) {
      if (isPlaced[step] === 1 || !fits(step)) continue;
      isPlaced[step] = 1;
      order.push(step);
    }
  };
  for (const end of path) place((step) => steps.precedes(step, end));
  place(() => true);
  return order.map((step) => (steps.kind[step] === CHOOSE ? steps.alternative[step] : steps.thread[step]));
}
