import { expect, test } from 'vitest';
import { call } from '../../../test/support/fixtures/calls.js';
import { Outcomes } from '../../execution/outcomes.js';
import type { Call } from '../../execution/program.js';
import { queue } from '../../objects/collections/container.js';
import { semaphore } from '../../objects/locks/mutex.js';
import { oneOf, type Spec, threw } from '../../spec/spec.js';
import { DEAD } from '../model/automaton.js';
import { SpecAutomaton } from './spec-automaton.js';

const calling = (method: string, ...args: unknown[]): Call => call(method, function* () {}, ...args);

test('a spec answers each operation of a program', () => {
  const outcomes = new Outcomes();
  const calls = [calling('enqueue', 1), calling('dequeue')];
  const automaton = new SpecAutomaton(queue() as Spec, calls, outcomes);
  const [done] = automaton.answers(automaton.initial, 0);
  const full = automaton.after(automaton.initial, 0, done);
  expect(automaton.answers(full, 1).map((outcome) => outcomes.at(outcome))).toEqual([
    { kind: 'returned', value: 1 },
  ]);
  expect(automaton.after(full, 1, outcomes.returned(1))).toBe(automaton.initial);
  expect(automaton.after(full, 1, outcomes.returned(2))).toBe(DEAD);
});

test('where a spec blocks, an operation may wait', () => {
  const automaton = new SpecAutomaton(
    semaphore({ permits: 1 }) as Spec,
    [calling('acquire')],
    new Outcomes(),
  );
  const [done] = automaton.answers(automaton.initial, 0);
  expect(automaton.blocks(automaton.initial, 0)).toBe(false);
  expect(automaton.blocks(automaton.after(automaton.initial, 0, done), 0)).toBe(true);
});

test('where a spec leaves a choice, all that fits the outcome goes on', () => {
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
  const told = (state: number, operation: number) =>
    automaton.answers(state, operation).map((outcome) => outcomes.at(outcome));
  expect(told(automaton.initial, 0)).toEqual([
    { kind: 'returned', value: 1 },
    { kind: 'threw', error: 'Edge' },
  ]);
  const tossed = automaton.after(automaton.initial, 0, outcomes.returned(1));
  expect(told(tossed, 1)).toEqual([
    { kind: 'returned', value: 'heads' },
    { kind: 'returned', value: 'tails' },
  ]);
  // to look decides
  expect(told(automaton.after(tossed, 1, outcomes.returned('heads')), 1)).toHaveLength(1);
});

test('a method that the spec does not have is named', () => {
  expect(() => new SpecAutomaton(queue() as Spec, [calling('push', 1)], new Outcomes())).toThrow(
    'the program calls the unknown method push; spec queue defines enqueue, dequeue',
  );
});
