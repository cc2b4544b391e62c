/** The engines on objects that are known to be right, and on some that are known to be wrong. */
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
import { Mutex } from '../../execution/primitives/mutex.js';
import type { Program } from '../../execution/program.js';
import { counter } from '../../objects/cells/counter.js';
import { queue, stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import { SpecAutomaton } from '../automata/spec-automaton.js';
import type { Automaton } from '../model/automaton.js';
import { type Coverage, type Engine, noStats, type ScheduleViolation } from '../model/engine.js';
import { traceProgram } from '../trace/trace.js';
import { byBound, byClasses, bySamples, byStates, Competition } from './engines.js';
import { PartialOrderSampling } from './sampling.js';

const ENGINES: Readonly<Record<string, (execution: Execution, automaton: Automaton) => Engine>> = {
  classes: byClasses,
  states: byStates,
  // all of them would take long
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

/** The first finding, or none. */
function finding(engine: Engine, fuel = 10_000): ScheduleViolation | undefined {
  for (;;) {
    const found = engine.advance(fuel);
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

/** A counter for each thread: to read is to read one's own. Wrong, though no two accesses conflict. */
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

  test('what only the order of calls and returns shows is found', () => {
    const found = finding(engineFor(name, split, counter() as Spec));
    const { history } = traceProgram(split, found!.schedule);
    expect(check(history, counter() as Spec).kind).toBe('violation');
  });

  test('the same is found however little fuel there is at a time', () => {
    const inSips = finding(engineFor(name, racy, counter() as Spec), 1);
    expect(inSips).toEqual(finding(engineFor(name, racy, counter() as Spec)));
  });
});

test('by classes, executions are as few as the classes', () => {
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

test('when all is explored with few preemptions, it says with how many', () => {
  const engine = engineFor('bounds', treiber, stack() as Spec);
  expect(finding(engine)).toBeUndefined();
  expect(engine.coverage).toEqual({ kind: 'bound', preemptions: 2 });
});

test('when all is explored, it says so', () => {
  for (const name of ['classes', 'states']) {
    const engine = engineFor(name, treiber, stack() as Spec);
    expect(engine.coverage).toBeUndefined();
    expect(finding(engine)).toBeUndefined();
    expect(engine.coverage).toEqual({ kind: 'all' });
  }
});

describe.each(['classes', 'states', 'bounds'])('by %s', (name) => {
  test('a run that never ends is given up, and then not all is covered', () => {
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

  test('who waits where the spec would not is told', () => {
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

test('a program that does something else when it is run again is an error', () => {
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
  /** Is done after so many sips. */
  function engine(
    sips: number,
    coverage: Coverage | undefined,
    found?: ScheduleViolation,
  ): Engine & { fuel: number } {
    let left = sips;
    const own = {
      name: String(sips),
      fuel: 0,
      stats: noStats(),
      advance,
      coverage: undefined as Coverage | undefined,
    };
    function advance(fuel: number): ScheduleViolation | 'done' | undefined {
      own.fuel += fuel;
      own.stats.executions++;
      if (--left > 0) return undefined;
      own.coverage = coverage;
      return found ?? 'done';
    }
    return own;
  }
  const ALL: Coverage = { kind: 'all' };

  test('whoever is done first is done for both', () => {
    const [slow, fast] = [engine(9, ALL), engine(3, ALL)];
    const both = new Competition([() => slow, () => fast]);
    expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
    expect(both.coverage).toEqual(ALL);
    expect([slow.fuel, fast.fuel]).toEqual([150, 150]);
    expect(both.stats.executions).toBe(6);
  });

  test('one that knows less than all drops out, and the other goes on alone', () => {
    const [blind, other] = [engine(1, undefined), engine(3, ALL)];
    const both = new Competition([() => blind, () => other]);
    expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
    expect([blind.fuel, other.fuel]).toEqual([50, 250]);
  });

  test('where none knows all, it is done without saying so', () => {
    const [one, two] = [engine(1, undefined), engine(2, undefined)];
    const both = new Competition([() => one, () => two]);
    expect([both.advance(100), both.advance(100)]).toEqual([undefined, 'done']);
    expect(both.coverage).toBeUndefined();
  });

  test('what one finds is found', () => {
    const finding: ScheduleViolation = { kind: 'wait', operation: 1, schedule: [0] };
    const [slow, fast] = [engine(5, ALL), engine(1, undefined, finding)];
    expect(new Competition([() => slow, () => fast]).advance(100)).toBe(finding);
  });

  test('where the first is done at once, the second never begins', () => {
    const never = (): Engine => {
      throw new Error('begun');
    };
    expect(new Competition([() => engine(1, ALL), never]).advance(100)).toBe('done');
  });
});
