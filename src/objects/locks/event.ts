/** An event (manual reset): who waits goes on when it is set, until someone resets it. The state: is it set? */
import { blocked, type Spec } from '../../spec/spec.js';
import { demand, truth } from '../common/parameters.js';

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
