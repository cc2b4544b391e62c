import { expect, test } from 'vitest';
import { isLinearizable } from '../../../test/support/oracles/oracle.js';
import { parseHistory } from '../../formats/read-history.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { queue, stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import type { MonitorCause } from '../model/causes.js';
import { verifyCause } from './registry.js';

const spec = queue() as Spec;
const expectRejected = (history: History, cause: MonitorCause, own: Spec = spec): void =>
  expect(verifyCause(history, own, cause)).toBe(false);

test('an "empty" result is not a value from nowhere', () => {
  expectRejected(sketch`A  |- dequeue() -> null -|`, { kind: 'from nowhere', operation: 0 });
});

test('a returned value is not an "empty" result', () => {
  const history = sketch`
    A  |- push(2) -|  |- push(1) -|
    B                   |- pop() -> 1 -|`;
  const intervals = [{ value: 2, put: 0, taken: undefined }];
  expectRejected(history, { kind: 'never empty', operation: 2, intervals }, stack() as Spec);
});

test('a value interval counts once', () => {
  const history = sketch`
    A  |- enqueue(2) -|  |- dequeue() -> null -|
    B    |- dequeue() -?`;
  const interval = { value: 2, put: 0, taken: undefined };
  expectRejected(history, { kind: 'never empty', operation: 2, intervals: [interval, interval] });
  expectRejected(history, { kind: 'two at the front', operation: 2, intervals: [interval] });
});

test('a value interval names the operations that add and remove the value', () => {
  const history = sketch`A  |- enqueue(1) -|  |- dequeue() -> 1 -|  |- dequeue() -> 1 -|`;
  const cause = (put: number | undefined, taken: number | undefined): MonitorCause => ({
    kind: 'taken twice',
    operation: 2,
    interval: { value: 1, put, taken },
  });
  expect(verifyCause(history, spec, cause(0, 1))).toBe(true);
  expectRejected(history, cause(undefined, 1));
  expectRejected(history, cause(0, undefined));
  expectRejected(history, cause(1, 0));
});

test('a failed operation has no effect', () => {
  const history = sketch`A  |- enqueue(3) -x  |- dequeue() -> 3 -|`;
  expect(verifyCause(history, spec, { kind: 'from nowhere', operation: 1 })).toBe(true);
});

test('null in a file matches an empty result of undefined', () => {
  const history = parseHistory(
    [
      '{"process":"A","method":"enqueue","args":[1],"call":1,"return":2}',
      '{"process":"A","method":"dequeue","call":3,"return":4}',
    ].join('\n'),
  );
  const verdict = check(history, queue({ empty: undefined }) as Spec, { algorithm: 'monitor' });
  expect(verdict).toMatchObject({ kind: 'violation', counterexample: { cause: { kind: 'never empty' } } });
});

/** A spec whose family differs from its methods in one respect. */
const LIES: readonly (readonly [string, Spec, History])[] = [
  ...[['x'], ['x', 'x'], ['x', 'y']].flatMap((initial): [string, Spec, History][] =>
    [queue({ initial }), stack({ initial })].flatMap((own) =>
      [[], ['y'], ['x', 'x', 'x']].map((claimed): [string, Spec, History] => [
        `${own.name} with ${initial} and family.initial ${claimed}`,
        { ...own, family: { ...own.family, initial: claimed } } as Spec,
        own.name === 'queue' ? sketch`A  |- dequeue() -> "x" -|` : sketch`A  |- pop() -> "x" -|`,
      ]),
    ),
  ),
  [
    'stack with the family of a queue',
    {
      ...stack(),
      family: { kind: 'queue', roles: { add: 'push', remove: 'pop' }, empty: null, initial: [] },
    } as Spec,
    sketch`A  |- push(1) -| |- push(2) -| |- pop() -> 2 -|`,
  ],
  [
    'stack with the family of a queue',
    {
      ...stack(),
      family: { kind: 'queue', roles: { add: 'push', remove: 'pop' }, empty: null, initial: [] },
    } as Spec,
    sketch`A  |- push(1) -| |- push(2) -| |- pop() -> 1 -|`,
  ],
  [
    'queue with another result of an empty one',
    { ...queue(), family: { ...queue().family, empty: 7 } } as Spec,
    sketch`A  |- dequeue() -> 7 -|`,
  ],
];

const CONTRADICTION = /^spec (queue|stack): its family and its methods contradict each other/;

test.each(LIES)('a %s is an error that names both', (_, lie, history) => {
  for (const algorithm of ['auto', 'monitor'] as const)
    expect(() => check(history, lie, { algorithm })).toThrow(CONTRADICTION);
  // a search that does not rely on the family gives the verdict of the methods
  let verdict = 'an error';
  try {
    verdict = check(history, lie, { algorithm: 'search' }).kind;
  } catch (error) {
    expect(String(error instanceof Error ? error.message : error)).toMatch(CONTRADICTION);
  }
  expect(['an error', isLinearizable(history, lie) ? 'linearizable' : 'violation']).toContain(verdict);
});
