import { expect, test } from 'vitest';
import { TreiberStack } from '../../../bench/models.js';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { Fingerprint } from '../../execution/fingerprint.js';
import { access, CHOOSE, NOTHING } from '../../execution/memory/access.js';
import { OPEN } from '../../execution/outcomes.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Semaphore } from '../../execution/primitives/locks.js';
import type { Program } from '../../execution/program.js';
import { DEAD } from '../automata/configurations.js';
import { LearnedAutomaton, type LearnedRun, LearnedRuns } from './learned-runs.js';
import { SequentialRuns } from './sequential-runs.js';

function learn(one: Program, budget = Number.POSITIVE_INFINITY) {
  const execution = new Execution(one);
  const learned = new LearnedRuns(execution.calls.length);
  const runs = new SequentialRuns(execution, learned);
  while (!runs.advance(budget));
  return { execution, learned, runs, automaton: new LearnedAutomaton(learned) };
}

const outcomesIn = (automaton: LearnedAutomaton, state: number, operation: number): number[] =>
  automaton.moves(state, [operation]).map(({ outcomes: [own] }) => own);
const after = (automaton: LearnedAutomaton, state: number, operation: number, outcome: number): number =>
  automaton.moves(state, [operation]).find(({ outcomes: [own] }) => own === outcome)?.next ?? DEAD;
const blocks = (automaton: LearnedAutomaton, state: number, operation: number): boolean =>
  automaton.unblocked([[state, OPEN]], [operation]) === -1;
/** Each step by its operation and the outcome of that; undefined if it is blocked. */
const resultsOf = (run: LearnedRun): (readonly [number, number | undefined])[] =>
  run.map(({ operation, delivered }) => [operation, delivered.get(operation)]);

const stack = (threads: number) =>
  program(
    () => new TreiberStack((value) => new AtomicRef(value)),
    Array.from({ length: threads }, (_, value) => [
      call('push', (one: TreiberStack, memory) => one.push(memory, value), value),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
    ]),
  );

test('all sequential runs of a stack, three threads with three calls each, have 132 states', () => {
  const { runs, automaton, learned } = learn(stack(3));
  expect(runs.stats.executions).toBe(1680);
  expect(automaton.states).toBe(132);
  expect(learned.nondeterminism).toBeUndefined();
});

test('runs that lead to equal states share nodes: 63 million runs of a counter, four threads with four calls each', () => {
  const increment = call('increment', function* (cell: AtomicRef<number>) {
    yield cell.update;
    cell.set(cell.get() + 1);
    return cell.get();
  });
  const calls = Array.from({ length: 4 }, () => increment);
  const one = program(() => new AtomicRef(0), [calls, calls, calls, calls]);
  const execution = new Execution(one);
  const learned = new LearnedRuns(execution.calls.length);
  const runs = new SequentialRuns(execution, learned, { fingerprint: new Fingerprint(execution) });
  runs.advance(Number.POSITIVE_INFINITY);
  expect(learned.count().runs).toBe(63_063_000);
  // a node for each number of calls that each thread has made
  expect(learned.edges.length).toBe(5 ** 4);
  expect(new LearnedAutomaton(learned).states).toBe(5 ** 4);
});

test('a graph has the runs of the tree, each once', () => {
  const tree = learn(stack(2)).learned;
  const execution = new Execution(stack(2));
  const graph = new LearnedRuns(execution.calls.length);
  const fingerprint = new Fingerprint(execution);
  new SequentialRuns(execution, graph, { fingerprint }).advance(Number.POSITIVE_INFINITY);
  const textsOf = (learned: LearnedRuns) =>
    Array.from(learned.runs(), ({ run }) => resultsOf(run).join(' ')).sort();
  expect(textsOf(graph)).toEqual(textsOf(tree));
  expect(graph.count()).toEqual(tree.count());
  expect(graph.edges.length).toBeLessThan(tree.edges.length);
});

test('the same is learned with any step budget', () => {
  expect(learn(stack(2), 1).automaton).toEqual(learn(stack(2)).automaton);
});

test('an automaton allows the learned runs, and nothing else', () => {
  const { execution, automaton } = learn(stack(2));
  const { outcomes } = execution;
  const pushed = after(automaton, automaton.initial, 0, outcomes.returned(undefined));
  expect(outcomesIn(automaton, pushed, 1).map((outcome) => outcomes.at(outcome))).toEqual([
    { kind: 'returned', value: 0 },
  ]);
  expect(after(automaton, pushed, 1, outcomes.returned(null))).toBe(DEAD);
  // a thread makes its calls in order
  expect(outcomesIn(automaton, automaton.initial, 1)).toEqual([]);
});

test('an operation that is blocked ends a run, and the automaton blocks it there', () => {
  const acquires = call<Semaphore>('acquires', (one) => one.$acquire());
  const { automaton, execution, learned } = learn(program(() => new Semaphore(1), [[acquires], [acquires]]));
  expect(blocks(automaton, automaton.initial, 0)).toBe(false);
  const acquired = after(automaton, automaton.initial, 0, execution.outcomes.returned(undefined));
  expect(blocks(automaton, acquired, 1)).toBe(true);
  expect(outcomesIn(automaton, acquired, 1)).toEqual([]);
  expect(learned.nondeterminism).toBeUndefined();
});

test('two results of the same calls are reported with both runs', () => {
  const tosses = call('tosses', function* () {
    yield access(NOTHING, 0);
    return (yield access(CHOOSE, 2)) === 0 ? 'heads' : 'tails';
  });
  const { learned, execution, automaton } = learn(program(() => ({}), [[tosses], [tosses]]));
  const shown = (run: LearnedRun) =>
    resultsOf(run).map(([operation, outcome]) => [operation, execution.outcomes.at(outcome ?? OPEN)]);
  expect(learned.nondeterminism?.map(shown)).toEqual([
    [
      [0, { kind: 'returned', value: 'heads' }],
      [1, { kind: 'returned', value: 'heads' }],
    ],
    [
      [0, { kind: 'returned', value: 'heads' }],
      [1, { kind: 'returned', value: 'tails' }],
    ],
  ]);
  expect(outcomesIn(automaton, automaton.initial, 0)).toHaveLength(2);
});

test('an operation that is sometimes blocked after the same calls is nondeterministic', () => {
  const moody = call<Semaphore>('moody', function* (one) {
    if ((yield access(CHOOSE, 2)) === 0) return 'no';
    yield* one.$acquire();
    return 'yes';
  });
  const { learned, automaton } = learn(program(() => new Semaphore(0), [[moody]]));
  expect(
    learned.nondeterminism?.map((run) => resultsOf(run).map(([, outcome]) => outcome === undefined)),
  ).toEqual([[false], [true]]);
  expect(blocks(automaton, automaton.initial, 0)).toBe(true);
  expect(outcomesIn(automaton, automaton.initial, 0)).toHaveLength(1);
});

test('a run that never ends is abandoned and counted', () => {
  const counts = call('counts', function* (_, memory) {
    const mark = memory.mark();
    for (let i = 0; ; i++) {
      yield access(NOTHING, 0);
      memory.again(mark, 1, i);
    }
  });
  const execution = new Execution(program(() => ({}), [[counts]]));
  const runs = new SequentialRuns(execution, new LearnedRuns(1), { maxSteps: 100 });
  expect(runs.advance(1_000)).toBe(true);
  expect(runs.stats).toMatchObject({ executions: 1, unfinished: 1 });
});
