/** A call of a ready-made object with more arguments than the method takes is an error, wherever the call is judged. */
import { describe, expect, test } from 'vitest';
import { check } from '../src/check/check.js';
import { OnlineMonitor } from '../src/check/online/monitor.js';
import { HistoryBuilder } from '../src/history/builder/builder.js';
import type { History } from '../src/history/history.js';
import { objects, syncObjects } from '../src/objects/registry.js';
import { type AnySpec, isSyncSpec, methodNames } from '../src/spec/rendezvous/sync-spec.js';

const SPECS: readonly AnySpec[] = [...Object.values(objects), ...Object.values(syncObjects)].map((create) =>
  create({}),
);

const CASES = SPECS.flatMap((spec) =>
  methodNames(spec).map((method) => ({ spec, method, most: spec.maxArguments?.[method] ?? Number.NaN })),
);

/** A history of one pending call. */
function historyOf(method: string, args: readonly unknown[]): History {
  const builder = new HistoryBuilder();
  builder.operation({ process: 'A', method, args, outcome: { kind: 'pending' }, call: 1 });
  return builder.finish();
}

const argumentsOf = (spec: AnySpec, count: number): unknown[] =>
  Array.from({ length: count }, () => (spec.name === 'txn-map' ? [] : 1));

describe.each(CASES)('$spec.name: $method', ({ spec, method, most }) => {
  const args = argumentsOf(spec, most);

  test('the spec declares how many arguments it takes', () => {
    expect(most).toBeGreaterThanOrEqual(isSyncSpec(spec) ? 0 : spec.methods[method].length - 1);
    expect(() => check(historyOf(method, args), spec)).not.toThrow();
  });

  test.each([[[7]], [[null, false]], [[undefined, '']]])('surplus arguments %j are an error', (surplus) => {
    const all = [...args, ...surplus];
    const message = `${method} has ${all.length === 1 ? '1 argument' : `${all.length} arguments`}, `;
    expect(() => check(historyOf(method, all), spec)).toThrow(`operation 0: ${message}`);
    // other rendezvous cannot be monitored
    if (isSyncSpec(spec) && !spec.pairs) return;
    expect(() => new OnlineMonitor(spec).push({ type: 'call', process: 'A', method, args: all })).toThrow(
      message,
    );
  });

  test('null and undefined after the last argument have no meaning', () => {
    expect(() => check(historyOf(method, [...args, null, undefined]), spec)).not.toThrow();
  });
});

test('a history that several monitors and searches could decide is refused by all of them', () => {
  const builder = new HistoryBuilder();
  const outcome = { kind: 'returned', value: undefined } as const;
  builder.operation({ process: 'A', method: 'write', args: [1], outcome, call: 1, return: 2 });
  builder.operation({ process: 'A', method: 'write', args: ['x', 1], outcome, call: 3, return: 4 });
  const history = builder.finish();
  for (const algorithm of ['auto', 'search', 'jit-graph', 'wg-tree'] as const)
    expect(() => check(history, objects.register({}), { algorithm })).toThrow(
      'operation 1: write has 2 arguments, "x", 1; expected at most 1 for spec register',
    );
});
