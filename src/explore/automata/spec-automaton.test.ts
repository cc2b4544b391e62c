import { expect, test } from 'vitest';
import { call } from '../../../test/support/fixtures/calls.js';
import { OPEN, Outcomes } from '../../execution/outcomes.js';
import type { Call } from '../../execution/program.js';
import { queue } from '../../objects/collections/container.js';
import { semaphore } from '../../objects/locks/mutex.js';
import { oneOf, type Spec, threw } from '../../spec/spec.js';
import { DEAD } from './configurations.js';
import { SpecAutomaton } from './spec-automaton.js';

const calling = (method: string, ...args: unknown[]): Call => call(method, function* () {}, ...args);

/** The results of one operation in a state, and the state after one of them. */
const resultsIn = (automaton: SpecAutomaton, outcomes: Outcomes, state: number, operation: number) =>
  automaton.moves(state, [operation]).map((move) => outcomes.at(move.outcomes[0]));
const after = (automaton: SpecAutomaton, state: number, operation: number, outcome: number) =>
  automaton.moves(state, [operation]).find(({ outcomes: [own] }) => own === outcome)?.next ?? DEAD;

test('a spec gives the results of each operation of a program', () => {
  const outcomes = new Outcomes();
  const calls = [calling('enqueue', 1), calling('dequeue')];
  const automaton = new SpecAutomaton(queue() as Spec, calls, outcomes);
  const [{ next: full }] = automaton.moves(automaton.initial, [0]);
  expect(resultsIn(automaton, outcomes, full, 1)).toEqual([{ kind: 'returned', value: 1 }]);
  expect(after(automaton, full, 1, outcomes.returned(1))).toBe(automaton.initial);
  expect(after(automaton, full, 1, outcomes.returned(2))).toBe(DEAD);
});

test('an operation may be blocked forever where the spec blocks, unless it has started', () => {
  const automaton = new SpecAutomaton(
    semaphore({ permits: 1 }) as Spec,
    [calling('acquire')],
    new Outcomes(),
  );
  const [{ next, outcomes }] = automaton.moves(automaton.initial, [0]);
  expect(automaton.unblocked([[automaton.initial, OPEN]], [0])).toBe(0);
  expect(automaton.unblocked([[next, OPEN]], [0])).toBe(-1);
  expect(automaton.unblocked([[next, outcomes[0]]], [0])).toBe(0);
});

test('if a spec leaves a choice, every state that fits the outcome continues', () => {
  const coin: Spec = {
    name: 'coin',
    initial: 'new',
    methods: {
      toss: () => oneOf(['heads', 1], ['tails', 1], ['edge', threw('Edge')]),
      look: (state) => [state, state],
    },
  };
  const outcomes = new Outcomes();
  const automaton = new SpecAutomaton(coin, [calling('toss'), calling('look')], outcomes);
  expect(resultsIn(automaton, outcomes, automaton.initial, 0)).toEqual([
    { kind: 'returned', value: 1 },
    { kind: 'threw', error: 'Edge' },
  ]);
  const tossed = after(automaton, automaton.initial, 0, outcomes.returned(1));
  expect(resultsIn(automaton, outcomes, tossed, 1)).toEqual([
    { kind: 'returned', value: 'heads' },
    { kind: 'returned', value: 'tails' },
  ]);
  // to look decides
  const looked = after(automaton, tossed, 1, outcomes.returned('heads'));
  expect(resultsIn(automaton, outcomes, looked, 1)).toHaveLength(1);
});

test('a method that the spec does not have is named', () => {
  expect(() => new SpecAutomaton(queue() as Spec, [calling('push', 1)], new Outcomes())).toThrow(
    'the program calls the unknown method push; spec queue defines enqueue, dequeue',
  );
});
