import { expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { currentThread } from '../../execution/primitives/thread.js';
import type { Call } from '../../execution/program.js';
import { counter } from '../../objects/cells/counter.js';
import type { Spec } from '../../spec/spec.js';
import { SpecAutomaton } from '../automata/spec-automaton.js';
import { byClasses, byStates } from '../engines/engines.js';

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
