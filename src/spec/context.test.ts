import { describe, expect, test } from 'vitest';
import { check } from '../check/check.js';
import { OnlineMonitor } from '../check/online/monitor.js';
import { givenAutomaton } from '../explore/automata/spec-automaton.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import { sketch } from '../history/drawing/sketch.js';
import { queue } from '../objects/collections/container.js';
import { Machine } from './machine/machine.js';
import { refuse, type Spec, withContext } from './spec.js';

const ids: Spec = {
  name: 'ids',
  initial: 0,
  methods: {
    create: withContext(['outcome'], (last: number, { outcome }) => {
      if (outcome.kind !== 'returned') return [last, 0];
      const id = outcome.value as number;
      return id > last ? [id, id] : refuse(`not above ${last}`);
    }),
  },
};

describe('methods with a context', () => {
  test('an id that the server chose needs no argument', () => {
    expect(check(sketch('A ├─ create() → 7 ─┤├─ create() → 9 ─┤'), ids).kind).toBe('linearizable');
    const verdict = check(sketch('A ├─ create() → 9 ─┤├─ create() → 7 ─┤'), ids);
    expect(verdict).toMatchObject({
      kind: 'violation',
      counterexample: { allowedIsComplete: false, minimal: true, cause: { refused: ['not above 9'] } },
    });
  });

  test('a method sees only the fields that it names', () => {
    const seen: string[][] = [];
    const spec: Spec = {
      ...ids,
      methods: {
        create: withContext(['process'], (state: number, context: object, amount: number) => {
          seen.push(Object.keys(context));
          return [state, amount];
        }),
      },
    };
    expect(check(sketch('A ├─ create(1) → 1 ─┤'), spec).kind).toBe('linearizable');
    expect(new Set(seen.flat())).toEqual(new Set(['process']));
  });

  test('the interval is the recorded one, also of an operation whose outcome is unknown', () => {
    const seen: (readonly number[])[] = [];
    const spec: Spec = {
      ...ids,
      methods: {
        create: withContext(['interval'], (state: number, { interval }) => {
          seen.push(interval);
          return [state, undefined];
        }),
      },
    };
    const builder = new HistoryBuilder({ keepTimes: true });
    const outcome = { kind: 'returned', value: undefined } as const;
    builder.operation({ process: 'A', method: 'create', args: [], outcome, call: 5, return: 8.5 });
    builder.operation({ process: 'B', method: 'create', args: [], outcome: { kind: 'pending' }, call: 6 });
    const machine = new Machine(builder.finish(), spec);
    for (const k of [0, 1]) machine.step(machine.initial, machine.letterOf(k));
    expect(seen).toContainEqual([5, 8.5]);
    expect(seen).toContainEqual([6, Number.POSITIVE_INFINITY]);
  });

  test.each([
    [3, 5, 6, [2, 9]],
    ['0.1', 0.3, 0.7, [0.2, 0.8]],
    [2n, 0n, 1n, [-2, 3]],
    [1, '1e20', '1e20', [-1, 1]],
    ['1e-20', 1, 2, [1, 2]],
  ] as const)(
    'a clock error of %s widens the interval, and rounding makes none shorter',
    (clockError, call, end, expected) => {
      const seen: (readonly number[])[] = [];
      const spec: Spec = {
        ...ids,
        methods: {
          create: withContext(['interval'], (state: number, { interval }) => {
            seen.push(interval);
            return [state, undefined];
          }),
        },
      };
      const builder = new HistoryBuilder({ keepTimes: true, clockError });
      const returned = { kind: 'returned', value: undefined } as const;
      builder.operation({ process: 'A', method: 'create', args: [], outcome: returned, call, return: end });
      builder.operation({ process: 'B', method: 'create', args: [], outcome: { kind: 'pending' }, call });
      const machine = new Machine(builder.finish(), spec);
      for (const k of [0, 1]) machine.step(machine.initial, machine.letterOf(k));
      const [start, stop] = seen[0];
      expect(seen).toContainEqual([start, Number.POSITIVE_INFINITY]);
      expect(start).toBeLessThanOrEqual(expected[0]);
      expect(stop).toBeGreaterThanOrEqual(expected[1]);
      expect([start, stop]).toEqual(expected.map((time) => expect.closeTo(time, 12)));
    },
  );

  test('a result is called allowed only if the method returns it when it sees it', () => {
    const liar: Spec = {
      ...ids,
      methods: {
        create: withContext(['outcome'], (state: number, { outcome }) => [
          state,
          outcome.kind === 'returned' ? (outcome.value as number) + 1 : 4,
        ]),
      },
    };
    const verdict = check(sketch('A ├─ create() → 1 ─┤'), liar);
    expect(verdict).toMatchObject({ kind: 'violation', counterexample: { cause: { allowed: [] } } });
  });

  test.each([
    [
      'without times',
      () =>
        check(sketch('A ├─ create() → 1 ─┤'), {
          ...ids,
          methods: { create: withContext(['interval'], (state: number) => [state, 1]) },
        }),
      'create sees the interval of its operation, but the history has no times; build or read it with keepTimes: true',
    ],
    [
      'with a family',
      () =>
        check(sketch('A ├─ enqueue(1) ─┤'), {
          ...(queue() as Spec),
          methods: {
            ...(queue() as Spec).methods,
            enqueue: withContext(['process'], (state: number) => [state, undefined]),
          },
        }),
      'spec queue: enqueue sees the process of its operation, but the spec has a family',
    ],
    [
      'in a monitor',
      () => new OnlineMonitor(ids).push({ type: 'call', process: 'A', method: 'create', args: [] }),
      'spec ids: create sees the outcome of its operation, but a monitor must judge a call before it has returned',
    ],
    [
      'with an unknown field',
      () => withContext(['result' as 'outcome'], () => [0, 0]),
      'withContext: unknown field "result"; expected a list of outcome, process, interval',
    ],
    [
      'if it mutates the recorded result',
      () =>
        check(sketch('A ├─ create() → [1] ─┤'), {
          ...ids,
          methods: {
            create: withContext(['outcome'], (state: number, { outcome }) => {
              const list = outcome.kind === 'returned' ? (outcome.value as number[]) : [];
              list.push(2);
              return [state, list];
            }),
          },
        }),
      'create mutates the recorded result',
    ],
  ])('%s, an error names the method', (_, run, message) => {
    expect(run).toThrow(message);
  });

  test('a state is printed as the spec describes it', () => {
    const verdict = check(sketch('A ├─ create() → 9 ─┤├─ create() → 7 ─┤'), {
      ...ids,
      describeState: (last: number) => `last id ${last}`,
    });
    expect(verdict).toMatchObject({ counterexample: { cause: { longest: [{ state: 'last id 9' }] } } });
    const bad = { ...ids, describeState: () => 7 as never };
    expect(check(sketch('A ├─ create() → 0 ─┤'), bad)).toMatchObject({
      kind: 'violation',
      counterexample: { failure: expect.stringContaining('describeState returned 7; expected a string') },
    });
  });

  test('an explored program has no context', () => {
    expect(() => givenAutomaton(ids, [], {} as never)).toThrow('an explored program has none');
  });
});
