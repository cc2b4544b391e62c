import { expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Random } from '../../base/random.js';
import { Execution } from '../../execution/execution.js';
import { conflict, READ, UPDATE, WRITE } from '../../execution/memory/access.js';
import { EVERYTHING } from '../../execution/memory/locations.js';
import { Memory } from '../../execution/memory/memory.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { currentThread } from '../../execution/primitives/locks.js';
import type { Call } from '../../execution/program.js';
import { counter } from '../../objects/cells/counter.js';
import type { Spec } from '../../spec/spec.js';
import { SpecAutomaton } from '../automata/spec-automaton.js';
import { byClasses, byStates } from '../engines/engines.js';
import { HappensBefore } from './happens-before.js';

type Counter = AtomicRef<number>;

const increment = call<Counter>('increment', function* (one) {
  for (;;) {
    const old = yield* one.$get();
    if (yield* one.$compareAndSet(old, old + 1)) return;
  }
});

/** The results and costs of two engines for three threads that make one call each. */
function explored(only: Call<Counter>, symmetricThreads?: readonly number[]) {
  return [byClasses, byStates].map((engineOf) => {
    const threads = [[only], [only], [only]];
    const execution = new Execution(
      program(() => new AtomicRef(0), threads, symmetricThreads && { symmetricThreads }),
    );
    const automaton = new SpecAutomaton(counter() as Spec, execution.calls, execution.outcomes);
    const engine = engineOf(execution, automaton);
    for (;;) {
      const found = engine.advance(10_000);
      if (found) return { found, coverage: engine.coverage, executions: engine.stats.executions };
    }
  });
}

test('symmetric threads start in one order, which leaves fewer executions to explore', () => {
  const each = explored(increment);
  const inTurns = explored(increment, [-1, 0, 1]);
  for (const [i, { found, coverage, executions }] of inTurns.entries()) {
    expect(found).toBe('done');
    expect(coverage).toEqual({ kind: 'all' });
    expect(executions).toBeLessThan(each[i].executions * 0.6);
  }
});

test('all orders are explored if a thread observes its identity', () => {
  const wrongIfLastFirst = call<Counter>('increment', function* (one) {
    const old = yield* one.$get();
    yield* one.$set(old === 0 && currentThread() === 2 ? 7 : old);
    if (old === 7) throw new Error('the last was not the first');
    return yield* increment.run(one, undefined!);
  });
  for (const { found } of explored(wrongIfLastFirst, [-1, 0, 1]))
    expect(found).toMatchObject({ kind: 'outcome' });
});

/** Locations of all kinds: everything, two fields, and two objects with parts. */
function locationsIn(memory: Memory): number[] {
  const [one, other] = [memory.object(), memory.object()];
  return [
    EVERYTHING,
    memory.location(memory.object()),
    memory.location(memory.object()),
    ...[1, 2].map((field) => memory.part(one, field)),
    memory.whole(one),
    memory.part(other, 1),
    memory.whole(other),
  ];
}

test('locations overlap exactly if one consults a slot in which the other is recorded', () => {
  const memory = new Memory(1);
  const locations = locationsIn(memory);
  let overlaps = 0;
  for (const one of locations)
    for (const other of locations) {
      const isShared = memory.consults[one].some((slot) => memory.recordedIn[other].includes(slot));
      expect(memory.overlap(one, other)).toBe(isShared);
      if (isShared) overlaps++;
    }
  expect(overlaps).toBe(28);
  expect([memory.overlap(-1, -1), memory.overlap(-1, EVERYTHING)]).toEqual([false, false]);
});

test('a step conflicts with the last step of each other thread that it overlaps with', () => {
  const random = new Random(2032);
  for (let round = 0; round < 60; round++) {
    const memory = new Memory(3);
    const [everything, ...others] = locationsIn(memory);
    const step = { threads: 3, hasMain: false, memory, kind: READ, location: -1, stepped: 0, alternative: 0 };
    const steps = new HappensBefore(step as unknown as Execution);
    for (let i = 0; i < 60; i++) {
      // in some rounds, no effect is unknown, or the first one late
      const isUnknown = i >= round % 60 && random.withProbability(round % 3 === 0 ? 0 : 10);
      step.location = isUnknown ? everything : random.pick([-1, ...others]);
      step.kind = random.pick([READ, WRITE, UPDATE]);
      const thread = random.below(3);
      const expected = [0, 1, 2].flatMap((other) => {
        for (let s = steps.length - 1; s >= 0 && other !== thread; s--)
          if (
            steps.thread[s] === other &&
            memory.overlap(steps.location[s], step.location) &&
            conflict(step.kind, steps.kind[s])
          )
            return [s];
        return [];
      });
      steps.add(thread);
      expect(steps.conflicting).toEqual(expected);
      if (random.withProbability(5)) steps.cut(random.below(steps.length));
    }
  }
});
