import { expect, test } from 'vitest';
import { call, program } from '../../test/support/fixtures/calls.js';
import { Execution } from './execution.js';
import { access, CHOOSE, NOTHING, READ } from './memory/access.js';
import { AtomicRef } from './primitives/atomic-ref.js';

const pause = access(NOTHING, 0);
const nothing = () => ({});

test('an access is done when its thread is scheduled, and not before', () => {
  const increment = call<AtomicRef<number>>('increment', function* (ref) {
    yield ref.read;
    const old = ref.get();
    yield ref.write;
    ref.set(old + 1);
    return old;
  });
  const execution = new Execution(program(() => new AtomicRef(0), [[increment], [increment]]));
  execution.reset();
  for (const thread of [0, 1, 0, 1]) execution.step(thread);
  expect(Array.from(execution.outcome, (outcome) => execution.outcomes.at(outcome))).toEqual([
    { kind: 'returned', value: 0 },
    { kind: 'returned', value: 0 },
  ]);
  expect(execution.enabled()).toBe(0);
  expect(execution.pending()).toBe(0);
});

test('the first step of an operation carries its call, and the last step its return', () => {
  const twice = call('twice', function* () {
    yield pause;
    yield pause;
  });
  const none = call('none', function* () {});
  const execution = new Execution(program(nothing, [[twice, none]]));
  execution.reset();
  const steps: unknown[] = [];
  while (execution.enabled()) {
    execution.step(0);
    steps.push([execution.stepped, execution.isFirst, execution.isLast]);
  }
  expect(steps).toEqual([
    [0, true, false],
    [0, false, true],
    [1, true, true],
  ]);
});

test('an error that a call throws is its outcome, by name and message, or by name alone', () => {
  const fails = call('fails', function* () {
    yield pause;
    throw new RangeError('too large');
  });
  const thrown = (hasErrorsByName: boolean) => {
    const execution = new Execution({ ...program(nothing, [[fails]]), hasErrorsByName });
    execution.reset();
    execution.step(0);
    return execution.outcomes.at(execution.outcome[0]);
  };
  expect(thrown(false)).toEqual({ kind: 'threw', error: 'RangeError: too large' });
  expect(thrown(true)).toEqual({ kind: 'threw', error: 'RangeError' });
});

test('calls before finish before any thread starts, and calls after start when all threads have finished', () => {
  const one = call('one', function* () {
    yield pause;
  });
  const execution = new Execution(program(nothing, [[one], [one]], { before: [one], after: [one] }));
  execution.reset();
  const enabled: number[] = [];
  for (const thread of [2, 0, 1, 2]) {
    enabled.push(execution.enabled());
    execution.step(thread);
  }
  expect(enabled).toEqual([0b100, 0b011, 0b010, 0b100]);
  expect(execution.enabled()).toBe(0);
});

test('a thread that has to choose is resumed before any other thread', () => {
  const chooses = call('chooses', function* () {
    yield pause;
    return (yield access(CHOOSE, 3)) * 10;
  });
  const execution = new Execution(program(nothing, [[chooses], [chooses]]));
  execution.reset();
  expect(execution.choosing).toBe(-1);
  execution.step(1);
  expect([execution.choosing, execution.alternatives]).toEqual([1, 3]);
  execution.choose(2);
  expect(execution.choosing).toBe(-1);
  expect(execution.outcomes.at(execution.outcome[1])).toEqual({ kind: 'returned', value: 20 });
});

test.each([
  ['something that is no access', 'announced -1; expected an access', () => -1],
  ['nothing to choose from', 'has to choose one of 0', () => access(CHOOSE, 0)],
])('to announce %s is an error of the program', (_, message, announced) => {
  const wrong = call('wrong', function* () {
    yield announced();
  });
  expect(() => new Execution(program(nothing, [[wrong]])).reset()).toThrow(message);
});

test('more calls than there are bits are refused', () => {
  const one = call('one', function* () {
    yield access(READ, 0);
  });
  expect(() => new Execution(program(nothing, [new Array(31).fill(one)]))).toThrow(
    '31 calls; at most 16 and 30 can be explored',
  );
});

test('an execution that starts with other accesses than the first one is an error', () => {
  const read = call<AtomicRef<number>>('read', function* (ref) {
    yield ref.read;
    return ref.get();
  });
  let made = 0;
  const create = () => {
    // one more object with a name in each execution, so the next one has another name
    for (let i = 0; i < made; i++) new AtomicRef(i);
    made++;
    return new AtomicRef(0);
  };
  const execution = new Execution(program(create, [[read]]));
  execution.reset();
  expect(() => execution.reset()).toThrow(/^read starts with another access than in the first execution/);
});
