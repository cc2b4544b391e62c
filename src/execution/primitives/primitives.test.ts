/** Primitives under all schedules: the outcomes of calls, and the calls that are blocked forever. */
import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { allResults } from '../../../test/support/oracles/brute-force.js';
import type { Call, Program } from '../program.js';
import { AtomicRef } from './atomic-ref.js';
import { Monitor, Mutex, Semaphore } from './locks.js';

/** The distinct results of a program: the outcome of each call, or '-' if the call is blocked forever. */
function distinctResults(one: Program): string[] {
  const found = allResults(one, 100_000)!.map(({ outcomes, pending }) =>
    outcomes.map((outcome, k) => (pending & (1 << k) ? '-' : outcome && value(outcome))).join(' '),
  );
  return [...new Set(found)].sort();
}
const value = (outcome: string): string => {
  const outcomeOf = JSON.parse(outcome);
  return outcomeOf.kind === 'threw' ? outcomeOf.error : String(outcomeOf.value);
};

const adds = call<{ lock: Mutex; count: AtomicRef<number> }>('adds', function* ({ lock, count }) {
  yield* lock.$lock();
  const old = yield* count.$get();
  yield* count.$set(old + 1);
  yield* lock.$unlock();
  return old;
});
const locked = () => ({ lock: new Mutex(), count: new AtomicRef(0) });

describe('a mutex', () => {
  test('excludes other threads', () => {
    expect(distinctResults(program(locked, [[adds], [adds]]))).toEqual(['0 1', '1 0']);
  });

  test('that is never unlocked blocks all later lock calls', () => {
    const leaks = call<{ lock: Mutex }>('leaks', function* ({ lock }) {
      yield* lock.$lock();
      return 'mine';
    });
    expect(distinctResults(program(locked, [[leaks], [leaks]]))).toEqual(['- mine', 'mine -']);
    expect(distinctResults(program(locked, [[leaks, leaks]]))).toEqual(['mine -']);
  });

  test('locked in two orders can deadlock', () => {
    const both = (first: number) =>
      call<readonly Mutex[]>('both', function* (locks) {
        yield* locks[first].$lock();
        yield* locks[1 - first].$lock();
        yield* locks[first].$unlock();
        yield* locks[1 - first].$unlock();
        return 'done';
      });
    const results = distinctResults(program(() => [new Mutex(), new Mutex()], [[both(0)], [both(1)]]));
    expect(results).toEqual(['- -', 'done done']);
  });

  test('can be tried, and unlocked only by its owner', () => {
    const tries = call<{ lock: Mutex }>('tries', function* ({ lock }) {
      const isMine = yield* lock.$tryLock();
      yield* lock.$unlock();
      return isMine;
    });
    expect(distinctResults(program(locked, [[tries], [tries]]))).toEqual([
      `${refused('Mutex.unlock')} true`,
      `true ${refused('Mutex.unlock')}`,
      'true true',
    ]);
  });
});

/** The error of a call by a thread that is not the owner. */
function refused(call: string): string {
  return `Error: ${call} by a thread that does not hold it`;
}

describe('a monitor', () => {
  interface Box {
    readonly monitor: Monitor;
    readonly full: AtomicRef<boolean>;
  }
  const box = (): Box => ({ monitor: new Monitor(), full: new AtomicRef(false) });
  const waits = (name: string): Call<Box> =>
    call(name, function* ({ monitor, full }) {
      yield* monitor.$enter();
      while (!(yield* full.$get())) yield* monitor.$wait();
      yield* full.$set(false);
      yield* monitor.$exit();
      return name;
    });
  const fills = (how: '$notify' | '$notifyAll', isFirst = false): Call<Box> =>
    call(how, function* ({ monitor, full }) {
      yield* monitor.$enter();
      if (isFirst) yield* monitor[how]();
      yield* full.$set(true);
      if (!isFirst) yield* monitor[how]();
      yield* monitor.$exit();
      return 'filled';
    });

  test('wakes one sleeper, and each of them in some execution', () => {
    const results = distinctResults(program(box, [[waits('a')], [waits('b')], [fills('$notify')]]));
    expect(results).toEqual(['- b filled', 'a - filled']);
  });

  test('wakes all sleepers, and the one that finds nothing waits again', () => {
    const results = distinctResults(program(box, [[waits('a')], [waits('b')], [fills('$notifyAll')]]));
    expect(results).toEqual(['- b filled', 'a - filled']);
  });

  test('forgets a notification for which no thread waits', () => {
    const careless = call<Box>('careless', function* ({ monitor }) {
      yield* monitor.$enter();
      yield* monitor.$wait();
      yield* monitor.$exit();
      return 'woken';
    });
    expect(distinctResults(program(box, [[careless], [fills('$notify')]]))).toEqual([
      '- filled',
      'woken filled',
    ]);
  });

  test('may be notified before the write, since the woken thread needs the lock first', () => {
    expect(distinctResults(program(box, [[waits('a')], [fills('$notify', true)]]))).toEqual(['a filled']);
  });

  test('can be entered twice by its owner, and is released by the second exit', () => {
    const twice = call<Box>('twice', function* ({ monitor, full }) {
      yield* monitor.$enter();
      yield* monitor.$enter();
      yield* full.$set(true);
      yield* monitor.$exit();
      yield* full.$set(false);
      yield* monitor.$exit();
    });
    const looks = call<Box>('looks', function* ({ monitor, full }) {
      yield* monitor.$enter();
      const isFull = yield* full.$get();
      yield* monitor.$exit();
      return isFull;
    });
    expect(distinctResults(program(box, [[twice], [looks]]))).toEqual(['undefined false']);
  });

  test.each(['$wait', '$notify', '$notifyAll', '$exit'] as const)(
    'refuses %s by a thread that does not hold it',
    (method) => {
      const outside = call<Box>(method, function* ({ monitor }) {
        yield* monitor[method]();
      });
      expect(distinctResults(program(box, [[outside]]))).toEqual([refused(`Monitor.${method.slice(1)}`)]);
    },
  );

  test('can be tried', () => {
    const tries = call<Box>('tries', function* ({ monitor }) {
      const isIn = yield* monitor.$tryEnter();
      if (isIn) yield* monitor.$exit();
      return isIn;
    });
    expect(distinctResults(program(box, [[tries], [tries]]))).toEqual([
      'false true',
      'true false',
      'true true',
    ]);
  });
});

describe('a semaphore', () => {
  const acquires = (permits: number) =>
    call<Semaphore>('acquires', function* (semaphore) {
      yield* semaphore.$acquire(permits);
      return 'in';
    });
  const releases = call<Semaphore>('releases', function* (semaphore) {
    yield* semaphore.$release();
    return 'out';
  });

  test('admits as many threads as there are permits', () => {
    const three = [[acquires(1)], [acquires(1)], [acquires(1)]];
    expect(distinctResults(program(() => new Semaphore(2), three))).toEqual([
      '- in in',
      'in - in',
      'in in -',
    ]);
    expect(distinctResults(program(() => new Semaphore(0), [[acquires(1)], [releases]]))).toEqual(['in out']);
  });

  test('grants several permits at once, or none', () => {
    expect(distinctResults(program(() => new Semaphore(1), [[acquires(2)], [acquires(1)]]))).toEqual([
      '- in',
    ]);
    expect(distinctResults(program(() => new Semaphore(1), [[acquires(2)], [releases]]))).toEqual(['in out']);
  });

  test('can be tried', () => {
    const tries = call<Semaphore>('tries', function* (semaphore) {
      return yield* semaphore.$tryAcquire();
    });
    expect(distinctResults(program(() => new Semaphore(1), [[tries], [tries]]))).toEqual([
      'false true',
      'true false',
    ]);
  });
});

test('an atomic reference swaps values and compares before it sets', () => {
  const swaps = call<AtomicRef<string>>('swaps', function* (ref) {
    return yield* ref.$exchange('b');
  });
  const sets = call<AtomicRef<string>>('sets', function* (ref) {
    return yield* ref.$compareAndSet('a', 'c');
  });
  expect(distinctResults(program(() => new AtomicRef('a'), [[swaps], [sets]]))).toEqual([
    'a false',
    'c true',
  ]);
});

test('outside of an exploration, primitives work for one thread, and throw where it would block', () => {
  const [lock, monitor, semaphore] = [new Mutex(), new Monitor(), new Semaphore(1)];
  lock.lock();
  expect(() => lock.lock()).toThrow('is its caller instrumented?');
  lock.unlock();
  monitor.enter();
  monitor.notify();
  monitor.notifyAll();
  expect(() => monitor.wait()).toThrow('would block forever');
  monitor.exit();
  semaphore.acquire();
  expect(() => semaphore.acquire()).toThrow('is its caller instrumented?');
  semaphore.release();
  expect([lock.tryLock(), monitor.tryEnter(), semaphore.tryAcquire()]).toEqual([true, true, true]);
  expect(new AtomicRef(1).exchange(2)).toBe(1);
});
