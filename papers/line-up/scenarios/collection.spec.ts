/**
 * What is documented of BlockingCollection since: any call but a waiting one may find it empty though it is not.
 *
 * So root causes H and I are right. Who takes may leave it to others, but waits only if there is nothing.
 */
import { blocked, oneOf, type Spec, type Transition, threw } from 'straightedge';

interface Collection {
  add(value: number): void;
  tryAdd(value: number, milliseconds?: number): boolean;
  take(): number;
  takeWithEnum(): number | null;
  tryTake(milliseconds?: number): number | null;
  completeAdding(): void;
  count(): number;
  toArray(): number[];
  isAddingCompleted(): boolean;
  isCompleted(): boolean;
}

interface State {
  readonly items: readonly number[];
  readonly isClosed: boolean;
}

const COMPLETED = threw('InvalidOperation');

/** Takes the first item; where that need not be, `instead` will do too. */
function taking<R>(state: State, ...instead: readonly Transition<State, number | R>[]) {
  const [first, ...items] = state.items;
  if (first === undefined) return instead.length > 0 ? instead[0] : blocked;
  return oneOf<State, number | R>([{ ...state, items }, first], ...instead);
}

const adding =
  <R>(result: R) =>
  (state: State, value: number): Transition<State, R> =>
    state.isClosed ? [state, COMPLETED] : [{ ...state, items: [...state.items, value] }, result];

export const collection: Spec<Collection, State> = {
  name: 'collection',
  initial: { items: [], isClosed: false },
  methods: {
    add: adding(undefined),
    tryAdd: adding(true),
    take: (state) => (state.isClosed ? taking<number>(state, [state, COMPLETED]) : taking<number>(state)),
    takeWithEnum: (state) => (state.isClosed ? taking<null>(state, [state, null]) : taking<null>(state)),
    tryTake: (state) => taking<null>(state, [state, null]),
    completeAdding: (state) => [{ ...state, isClosed: true }, undefined],
    count: (state) => oneOf(...Array.from({ length: state.items.length + 1 }, (_, n) => [state, n] as const)),
    toArray: (state) => [state, [...state.items]],
    isAddingCompleted: (state) => [state, state.isClosed],
    isCompleted: (state) =>
      state.isClosed && state.items.length > 0
        ? oneOf([state, true], [state, false])
        : [state, state.isClosed],
  },
};
