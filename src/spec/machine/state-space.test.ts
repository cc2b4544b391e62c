import { List } from 'immutable';
import { describe, expect, test } from 'vitest';
import { blocked, oneOf, refuse, type Spec, SpecError, threw } from '../spec.js';
import { StateSpace } from './state-space.js';

const spec = (method: (...all: never[]) => unknown, initial: unknown = [1]): Spec =>
  ({ name: 'test', initial, methods: { run: method } }) as unknown as Spec;

/** The message of the error that a method is blamed with. */
function blame(method: (...all: never[]) => unknown, initial?: unknown): string {
  const space = new StateSpace(spec(method, initial));
  try {
    space.apply(space.initial, 'run', [7]);
  } catch (error) {
    if (error instanceof SpecError) return error.message;
    throw error;
  }
  return 'nothing';
}

describe('states', () => {
  test('are numbered by content', () => {
    const space = new StateSpace(spec((state: number[], item: number) => [[item], state[0]]));
    expect(space.initial).toBe(0);
    expect(space.apply(0, 'run', [2])).toEqual([{ next: 1, outcome: { kind: 'returned', value: 1 } }]);
    expect(space.apply(1, 'run', [1])).toEqual([{ next: 0, outcome: { kind: 'returned', value: 2 } }]);
    expect(space.state(1)).toEqual([2]);
  });

  test('are numbered by their key where the spec has one', () => {
    const modulo: Spec = {
      ...spec((state: number, amount: number) => [state + amount, null], 0),
      key: (state: number) => state % 3,
    };
    const space = new StateSpace(modulo);
    expect(space.apply(0, 'run', [3])[0].next).toBe(0);
    expect(space.apply(0, 'run', [4])[0].next).toBe(1);
  });

  test('may be values of immutable.js', () => {
    const space = new StateSpace(
      spec((state: List<number>, item: number) => [state.push(item).take(1), 0], List()),
    );
    const [{ next }] = space.apply(0, 'run', [5]);
    expect(next).toBe(1);
    expect(space.apply(next, 'run', [6])[0].next).toBe(next);
  });

  test('may be left as they are', () => {
    const space = new StateSpace(spec((state: unknown) => [state, threw('Full')]));
    expect(space.apply(0, 'run', [])).toEqual([{ next: 0, outcome: { kind: 'threw', error: 'Full' } }]);
  });

  test('that wait have no answer, those with a choice have several', () => {
    expect(new StateSpace(spec(() => blocked)).apply(0, 'run', [])).toEqual([]);
    const choosing = new StateSpace(spec((state: unknown) => oneOf([state, 1], [[2], 2])));
    expect(choosing.apply(0, 'run', []).map(({ next }) => next)).toEqual([0, 1]);
  });

  test('that refuse have no transition, but a reason, and do not block', () => {
    const refusing = new StateSpace(spec(() => refuse('too low')));
    expect(refusing.apply(0, 'run', [])).toEqual([]);
    expect(refusing.refusalReasons(0, 'run', [])).toEqual(['too low']);
    expect(refusing.isBlocked(0, 'run', [])).toBe(false);
    expect(new StateSpace(spec(() => blocked)).isBlocked(0, 'run', [])).toBe(true);
  });

  test('may refuse one choice and give another', () => {
    const choosing = new StateSpace(spec((state: unknown) => oneOf(refuse('too low'), [state, 1])));
    expect(choosing.apply(0, 'run', [])).toHaveLength(1);
    expect(choosing.refusalReasons(0, 'run', [])).toEqual(['too low']);
    expect(choosing.isBlocked(0, 'run', [])).toBe(false);
  });
});

describe('an invalid method is reported by name', () => {
  test('when it mutates its state', () => {
    const push = (state: number[], item: number) => {
      state.push(item);
      return [state, null];
    };
    expect(blame(push)).toBe('spec test: run(7) mutates its state; it must return a new state');
  });

  test('when it changes something deep inside the state', () => {
    const deep = (state: { inner: { n: number }[] }) => {
      state.inner[0].n++;
      return [{ inner: [] }, null];
    };
    expect(blame(deep, { inner: [{ n: 1 }] })).toBe(
      'spec test: run(7) mutates its state; it must return a new state',
    );
  });

  test('when it throws, with the state and the error', () => {
    const cause = new RangeError('no such item');
    const thrower = () => {
      throw cause;
    };
    expect(blame(thrower)).toBe('spec test: run(7) threw in state [1]: RangeError: no such item');
    const space = new StateSpace(spec(thrower));
    expect(() => space.apply(0, 'run', [])).toThrow(expect.objectContaining({ cause }));
  });

  test('when it throws what is no error', () => {
    const thrower = () => {
      throw 'up';
    };
    expect(blame(thrower)).toBe('spec test: run(7) threw in state [1]: "up"');
  });

  test('when it depends on something else than state and arguments', () => {
    let calls = 0;
    const fickle =
      'spec test: run(7) is not deterministic: a second call in the same state gave another result; it must depend only on state and arguments';
    expect(blame((state: unknown) => [state, calls++])).toBe(fickle);
    expect(blame(() => [calls++, null])).toBe(fickle);
    expect(blame((state: unknown) => (calls++ % 2 ? blocked : [state, null]))).toBe(fickle);
    expect(blame((state: unknown) => [state, calls++ % 2 ? threw('Closed') : null])).toBe(fickle);
    expect(blame(() => (calls++ % 2 ? blocked : refuse('no')))).toBe(fickle);
  });

  test('when it does so only later', () => {
    let calls = 0;
    const space = new StateSpace(spec((state: unknown) => [state, calls++ < 100 ? 0 : calls]));
    expect(() => {
      for (let i = 0; i < 200; i++) space.apply(0, 'run', []);
    }).toThrow(/^spec test: run\(\) is not deterministic/);
  });

  test('when it refuses without a reason in words', () => {
    expect(blame(() => refuse(undefined as never))).toBe(
      'spec test: run(7) is refused with the reason undefined; expected a string',
    );
  });

  test.each([
    ['a method', () => Promise.resolve([[1], null])],
    ['a method that rejects', () => Promise.reject(new Error('later'))],
    ['a result', (state: unknown) => [state, Promise.resolve(1)]],
    ['a state', () => [Promise.resolve([1]), null]],
  ])('when it gives a promise: %s', (_, method) => {
    expect(blame(method)).toBe('spec test: run(7) returned a promise; spec methods are synchronous');
  });

  test.each([
    ['nothing', () => undefined, 'undefined'],
    ['only a state', () => [[1]], '[[1]]'],
    ['three things', () => [1, 2, 3], '[1, 2, 3]'],
    ['an object', () => ({ next: 1, result: 2 }), '{next: 1, result: 2}'],
    ['a choice of something else', () => oneOf([1, 2], 3 as never), '3'],
  ])('when it gives %s', (_, method, shown) => {
    expect(blame(method)).toBe(
      `spec test: run(7) returned ${shown}; expected [next state, result], oneOf(…), refuse(…) or blocked`,
    );
  });
});

test('unneeded states are forgotten, and the others are renumbered', () => {
  const space = new StateSpace({
    name: 'list',
    initial: [] as number[],
    methods: { add: (items: number[], item: number) => [[...items, item], undefined] },
  } as unknown as Spec);
  const next = (state: number, item: number) => space.apply(state, 'add', [item])[0].next;
  const [one, two] = [next(space.initial, 1), next(space.initial, 2)];
  const both = next(one, 2);
  expect(space.size).toBe(4);
  const numbers = space.retain([both, two, both]);
  expect(space.size).toBe(3);
  expect([...numbers.keys()]).toEqual([both, two]);
  expect(space.state(numbers.get(both) as number)).toEqual([1, 2]);
  expect(space.state(space.initial)).toEqual([]);
  expect(next(space.initial, 2)).toBe(numbers.get(two));
  expect(space.state(next(space.initial, 1))).toEqual([1]);
});

// the query makes another module of the same file
const COPY = '../spec.js?copy';
const other = (await import(/* @vite-ignore */ COPY)) as typeof import('../spec.js');

describe('values of another loaded copy of the package', () => {
  test('are of another module', () => {
    expect(other.oneOf).not.toBe(oneOf);
  });

  test.each([
    ['threw', () => [1, other.threw('Closed')], [{ kind: 'threw', error: 'Closed' }], false],
    ['oneOf', () => other.oneOf([1, 2], [1, 3]), [2, 3].map((value) => ({ kind: 'returned', value })), false],
    [
      'a choice that is refused',
      () => other.oneOf([1, 2], refuse('no')),
      [{ kind: 'returned', value: 2 }],
      false,
    ],
    ['refuse', () => other.refuse('no'), [], false],
    ['blocked', () => other.blocked, [], true],
  ])('are recognised: %s', (_, method, outcomes, isBlocked) => {
    const space = new StateSpace(spec(method));
    expect(space.apply(space.initial, 'run', []).map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(space.isBlocked(space.initial, 'run', [])).toBe(isBlocked);
  });
});
