/** An event (manual reset): who waits goes on when it is set, until someone resets it. The state: is it set? */
import { blocked, type Spec } from '../../spec/spec.js';
import { count, demand, truth } from '../common/parameters.js';

/* A latch: it counts down to 0 and stays there; who waits goes on then. The state is the count. */

export interface Latch {
  /** Counts down by n, but not below 0. */
  signal(n?: number): void;
  wait(): void;
  count(): number;
}

export interface LatchOptions {
  /** Where it starts; 1 unless told. */
  readonly count?: number;
}

export function latch(options: LatchOptions = {}): Spec<Latch, number> {
  return {
    name: 'latch',
    initial: demand('the count of a latch', options.count ?? 1, count),
    methods: {
      signal: (left, n = 1) => [Math.max(0, left - demand('n of signal(n)', n, count)), undefined],
      wait: (left) => (left === 0 ? [left, undefined] : blocked),
      count: (left) => [left, left],
    },
    readOnly: (method, [n]) => method === 'wait' || method === 'count' || n === 0,
    family: { kind: 'latch', roles: { signal: 'signal', wait: 'wait', count: 'count' } },
  };
}

export interface EventObject {
  set(): void;
  reset(): void;
  wait(): void;
  isSet(): boolean;
}

export interface EventOptions {
  /** Is it set at first? No, unless told. */
  readonly initial?: boolean;
}

export function event(options: EventOptions = {}): Spec<EventObject, boolean> {
  return {
    name: 'event',
    initial: demand('the initial of an event', options.initial ?? false, truth),
    methods: {
      set: () => [true, undefined],
      reset: () => [false, undefined],
      wait: (isSet) => (isSet ? [isSet, undefined] : blocked),
      isSet: (isSet) => [isSet, isSet],
    },
    readOnly: (method) => method === 'wait' || method === 'isSet',
    family: { kind: 'event', roles: { set: 'set', reset: 'reset', wait: 'wait', isSet: 'isSet' } },
  };
}
