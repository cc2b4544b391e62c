/**
 * What queues, stacks and deques share: a list of values to start with, and an
 * answer for "there is nothing in it".
 */
import type { Outcome } from '../../history/model/operation.js';
import type { Called } from '../../spec/spec.js';
import { demand, given, list } from '../common/parameters.js';
import { sameInFiles } from '../common/same-value.js';

export interface ContainerOptions<V, E = null> {
  /** What is in it at first, in the order in which it was put in. */
  readonly initial?: readonly V[];
  /** What it answers when there is nothing in it; null unless told. */
  readonly empty?: E;
}

export interface Container<V, E> {
  readonly initial: readonly V[];
  readonly empty: E;
  /** Was there nothing to remove? Only sure where nobody puts in what is also the answer of an empty container. */
  readonly foundNothing: (outcome: Outcome, called: Called) => boolean;
}

/** The options of a container whose values come in by these methods. */
export function container<V, E>(
  name: string,
  adders: readonly string[],
  options: ContainerOptions<V, E>,
): Container<V, E> {
  const initial = [...demand(`the initial of a ${name}`, options.initial ?? [], list)];
  const empty = given<E>(options, 'empty');
  const alike = empty === null || empty === undefined ? [null, undefined] : [empty];
  return {
    initial,
    empty,
    foundNothing: (outcome, called) =>
      outcome.kind === 'returned' &&
      sameInFiles(outcome.value, empty) &&
      !initial.some((value) => sameInFiles(value, empty)) &&
      !adders.some((adder) => alike.some((value) => called(adder, value))),
  };
}
