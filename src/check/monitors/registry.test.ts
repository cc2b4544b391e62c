import { expect, test } from 'vitest';
import { parseHistory } from '../../formats/read-history.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { queue, stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import type { MonitorCause } from '../model/monitor-causes.js';
import { verifyCause } from './registry.js';

const spec = queue() as Spec;
const no = (history: History, cause: MonitorCause, own: Spec = spec): void =>
  expect(verifyCause(history, own, cause)).toBe(false);

test('who found nothing gave no value from nowhere', () => {
  no(sketch`A  |- dequeue() -> null -|`, { kind: 'from nowhere', operation: 0 });
});

test('who gave a value did not find nothing', () => {
  const history = sketch`
    A  |- push(2) -|  |- push(1) -|
    B                   |- pop() -> 1 -|`;
  const stays = [{ value: 2, put: 0, taken: undefined }];
  no(history, { kind: 'never empty', operation: 2, stays }, stack() as Spec);
});

test('a value counts once', () => {
  const history = sketch`
    A  |- enqueue(2) -|  |- dequeue() -> null -|
    B    |- dequeue() -?`;
  const stay = { value: 2, put: 0, taken: undefined };
  no(history, { kind: 'never empty', operation: 2, stays: [stay, stay] });
  no(history, { kind: 'two at the front', operation: 2, stays: [stay] });
});

test('a stay names who put it in and who took it out', () => {
  const history = sketch`A  |- enqueue(1) -|  |- dequeue() -> 1 -|  |- dequeue() -> 1 -|`;
  const cause = (put: number | undefined, taken: number | undefined): MonitorCause => ({
    kind: 'taken twice',
    operation: 2,
    stay: { value: 1, put, taken },
  });
  expect(verifyCause(history, spec, cause(0, 1))).toBe(true);
  no(history, cause(undefined, 1));
  no(history, cause(0, undefined));
  no(history, cause(1, 0));
});

test('operations that failed did not happen', () => {
  const history = sketch`A  |- enqueue(3) -x  |- dequeue() -> 3 -|`;
  expect(verifyCause(history, spec, { kind: 'from nowhere', operation: 1 })).toBe(true);
});

test('in a file, the answer undefined is null', () => {
  const history = parseHistory(
    [
      '{"process":"A","method":"enqueue","args":[1],"call":1,"return":2}',
      '{"process":"A","method":"dequeue","call":3,"return":4}',
    ].join('\n'),
  );
  const verdict = check(history, queue({ empty: undefined }) as Spec, { algorithm: 'monitor' });
  expect(verdict).toMatchObject({ kind: 'violation', counterexample: { cause: { kind: 'never empty' } } });
});
