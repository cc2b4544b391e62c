import { expect, test } from 'vitest';
import { TreiberStack } from '../../../bench/models.js';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { access, CHOOSE, NOTHING } from '../../execution/memory/access.js';
import { OPEN } from '../../execution/outcomes.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Semaphore } from '../../execution/primitives/semaphore.js';
import type { Program } from '../../execution/program.js';
import { DEAD } from '../model/automaton.js';
import { SequentialRuns } from './sequential-runs.js';
import { LearnedAutomaton, type SequentialHistory, SequentialTrie } from './sequential-trie.js';

function learn(one: Program, fuel = Number.POSITIVE_INFINITY) {
  const execution = new Execution(one);
  const trie = new SequentialTrie(execution.calls.length);
  const serial = new SequentialRuns(execution, trie);
  while (!serial.advance(fuel));
  return { execution, trie, serial, automaton: new LearnedAutomaton(trie) };
}

const stack = (threads: number) =>
  program(
    () => new TreiberStack((value) => new AtomicRef(value)),
    Array.from({ length: threads }, (_, value) => [
      call('push', (one: TreiberStack, memory) => one.push(memory, value), value),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
    ]),
  );

test('all serial histories of a stack, three threads with three calls each, are 132 states', () => {
  const { serial, automaton, trie } = learn(stack(3));
  expect(serial.stats.executions).toBe(1680);
  expect(automaton.states).toBe(132);
  expect(trie.nondeterminism).toBeUndefined();
});

test('however little fuel there is at a time, the same is learnt', () => {
  expect(learn(stack(2), 1).automaton).toEqual(learn(stack(2)).automaton);
});

test('an automaton allows what happened, with the outcomes it had, and nothing else', () => {
  const { execution, automaton } = learn(stack(2));
  const { outcomes } = execution;
  const pushed = automaton.after(automaton.initial, 0, outcomes.returned(undefined));
  expect(automaton.answers(pushed, 1).map((outcome) => outcomes.at(outcome))).toEqual([
    { kind: 'returned', value: 0 },
  ]);
  expect(automaton.after(pushed, 1, outcomes.returned(null))).toBe(DEAD);
  // a thread makes its calls in order
  expect(automaton.answers(automaton.initial, 1)).toEqual([]);
});

test('an operation that has to wait ends a history, and the automaton says so', () => {
  const acquires = call<Semaphore>('acquires', (one) => one.$acquire());
  const { automaton, execution, trie } = learn(program(() => new Semaphore(1), [[acquires], [acquires]]));
  expect(automaton.blocks(automaton.initial, 0)).toBe(false);
  const acquired = automaton.after(automaton.initial, 0, execution.outcomes.returned(undefined));
  expect(automaton.blocks(acquired, 1)).toBe(true);
  expect(automaton.answers(acquired, 1)).toEqual([]);
  expect(trie.nondeterminism).toBeUndefined();
});

test('two answers to the same calls are told with both histories', () => {
  const tosses = call('tosses', function* () {
    yield access(NOTHING, 0);
    return (yield access(CHOOSE, 2)) === 0 ? 'heads' : 'tails';
  });
  const { trie, execution, automaton } = learn(program(() => ({}), [[tosses], [tosses]]));
  const told = (history: SequentialHistory) =>
    history.map(({ operation, outcome }) => [operation, execution.outcomes.at(outcome)]);
  expect(trie.nondeterminism?.map(told)).toEqual([
    [
      [0, { kind: 'returned', value: 'heads' }],
      [1, { kind: 'returned', value: 'heads' }],
    ],
    [
      [0, { kind: 'returned', value: 'heads' }],
      [1, { kind: 'returned', value: 'tails' }],
    ],
  ]);
  expect(automaton.answers(automaton.initial, 0)).toHaveLength(2);
});

test('to wait or not to wait after the same calls is nondeterminism, too', () => {
  const moody = call<Semaphore>('moody', function* (one) {
    if ((yield access(CHOOSE, 2)) === 0) return 'no';
    yield* one.$acquire();
    return 'yes';
  });
  const { trie, automaton } = learn(program(() => new Semaphore(0), [[moody]]));
  expect(trie.nondeterminism?.map((history) => history.map(({ outcome }) => outcome === OPEN))).toEqual([
    [false],
    [true],
  ]);
  expect(automaton.blocks(automaton.initial, 0)).toBe(true);
  expect(automaton.answers(automaton.initial, 0)).toHaveLength(1);
});

test('a run that never ends is given up and counted', () => {
  const counts = call('counts', function* (_, memory) {
    const mark = memory.mark();
    for (let i = 0; ; i++) {
      yield access(NOTHING, 0);
      memory.again(mark, 1, i);
    }
  });
  const execution = new Execution(program(() => ({}), [[counts]]));
  const serial = new SequentialRuns(execution, new SequentialTrie(1), { mostSteps: 100 });
  expect(serial.advance(1_000)).toBe(true);
  expect(serial.stats).toMatchObject({ executions: 1, unfinished: 1 });
});
