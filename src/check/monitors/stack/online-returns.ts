/**
 * What is left of the configurations of a stack when a call ends. Nothing: no order gets past it.
 *
 *   push → done       it has taken effect; or others do (online-closure.ts), and then it does
 *   pop → v           v was taken when this pop had been called; or v is on top when others have taken what was above; or
 *                     an open push puts it in just now
 *   pop → empty       it was empty during the call, or is when others have taken what there was
 *   peek → v          v was on top during the call, or is when others have taken effect
 *   failed            it has not taken effect
 *   pending           if it has not taken effect it may do so at any time
 */
import type { Ending } from '../../stream/removal-outcome.js';
import { NOTHING } from '../../stream/value-numbering.js';
import type { Node } from './hash-consed-stack.js';
import type { Onward, OpenPush } from './online-closure.js';
import type { Marks } from './online-marks.js';
import type { Layer } from './stack-configurations.js';

export function afterPush(layer: Layer, onward: Onward, slot: number, ending: Ending): Layer {
  const { value } = onward.pushes[slot] as OpenPush;
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    const isDone = marks.pushed.includes(slot);
    if (isDone && ending !== 'failed') next.add(marks.withoutPush(slot), top);
    else if (!isDone && ending === 'failed') next.add(marks, top);
    else if (!isDone && ending === 'pending') next.add(marks.withSpare(value), top);
    else if (!isDone) rest.add(marks, top);
  }
  for (const { marks, top } of onward.before(rest, slot)) {
    const above = onward.stacks.push(top, value);
    next.add(onward.seeing(marks, above), above);
  }
  return next;
}

export function afterPop(layer: Layer, onward: Onward, pop: number, ending: Ending): Layer {
  const next = onward.layer();
  const goOn = (marks: Marks, top: Node): void => {
    const left = marks.withoutPop(pop);
    if (left) next.add(left, top);
  };
  if (typeof ending === 'number') popped(layer, onward, pop, ending, goOn);
  else
    for (const { marks, top } of layer) {
      goOn(ending === 'pending' ? marks.withFreePops(1) : marks, top);
      for (const left of ending === 'pending' ? marks.claims(pop) : []) goOn(left, top);
    }
  return next;
}

function popped(
  layer: Layer,
  onward: Onward,
  pop: number,
  value: number,
  goOn: (marks: Marks, top: Node) => void,
): void {
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    if (value === NOTHING && marks.empty > pop) {
      goOn(marks, top);
      continue;
    }
    rest.add(marks, top);
    const claimed = marks.claimed(pop, value);
    if (claimed) goOn(claimed, top);
    const seen = marks.withSeen(value, onward.peeks.length);
    for (const [slot, push] of onward.pushes.entries())
      if (push?.value === value && !marks.pushed.includes(slot)) goOn(seen.withPush(slot), top);
    if (marks.spare.includes(value)) goOn(seen.withoutSpare(value), top);
  }
  for (const { marks, top } of onward.lowered(rest)) {
    if (top.value !== value) continue;
    if (value === NOTHING) goOn(marks, top);
    for (const below of top.below) goOn(onward.seeing(marks, below), below);
  }
}

export function afterPeek(layer: Layer, onward: Onward, peek: number, ending: Ending): Layer {
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer)
    if (typeof ending !== 'number' || marks.hasSeen(peek, ending)) next.add(marks.withoutPeek(peek), top);
    else rest.add(marks, top);
  for (const { marks, top } of onward.before(rest))
    if (top.value === ending) next.add(marks.withoutPeek(peek), top);
  return next;
}
