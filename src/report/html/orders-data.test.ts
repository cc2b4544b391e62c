import { describe, expect, test } from 'vitest';
import { Random } from '../../base/random.js';
import { check } from '../../check/check.js';
import { partsOf } from '../../check/parts/parts.js';
import { measureConsistency } from '../../consistency/measure.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { register } from '../../objects/cells/register.js';
import { queue } from '../../objects/collections/container.js';
import { map } from '../../objects/collections/map.js';
import { mutex } from '../../objects/locks/mutex.js';
import { channel, counterChannel } from '../../objects/rendezvous/channel.js';
import type { AnySpec, SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { rendezvousOf, walkOrder, walkRendezvous } from './orders-data.js';
import { pageData } from './page-data.js';

test('an order ends with what the sentences say is allowed, though the core of a monitor has few values', () => {
  const history = sketch`
    A  |- write(1) -|
    B                |- write(2) -|
    C                              |- read() -> 7 -|` as History;
  const specOf = () => register() as Spec;
  const verdict = check(history, specOf);
  if (verdict.kind !== 'violation') throw new Error('expected a violation');
  const { core, cause } = verdict.counterexample;
  expect(core.length).toBe(1);
  expect(cause.allowed.map(describeOutcome)).toEqual(['2']);
  const { orders } = pageData({ file: '', spec: '', history, verdict, ms: { read: 0, check: 0 } }, specOf);
  expect(orders[0]).toMatchObject({ isPartial: false, order: [0, 1, 2] });
  expect(orders[0].steps.at(-1)).toEqual({ state: null, allowed: ['2'] });
});

test('steps after all earlier operations allow only what the sentences say', () => {
  let [compared, partial] = [0, 0];
  for (let seed = 0; seed < 80; seed++) {
    const random = new Random(seed);
    const builder = new HistoryBuilder();
    for (let i = 0; i < 9; i++) {
      const isWrite = random.below(2) === 0;
      const call = 10 * i + random.below(10);
      builder.operation({
        process: `p${i}`,
        method: isWrite ? 'write' : 'read',
        args: isWrite ? [i] : [],
        outcome: { kind: 'returned', value: isWrite ? undefined : random.below(i + 1) },
        ...{ call, return: call + 1 + random.below(20) },
      });
    }
    const history = builder.finish() as History;
    const specOf = () => register({ initial: 0 }) as Spec;
    for (const algorithm of ['auto', 'search'] as const) {
      const verdict = check(history, specOf, { algorithm });
      if (verdict.kind !== 'violation') continue;
      const allowed = verdict.counterexample.cause.allowed.map(describeOutcome);
      const result = { file: '', spec: '', history, verdict, ms: { read: 0, check: 0 } };
      const { operation } = verdict.counterexample.cause;
      for (const { isPartial, steps, order } of pageData(result, specOf).orders) {
        const earlier = [...history].filter((own) => own.return < history.at(operation).return);
        expect(isPartial).toBe(!earlier.every(({ id }) => order.includes(id)));
        if (isPartial) partial++;
        if (isPartial) continue;
        compared++;
        expect(allowed).toEqual(expect.arrayContaining([...(steps.at(-1)?.allowed ?? [])]));
      }
    }
  }
  expect(compared).toBeGreaterThan(30);
  expect(partial).toBeGreaterThan(10);
});

test('a drawing has the operation that inserted the allowed value, and the steps say that a write only returns', () => {
  const history = sketch`
    A  |- write(1) -|
    B                |- write(2) -||- write(3) -|
    C                                            |- read() -> 1 -|` as History;
  const specOf = () => register() as Spec;
  const verdict = check(history, specOf);
  const { core, orders } = pageData(
    { file: '', spec: '', history, verdict, ms: { read: 0, check: 0 } },
    specOf,
  );
  expect(core?.shown).toEqual([0, 1, 2, 3]);
  expect(orders[0].steps.map(({ allowed }) => allowed)).toEqual([
    ...orders[0].steps.slice(1).map(() => []),
    ['3'],
  ]);
});

test('the last step says that the call has to block', () => {
  const history = sketch`
    A  |- lock() -|
    B               |- lock() -|` as History;
  const specOf = () => mutex() as Spec;
  const verdict = check(history, specOf);
  const { orders } = pageData({ file: '', spec: '', history, verdict, ms: { read: 0, check: 0 } }, specOf);
  expect(orders[0].steps).toEqual([
    { state: 'locked', allowed: [] },
    { state: null, allowed: ['only to block'] },
  ]);
});

describe('rendezvous-data', () => {
  test('calls of plain objects and rendezvous are merged in one order', () => {
    const history = sketch`
    A  |- jobs.enqueue(1) -|                  |- jobs.dequeue() -> 1 -|
    B     |- line.send(7) -------|
    C        |- line.receive() -> 7 -|
    D                                            |- line.send(8) -------|
    E                                               |- line.receive() -> 8 -|` as History;
    const specOf = (object?: string) => (object === 'jobs' ? queue() : channel()) as AnySpec;
    const steps = rendezvousOf(check(history, specOf), history, specOf);
    expect(steps.map(({ members }) => members)).toEqual([[0], [1, 2], [3], [4, 5]]);
  });
});

const walked = sketch`
  A  |- enqueue(1) -----|   |- dequeue() -> 2 -|
  B    |- enqueue(2) -|                            |- dequeue() -> 2 -|
` as History;
const [part] = partsOf(walked, () => queue() as Spec, { monitors: false });

test('each step has the state after it and the outcomes that the spec allows', () => {
  expect(walkOrder(part, [1, 0, 2], 10)).toEqual({
    start: '[]',
    steps: [
      { operation: 1, state: '[2]', allowed: [{ kind: 'returned', value: undefined }] },
      { operation: 0, state: '[2, 1]', allowed: [{ kind: 'returned', value: undefined }] },
      { operation: 2, state: '[1]', allowed: [{ kind: 'returned', value: 2 }] },
    ],
  });
});

test('the walk ends at an operation that the spec does not allow, which is included', () => {
  const { steps } = walkOrder(part, [0, 1, 2, 3], 10);
  expect(steps.map(({ state }) => state)).toEqual(['[1]', '[1, 2]', undefined]);
  expect(steps[2].allowed).toEqual([{ kind: 'returned', value: 1 }]);
});

test('a long linearization is cut after the first steps', () => {
  expect(walkOrder(part, [1, 0, 2, 3], 2).steps).toHaveLength(2);
});

describe('rendezvous-steps', () => {
  test('the state of the spec after each rendezvous', () => {
    const history = sketch`
    A  |- send("a") -> 1 ------------|  |- send("b") -> 2 ----------|
    B     |- receive() -> ["a", 1] -|     |- receive() -> ["b", 2] -|`;
    const specOf = () => counterChannel() as SyncSpec;
    const verdict = check(history, specOf);
    if (verdict.kind !== 'linearizable') throw new Error('expected rendezvous');
    const rendezvous = (verdict.witness.rendezvous ?? []).map((members) => [...members]);
    expect(walkRendezvous(history, specOf, rendezvous)).toEqual(['1', '2']);
  });
});

describe('a page', () => {
  const history = () => {
    const builder = new HistoryBuilder();
    const add = (process: string, method: string, args: unknown[], value: unknown, call: number): void => {
      builder.operation({
        process,
        method,
        args,
        outcome: { kind: 'returned', value },
        call,
        return: call + 1,
      });
    };
    for (const key of ['x', 'y', 'z']) {
      const at = key.charCodeAt(0) * 10;
      add('A', 'put', [key, 1], undefined, at);
      add('B', 'get', [key], key === 'z' ? 1 : null, at + 4);
    }
    builder.annotate('kill n1', 0, 5000);
    builder.annotate('much later', 6000);
    return builder.finish() as History;
  };
  const data = (isMeasured: boolean, timeout?: number) => {
    const spec = map() as unknown as Spec;
    const own = history();
    const verdict = check(own, spec);
    const consistency = isMeasured ? measureConsistency(own, spec, { timeout }) : undefined;
    const ms = { read: 0, check: 0 };
    const specOf = () => spec;
    return pageData({ file: 'f', spec: 'map', history: own, verdict, ms, specOf, consistency }, specOf);
  };
  const verdicts = (parts: ReturnType<typeof data>['parts']) =>
    parts.map(({ name, verdict }) => `${name}: ${verdict}`).sort();

  test('shows the verdict of each part where all were measured', () => {
    expect(verdicts(data(true).parts)).toEqual(['x: violation', 'y: violation', 'z: linearizable']);
    expect(verdicts(data(true, 0).parts)).toEqual(['x: not examined', 'y: not examined', 'z: not examined']);
    expect(verdicts(data(false).parts)).toContain('x: violation');
    expect(verdicts(data(false).parts)).not.toContain('y: violation');
  });

  test('says which faults lasted during the operations it draws', () => {
    expect(data(false).core?.meanwhile).toBe('Meanwhile: kill n1.');
  });
});
