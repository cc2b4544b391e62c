/** The engines on correct objects, and on incorrect ones. */
import { describe, expect, test } from 'vitest';
import { MichaelScottQueue, TreiberStack } from '../../../bench/models.js';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { RandomWalk } from '../../../test/support/generators/random-walk.js';
import { Random } from '../../base/random.js';
import { check } from '../../check/check.js';
import { Execution } from '../../execution/execution.js';
import { access, NOTHING } from '../../execution/memory/access.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Mutex } from '../../execution/primitives/locks.js';
import type { Program } from '../../execution/program.js';
import { counter } from '../../objects/cells/counter.js';
import { queue, stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import type { Automaton } from '../automata/configurations.js';
import { SpecAutomaton } from '../automata/spec-automaton.js';
import { LearnedAutomaton, LearnedRuns } from '../learning/learned-runs.js';
import { SequentialRuns } from '../learning/sequential-runs.js';
import { type Coverage, type Engine, noStats, type ScheduleViolation } from '../model/engine.js';
import { traceProgram } from '../trace/trace.js';
import { byBound, byClasses, bySamples, byStates, Competition } from './engines.js';
import { PartialOrderSampling } from './sampling.js';

const ENGINES: Readonly<Record<string, (execution: Execution, automaton: Automaton) => Engine>> = {
  classes: byClasses,
  states: byStates,
  // without a bound it would take long
  bounds: (execution, automaton) => byBound(execution, automaton, { mostPreemptions: 2 }),
  'random walk': (execution, automaton) =>
    bySamples(execution, automaton, new RandomWalk(new Random(1)), { samples: 500 }),
  'partial-order sampling': (execution, automaton) =>
    bySamples(execution, automaton, new PartialOrderSampling(new Random(1)), { samples: 500 }),
};

function engineFor(name: string, one: Program, spec: Spec): Engine {
  const execution = new Execution(one);
  return ENGINES[name](execution, new SpecAutomaton(spec, execution.calls, execution.outcomes));
}

/** The first violation, if any. */
function finding(engine: Engine, budget = 10_000): ScheduleViolation | undefined {
  for (;;) {
    const found = engine.advance(budget);
    if (found) return found === 'done' ? undefined : found;
  }
}

const ref = <T>(value: T) => new AtomicRef(value);
const push = (value: number) => call('push', (one: TreiberStack, memory) => one.push(memory, value), value);
const pop = call('pop', (one: TreiberStack, memory) => one.pop(memory));
const treiber = program(
  () => new TreiberStack(ref),
  [
    [push(1), pop],
    [push(2), pop],
  ],
);
const enqueue = (value: number) =>
  call('enqueue', (one: MichaelScottQueue, memory) => one.enqueue(memory, value), value);
const dequeue = call('dequeue', (one: MichaelScottQueue, memory) => one.dequeue(memory));
const michaelScott = program(
  () => new MichaelScottQueue(ref),
  [
    [enqueue(1), dequeue],
    [enqueue(2), dequeue],
  ],
);

/** A counter that reads and writes in two steps. */
const increment = call<AtomicRef<number>>('increment', function* (one) {
  const old = yield* one.$get();
  yield* one.$set(old + 1);
});
const read = call<AtomicRef<number>>('read', (one) => one.$get());
const racy = program(() => new AtomicRef(0), [[increment], [increment, read]]);

/** Each thread increments and reads a counter of its own. Not linearizable, although no two accesses conflict. */
const ownIncrement = (thread: number) =>
  call<readonly AtomicRef<number>[]>('increment', (counters) => increment.run(counters[thread]!, undefined!));
const ownRead = (thread: number) =>
  call<readonly AtomicRef<number>[]>('read', (counters) => counters[thread].$get());
const split = program(() => [new AtomicRef(0), new AtomicRef(0)], [[ownIncrement(0)], [ownRead(1)]]);

describe.each(Object.keys(ENGINES))('by %s', (name) => {
  test.each([
    ['Treiber’s stack', treiber, stack() as Spec],
    ['the queue of Michael and Scott', michaelScott, queue() as Spec],
  ])('nothing is found in %s', (_, one, spec) => {
    expect(finding(engineFor(name, one, spec))).toBeUndefined();
  });

  test('a lost update is found, and its schedule gives a history that check refuses', () => {
    const found = finding(engineFor(name, racy, counter() as Spec));
    expect(found?.kind).toBe('outcome');
    const { history, followed, isStuck } = traceProgram(racy, found!.schedule);
    expect(followed).toBe(found!.schedule.length);
    expect(isStuck).toBe(false);
    expect(check(history, counter() as Spec).kind).toBe('violation');
  });

  test('a violation that only the order of calls and returns shows is found', () => {
    const found = finding(engineFor(name, split, counter() as Spec));
    const { history } = traceProgram(split, found!.schedule);
    expect(check(history, counter() as Spec).kind).toBe('violation');
  });

  test('the violation does not depend on the step budget of a slice', () => {
    const inSlices = finding(engineFor(name, racy, counter() as Spec), 1);
    expect(inSlices).toEqual(finding(engineFor(name, racy, counter() as Spec)));
  });
});

test('partial-order reduction executes each class once', () => {
  const counts = [
    [treiber, stack()],
    [michaelScott, queue()],
    [split, counter()],
  ].map(([one, spec]) => {
    const engine = engineFor('classes', one as Program, spec as Spec);
    while (engine.advance(10_000) !== 'done');
    return engine.stats.executions;
  });
  expect(counts).toEqual([46, 222, 1]);
});

test('preemption bounding reports the bound that it completed', () => {
  const engine = engineFor('bounds', treiber, stack() as Spec);
  expect(finding(engine)).toBeUndefined();
  expect(engine.coverage).toEqual({ kind: 'bound', preemptions: 2 });
});

test('an engine that explored all schedules reports it', () => {
  for (const name of ['classes', 'states']) {
    const engine = engineFor(name, treiber, stack() as Spec);
    expect(engine.coverage).toBeUndefined();
    expect(finding(engine)).toBeUndefined();
    expect(engine.coverage).toEqual({ kind: 'all' });
  }
});

describe.each(['classes', 'states', 'bounds'])('by %s', (name) => {
  test('a run that never ends is abandoned, and coverage is not claimed', () => {
    const counts = call<AtomicRef<number>>('increment', function* (_, memory) {
      const mark = memory.mark();
      for (let i = 0; ; i++) {
        yield access(NOTHING, 0);
        memory.again(mark, 1, i);
      }
    });
    const engine = engineFor(
      name,
      program(() => new AtomicRef(0), [[counts]]),
      counter() as Spec,
    );
    expect(finding(engine)).toBeUndefined();
    expect(engine.stats.unfinished).toBeGreaterThan(0);
    expect(engine.coverage).toBeUndefined();
  });

  test('a call that blocks although the spec does not block is reported', () => {
    const leaks = call<{ lock: Mutex }>('increment', function* ({ lock }) {
      yield* lock.$lock();
    });
    const found = finding(
      engineFor(
        name,
        program(() => ({ lock: new Mutex() }), [[leaks], [leaks]]),
        counter() as Spec,
      ),
    );
    expect(found?.kind).toBe('wait');
    const { history, isStuck } = traceProgram(
      program(() => ({ lock: new Mutex() }), [[leaks], [leaks]]),
      found!.schedule,
    );
    expect(isStuck).toBe(true);
    expect(history.stuck).toBe(true);
    expect(check(history, counter() as Spec).kind).toBe('violation');
  });
});

test('a program that behaves differently when it is run again is an error', () => {
  let runs = 0;
  const moody = call<AtomicRef<number>>('read', function* (one) {
    if (++runs % 2 === 0) yield* one.$set(0);
    yield* one.$get();
    return yield* one.$get();
  });
  const engine = engineFor(
    'classes',
    program(() => new AtomicRef(0), [[moody], [increment]]),
    counter() as Spec,
  );
  expect(() => finding(engine)).toThrow(ProgramError);
});

describe('competition', () => {
  /** An engine that finishes after this many slices. `granted` sums up its step budgets. */
  function engine(
    slices: number,
    coverage: Coverage | undefined,
    found?: ScheduleViolation,
  ): Engine & { granted: number } {
    let left = slices;
    const own = {
      name: String(slices),
      granted: 0,
      stats: noStats(),
      advance,
      coverage: undefined as Coverage | undefined,
    };
    function advance(budget: number): ScheduleViolation | 'done' | undefined {
      own.granted += budget;
      own.stats.executions++;
      if (--left > 0) return undefined;
      own.coverage = coverage;
      return found ?? 'done';
    }
    return own;
  }
  const ALL: Coverage = { kind: 'all' };

  test('the engine that finishes first decides for both', () => {
    const [slow, fast] = [engine(9, ALL), engine(3, ALL)];
    const both = new Competition([() => slow, () => fast]);
    expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
    expect(both.coverage).toEqual(ALL);
    expect([slow.granted, fast.granted]).toEqual([150, 150]);
    expect(both.stats.executions).toBe(6);
  });

  test('an engine that finishes without full coverage drops out, and the other continues alone', () => {
    const [blind, other] = [engine(1, undefined), engine(3, ALL)];
    const both = new Competition([() => blind, () => other]);
    expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
    expect([blind.granted, other.granted]).toEqual([50, 250]);
  });

  test('a competition in which no engine covers all schedules claims no coverage', () => {
    const [one, two] = [engine(1, undefined), engine(2, undefined)];
    const both = new Competition([() => one, () => two]);
    expect([both.advance(100), both.advance(100)]).toEqual([undefined, 'done']);
    expect(both.coverage).toBeUndefined();
  });

  test('a violation that one engine finds is returned', () => {
    const finding: ScheduleViolation = { kind: 'wait', operation: 1, schedule: [0] };
    const [slow, fast] = [engine(5, ALL), engine(1, undefined, finding)];
    expect(new Competition([() => slow, () => fast]).advance(100)).toBe(finding);
  });

  test('the second engine never starts if the first finishes at once', () => {
    const never = (): Engine => {
      throw new Error('begun');
    };
    expect(new Competition([() => engine(1, ALL), never]).advance(100)).toBe('done');
  });
});

describe('values that can be renamed', () => {
  /** Without compare-and-set, a push may be lost. */
  class LossyStack {
    readonly #head = new AtomicRef<{ value: number; next: unknown } | null>(null);
    *push(value: number) {
      yield this.#head.read;
      const next = this.#head.get();
      yield this.#head.write;
      this.#head.set({ value, next });
    }
    *pop() {
      yield this.#head.update;
      const first = this.#head.get();
      if (first !== null) this.#head.set(first.next as typeof first);
      return first?.value ?? null;
    }
    contents$(visit: (value: unknown) => void): void {
      visit(this.#head);
    }
  }
  const push = (value: number) => call('push', (one: LossyStack) => one.push(value), value);
  const pop = call('pop', (one: LossyStack) => one.pop());
  const lossy = program(
    () => new LossyStack(),
    [
      [push(1), pop],
      [push(2), pop],
      [pop, push(3)],
    ],
  );
  const correct = program(
    () => new TreiberStack((value) => new AtomicRef(value)),
    [1, 2].map((value) => [
      call('push', (one: TreiberStack, memory) => one.push(memory, value), value),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
      call('pop', (one: TreiberStack, memory) => one.pop(memory)),
    ]),
  );

  function search(one: Program, more: Partial<Program>) {
    const execution = new Execution({ ...one, ...more });
    const learned = new LearnedRuns(execution.calls.length);
    new SequentialRuns(execution, learned).advance(Number.POSITIVE_INFINITY);
    const engine = byStates(execution, new LearnedAutomaton(learned));
    let violations = 0;
    for (let end = engine.advance(1); end !== 'done'; end = engine.advance(1)) if (end) violations++;
    return { isViolation: violations > 0, states: engine.stats.states, coverage: engine.coverage };
  }

  test.each([
    ['a stack that loses values', lossy, [1, 2, 3], true],
    ['a correct stack', correct, [1, 2], false],
  ] as const)('%s: the verdict is the same, with fewer states', (_, one, values, isViolation) => {
    const plain = search(one as Program, {});
    const threads = search(one as Program, { hasNamedCalls: true });
    const renamed = search(one as Program, { hasNamedCalls: true, values });
    expect([plain.isViolation, threads.isViolation, renamed.isViolation]).toEqual(
      Array.from({ length: 3 }, () => isViolation),
    );
    expect(renamed.coverage).toEqual({ kind: 'all' });
    expect(threads.states).toBeLessThan(plain.states);
    expect(renamed.states).toBeLessThan(threads.states);
  });
});
