/** Jepsen adapters: an event that an adapter writes is read back as the same call with the same result. */
import { describe, expect, test } from 'vitest';
import { objects } from '../../objects/registry.js';
import { adapterOf, defaultAdapter, type JepsenAdapter, jepsenAdapter } from './adapter.js';

const LISTS: readonly (readonly unknown[])[] = [
  [],
  [1],
  ['a'],
  [true],
  [false],
  [null],
  [[1, 2]],
  [[[1], [2]]],
  ['k', 1],
  ['k', null],
  [[1], [2]],
  ['k', 1, 2],
];
const RESULTS = [undefined, null, true, false, 0, 1, 'a', [1, 2], [[1], [2]], ['k', 1]];

const named: [string, JepsenAdapter][] = Object.entries(objects).flatMap(([name, create]) => {
  const { jepsen } = create({});
  return jepsen ? [[name, adapterOf(jepsen)]] : [];
});

describe.each([...named, ['the default', defaultAdapter] as const])('%s', (name, adapter) => {
  const methods = Object.hasOwn(objects, name) ? Object.keys(objects[name]({}).methods) : ['f'];

  test('reads back the events that it writes', () => {
    let written = 0;
    for (const method of methods)
      for (const args of LISTS) {
        const invoked = adapter.event(method, args, undefined);
        if (!invoked) continue;
        let call: ReturnType<JepsenAdapter['call']>;
        try {
          call = adapter.call(invoked.f, invoked.value, invoked.key);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          continue;
        }
        expect(call).toEqual({ method, args });
        for (const result of RESULTS) {
          const ended = adapter.event(method, args, { result });
          if (!ended) continue;
          expect(ended.f).toBe(invoked.f);
          let answer: unknown;
          try {
            answer = adapter.result(ended.f, ended.value, args);
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
            continue;
          }
          if (!(answer instanceof Set)) expect(answer ?? null).toEqual(result ?? null);
          written++;
        }
      }
    expect(written).toBeGreaterThan(0);
  });

  test('can write each method of the object', () => {
    for (const method of methods) {
      const spelt = LISTS.some((args) => adapter.event(method, args, undefined));
      if (name !== 'set' || method !== 'add') expect([method, spelt]).toEqual([method, true]);
    }
  });
});

test('a table is an adapter, as the functions made of it are', () => {
  const table = [{ f: 'pay-in', method: 'deposit', argument: 'value', result: 'none' }] as const;
  const functions = jepsenAdapter(table);
  expect(adapterOf(functions)).toBe(functions);
  for (const adapter of [functions, adapterOf(table)])
    expect(adapter.call('pay-in', 5, undefined)).toEqual({ method: 'deposit', args: [5] });
  expect(adapterOf(table)).toBe(adapterOf(table));
  expect(adapterOf(undefined)).toBe(defaultAdapter);
});

test('a value that does not match its function is an error', () => {
  const adapter = jepsenAdapter([
    { f: 'cas', argument: 'pair', result: 'success' },
    { f: 'read', argument: 'none', result: 'value' },
    { f: 'get', key: 'field', argument: 'none', result: 'value' },
    { f: 'put', key: 'pair', argument: 'value', result: 'none' },
    { f: 'has', argument: 'value', result: 'boolean' },
  ]);
  expect(() => adapter.call('cas', 5, undefined)).toThrow(
    new RangeError('unexpected value 5 of cas; expected [old new]'),
  );
  expect(() => adapter.call('get', null, undefined)).toThrow(new RangeError('get has no :key'));
  expect(() => adapter.call('put', 5, undefined)).toThrow(
    new RangeError('unexpected value 5 of put; expected [key value]'),
  );
  expect(() => adapter.call('read', [1, null], undefined)).toThrow(/--independent$/);
  expect(() => adapter.result('has', 5, [5])).toThrow(
    new RangeError('unexpected result 5 of has; expected true or false'),
  );
  expect(adapter.call('drain', null, undefined)).toBeUndefined();
});
