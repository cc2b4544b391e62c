/** Events and latches: callers of `wait` block until a condition holds. */
import { blocked, type Spec } from '../../spec/spec.js';
import { ensure, trueOrFalse, wholeNumber } from '../common/parameters.js';

/** The methods of an event. */
export interface EventObject {
  set(): void;
  reset(): void;
  wait(): void;
  isSet(): boolean;
}

/** Whether an event is set initially. */
export interface EventOptions {
  /** Whether the event is set initially; false by default. */
  readonly initial?: boolean;
}

/**
 * An event with manual reset: `wait` blocks while the event is not set.
 *
 * @example
 * A |- wait() -------|
 * B      |- set() -|   |- isSet() -> true -|
 */
export function event(options: EventOptions = {}): Spec<EventObject, boolean> {
  return {
    name: 'event',
    initial: ensure('initial of an event', options.initial ?? false, trueOrFalse),
    maxArguments: { set: 0, reset: 0, wait: 0, isSet: 0 },
    methods: {
      set: () => [true, undefined],
      reset: () => [false, undefined],
      wait: (isSet) => (isSet ? [isSet, undefined] : blocked),
      isSet: (isSet) => [isSet, isSet],
    },
    readOnly: (method) => method === 'wait' || method === 'isSet',
    describeState: (isSet) => (isSet ? 'set' : 'not set'),
    family: { kind: 'event', roles: { set: 'set', reset: 'reset', wait: 'wait', isSet: 'isSet' } },
  };
}

/** The methods of a latch. */
export interface Latch {
  /** Decreases the count by n, but not below 0. */
  signal(n?: number): void;
  wait(): void;
  count(): number;
}

/** The initial count of a latch. */
export interface LatchOptions {
  /** The initial count; 1 by default. */
  readonly count?: number;
}

/**
 * A latch: counts down to 0 and stays there. `wait` blocks until the count is 0.
 *
 * @example
 * A |- wait() -------------|
 * B       |- signal() -|  |- count() -> 0 -|
 */
export function latch(options: LatchOptions = {}): Spec<Latch, number> {
  return {
    name: 'latch',
    initial: ensure('count of a latch', options.count ?? 1, wholeNumber),
    maxArguments: { signal: 1, wait: 0, count: 0 },
    methods: {
      signal: (left, n = 1) => [Math.max(0, left - ensure('n of signal(n)', n, wholeNumber)), undefined],
      wait: (left) => (left === 0 ? [left, undefined] : blocked),
      count: (left) => [left, left],
    },
    readOnly: (method, [n]) => method === 'wait' || method === 'count' || n === 0,
    family: { kind: 'latch', roles: { signal: 'signal', wait: 'wait', count: 'count' } },
  };
}
