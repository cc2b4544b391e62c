/** Records of etcd and Porcupine, as Go writes them, and the calls that they become. */
import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.js';
import { EventReader } from './event-reader.js';
import { parseHistory } from './read-history.js';
import { recordMaps } from './record-maps.js';

type Request = Readonly<Record<string, unknown>>;

const etcd = (Input: Request, Output: Request, ClientId = 1) =>
  recordMaps.etcd({ ClientId, Input, Call: 1, Output, Return: 2 }, new Map());
const txn = (success: readonly Request[], failure: readonly Request[] = []): Request => ({
  Type: 'txn',
  Txn: { Conditions: null, OperationsOnSuccess: success, OperationsOnFailure: failure },
});
const put = (Key: string, value: Request): Request => ({ Type: 'put-operation', Put: { Key, Value: value } });
const remove = (Key: string): Request => ({ Type: 'delete-operation', Delete: { Key } });
const range = (Start: string): Request => ({ Type: 'range-operation', Range: { Start, End: '', Limit: 0 } });
const found = (Value: Request): Request => ({ KVs: [{ Key: 'k', Value, ModRevision: 2 }], Count: 1 });

describe('etcd', () => {
  test.each<[string, Request, Request, unknown]>([
    [
      'a put',
      txn([put('k', { Value: '1' })]),
      { Txn: { Results: [{}] } },
      { method: 'put', args: ['k', '1'], result: null },
    ],
    [
      'a long value',
      txn([put('k', { Hash: 7 })]),
      { Txn: {} },
      { method: 'put', args: ['k', '#7'], result: null },
    ],
    ['an empty value', txn([put('k', {})]), { Txn: {} }, { method: 'put', args: ['k', ''], result: null }],
    [
      'a put without an answer',
      txn([put('k', { Value: '1' })]),
      { Error: 'timeout' },
      { method: 'put', unknown: 'timeout' },
    ],
    [
      'a put known to be persisted',
      txn([put('k', { Value: '1' })]),
      { Persisted: true },
      { method: 'put', unknown: 'persisted, without an answer' },
    ],
    [
      'a delete',
      txn([remove('k')]),
      { Txn: { Results: [{ Deleted: 1 }] } },
      { method: 'remove', args: ['k'], result: true },
    ],
    [
      'a delete of nothing',
      txn([remove('k')]),
      { Txn: { Results: [{}] } },
      { method: 'remove', result: false },
    ],
    [
      'the branch that a transaction took',
      txn([put('k', { Value: '1' })], [range('k')]),
      { Txn: { Failure: true, Results: [found({ Value: '9' })] } },
      { method: 'get', args: ['k'], result: '9' },
    ],
    [
      'a transaction of unknown outcome that writes in one branch',
      txn([put('k', { Value: '1' })], [range('k')]),
      { Error: 'timeout' },
      { method: 'put', unknown: 'timeout' },
    ],
    [
      'a read',
      { Type: 'range', Range: { Start: 'k', End: '', Limit: 0, Revision: 0 } },
      { Range: found({ Value: '1' }) },
      { method: 'get', args: ['k'], result: '1' },
    ],
    [
      'a read of an absent key',
      { Type: 'range', Range: { RangeOptions: { Start: 'k' } } },
      { Range: { KVs: [] } },
      { method: 'get', result: null },
    ],
  ])('%s', (_, input, output, expected) => {
    expect(etcd(input, output)).toMatchObject(expected as object);
  });

  test.each<[string, Request, Request]>([
    ['a read of a range', { Type: 'range', Range: { Start: 'a', End: 'b' } }, { Range: {} }],
    ['a read of an old revision', { Type: 'range', Range: { Start: 'a', Revision: 5 } }, { Range: {} }],
    ['a read that failed', { Type: 'range', Range: { Start: 'a' } }, { Error: 'timeout' }],
    ['a read that was refused', { Type: 'range', Range: { Start: 'a' } }, { ClientError: 'compacted' }],
    ['a compaction', { Type: 'compact', Compact: { Revision: 3 } }, {}],
    ['a branch without operations', txn([put('k', { Value: '1' })]), { Txn: { Failure: true } }],
  ])('%s is left out', (_, input, output) => {
    expect(etcd(input, output)).toBeUndefined();
  });

  test.each<[string, Request, Request]>([
    ['several writes', txn([put('a', {}), put('b', {})]), { Txn: {} }],
    [
      'an unknown outcome with a write in each branch',
      txn([put('a', {})], [remove('a')]),
      { Error: 'timeout' },
    ],
    ['a lease that is revoked', { Type: 'leaseRevoke', LeaseRevoke: { LeaseID: 1 } }, {}],
    ['a new kind of request', { Type: 'watch' }, {}],
  ])('%s is an error, because a write must not be lost', (_, input, output) => {
    expect(() => etcd(input, output)).toThrow('write a record map and a spec for it');
  });
});

describe('Porcupine', () => {
  test('operations and events of one execution give the same history', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = new Random(seed);
      const operations: object[] = [];
      const events: { at: number; event: object }[] = [];
      for (let id = 0; id < 12; id++) {
        const Op = random.below(3);
        const [call, end] = [100 * Math.floor(id / 3) + 3 * id, 100 * Math.floor(id / 3) + 50 + id];
        const Input = { Op, Key: `k${random.below(2)}`, Value: Op === 0 ? '' : `v${id}` };
        const Output = { Value: Op === 0 ? `v${random.below(12)}` : '' };
        operations.push({ ClientId: id % 3, Input, Call: call, Output, Return: end });
        events.push({ at: call, event: { ClientId: id % 3, Kind: false, Value: Input, Id: id } });
        events.push({ at: end, event: { ClientId: id % 3, Kind: true, Value: Output, Id: id } });
      }
      events.sort((a, b) => a.at - b.at);
      const read = (records: readonly object[]) =>
        Array.from(
          parseHistory(JSON.stringify(records), { recordMap: recordMaps.porcupine }),
          ({ process, method, args, outcome, call, return: end }) => [
            process,
            method,
            args,
            outcome,
            call,
            end,
          ],
        );
      expect(read(events.map(({ event }) => event))).toEqual(read(operations));
    }
  });

  test('two files that are read at the same time do not disturb each other', () => {
    const file = (Op: number): string =>
      [
        { ClientId: 0, Kind: false, Value: { Op, Key: 'k', Value: '' }, Id: 0 },
        { ClientId: 0, Kind: true, Value: { Value: '' }, Id: 0 },
      ]
        .map((event) => `${JSON.stringify(event)}\n`)
        .join('');
    const resultsOf = (order: readonly number[]): unknown[] => {
      const results: unknown[] = [];
      const files = [0, 1].map((Op) => ({
        bytes: new TextEncoder().encode(file(Op)),
        reader: new EventReader(
          (event) => {
            if (event.type === 'return') results.push([Op, event.result]);
            return false;
          },
          {
            recordMap: recordMaps.porcupine,
          },
        ),
      }));
      const half = order.map(() => 0);
      for (const own of order) {
        const { bytes, reader } = files[own];
        const middle = bytes.indexOf(10) + 1;
        reader.write(half[own]++ === 0 ? bytes.slice(0, middle) : bytes.slice(middle));
      }
      for (const { reader } of files) reader.end();
      return results.sort();
    };
    const expected = [
      [0, ''],
      [1, null],
    ];
    for (const order of [
      [0, 0, 1, 1],
      [0, 1, 0, 1],
      [0, 1, 1, 0],
      [1, 0, 0, 1],
    ])
      expect(resultsOf(order)).toEqual(expected);
  });

  test('a record of another program is named as such', () => {
    expect(() => recordMaps.etcd({ process: 'A' }, new Map())).toThrow('not an operation of etcd: no Input');
    expect(() => recordMaps.porcupine({ process: 'A' }, new Map())).toThrow('unknown input');
  });

  test('another model is an error', () => {
    expect(() =>
      recordMaps.porcupine({ ClientId: 1, Input: { Lock: true }, Call: 1, Return: 2 }, new Map()),
    ).toThrow('unknown input');
    expect(() =>
      recordMaps.porcupine({ ClientId: 1, Input: { Op: 3, Key: 'a' }, Call: 1, Return: 2 }, new Map()),
    ).toThrow('unknown input');
  });
});
