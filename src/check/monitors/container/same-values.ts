/** Which values are one to a history, and which were there at first: for those who check a cause. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

export function areSame({ tables: { values } }: History, one: unknown, other: unknown): boolean {
  const number = values.find(one);
  return Object.is(one, other) || (number !== undefined && values.find(other) === number);
}

/** A moment before all others, in the order of what was there at first; NEVER if the value was not. */
export function initialMoment(history: History, { family }: Spec, value: unknown): number {
  const initial: readonly unknown[] = Array.isArray(family?.initial) ? family.initial : [];
  const place = initial.findIndex((own) => areSame(history, own, value));
  return place < 0 ? NEVER : place - initial.length;
}
