import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { type JepsenAdapter, jepsenAdapter } from '../common/adapter.js';
import { WriteError } from '../common/format-error.js';
import { writeJsonLines } from '../json-lines/writer.js';
import { parseHistory } from '../read-history.js';
import type { JepsenWriteOptions } from './spelling.js';
import { writeJepsenEdn, writeJepsenJson, writeJepsenLog, writeKeyValueEdn } from './writer.js';

type Writer = (history: History, options?: JepsenWriteOptions) => Iterable<string>;
const text = (pieces: Iterable<string>): string => [...pieces].join('');
/** All that a history tells, as text. */
const told = (history: History): string => text(writeJsonLines(history));

const jsonl = (...lines: readonly object[]): History =>
  parseHistory(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const HISTORY = jsonl(
  { process: 0, method: 'write', args: [1], call: 1, return: 4 },
  { process: 1, method: 'read', args: [], result: 1, call: 2, return: 3 },
  { process: 2, method: 'write', args: [{ a: [true, 'x'] }], unknown: 'timed out', call: 5 },
  { process: 1, method: 'write', args: [3], failed: 'refused', call: 6, return: 7 },
  { process: 2, method: 'read', args: [], call: 8 },
  { annotation: 'nemesis kill n1', at: 4.5 },
);

describe('a history as Jepsen writes it', () => {
  test('in EDN', () => {
    expect(text(writeJepsenEdn(HISTORY))).toBe(
      `{:process 0, :type :invoke, :f :write, :value 1}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 1}
{:process 0, :type :ok, :f :write, :value 1}
{:process :nemesis, :type :info, :f "kill n1", :value nil}
{:process 2, :type :invoke, :f :write, :value {:a [true "x"]}}
{:process 1, :type :invoke, :f :write, :value 3}
{:process 1, :type :fail, :f :write, :value 3, :error :refused}
{:process 2, :type :info, :f :write, :value {:a [true "x"]}, :error "timed out"}
{:process 2, :type :invoke, :f :read, :value nil}
`,
    );
  });

  test('in JSON, one array', () => {
    const written = text(writeJepsenJson(HISTORY));
    expect(written.split('\n').slice(0, 3)).toEqual([
      '[',
      '{"process":0,"type":"invoke","f":"write","value":1},',
      '{"process":1,"type":"invoke","f":"read","value":null},',
    ]);
    expect(JSON.parse(written)).toHaveLength(10);
    expect(text(writeJepsenJson(jsonl()))).toBe('[]\n');
  });

  test('in its log', () => {
    expect(text(writeJepsenLog(HISTORY)).split('\n').slice(4, 9)).toEqual([
      'INFO  jepsen.util - :nemesis\t:info\t"kill n1"\tnil',
      'INFO  jepsen.util - 2\t:invoke\t:write\t{:a [true "x"]}',
      'INFO  jepsen.util - 1\t:invoke\t:write\t3',
      'INFO  jepsen.util - 1\t:fail\t:write\t3\trefused',
      'INFO  jepsen.util - 2\t:info\t:write\t{:a [true "x"]}\ttimed out',
    ]);
  });

  test('with keys', () => {
    const history = jsonl(
      { process: 0, method: 'put', args: ['k', 'v'], call: 1, return: 2 },
      { process: 0, method: 'get', args: ['k'], result: 'v', call: 3, return: 4 },
    );
    expect(text(writeKeyValueEdn(history))).toBe(
      `{:process 0, :type :invoke, :f :put, :key "k", :value "v"}
{:process 0, :type :ok, :f :put, :key "k", :value "v"}
{:process 0, :type :invoke, :f :get, :key "k", :value nil}
{:process 0, :type :ok, :f :get, :key "k", :value "v"}
`,
    );
  });

  test('with objects as independent keys', () => {
    const history = jsonl(
      { object: 'x', process: 0, method: 'write', args: [1], call: 1, return: 2 },
      { object: 'y', process: 0, method: 'read', args: [], result: 7, call: 3, return: 4 },
    );
    const written = text(writeJepsenEdn(history, { independent: true }));
    expect(written).toContain(':f :read, :value ["y" 7]');
    expect(told(parseHistory(written, { independent: true }))).toBe(told(history));
  });
});

describe('what Jepsen can not hold is an error that names the operation', () => {
  const operation = { process: 0, method: 'f', args: [] as unknown[], call: 1, return: 2 };
  test.each<[string, object[], Writer, string]>([
    [
      'a throw',
      [{ ...operation, threw: 'Closed' }],
      writeJepsenEdn,
      'operation 0, f() by process 0 (line 1): it threw "Closed"',
    ],
    ['a name as process', [{ ...operation, process: 'A' }], writeJepsenEdn, 'process "A" is no whole number'],
    [
      'two open calls',
      [
        { ...operation, id: 1 },
        { ...operation, id: 2, call: 1.5, return: 3 },
      ],
      writeJepsenEdn,
      'operation 1, f() by process 0 (line 2): it is called while another call of its process is open',
    ],
    [
      'order by after',
      [
        { ...operation, id: 1 },
        { ...operation, process: 1, id: 2, after: [1] },
      ],
      writeJepsenEdn,
      'operation 1, f() by process 1 (line 2): it comes "after" others',
    ],
    ['stuck', [operation, { stuck: true }], writeJepsenEdn, 'the history is stuck'],
    [
      'objects',
      [{ ...operation, object: 'x' }],
      writeJepsenEdn,
      'it is of object "x"; only independent keys',
    ],
    [
      'two arguments',
      [{ ...operation, args: [1, 2] }],
      writeJepsenEdn,
      'f(1, 2) by process 0 (line 1): the call has no form',
    ],
    [
      'an argument that reads as none',
      [{ ...operation, args: [null] }],
      writeJepsenEdn,
      'the call has no form',
    ],
    [
      'an answer that reads as none',
      [{ ...operation, args: [1], result: 1 }],
      writeJepsenEdn,
      'the answer 1 has no form',
    ],
    [
      'undefined',
      [{ ...operation, result: { $: 'undefined' } }],
      writeJepsenEdn,
      'the answer undefined has no form',
    ],
    [
      'a small bigint',
      [{ ...operation, args: [{ $: 'bigint', value: '5' }] }],
      writeJepsenEdn,
      '5n has no form in EDN',
    ],
    [
      'NaN in JSON',
      [{ ...operation, args: [{ $: 'NaN' }] }],
      writeJepsenJson,
      'NaN has no form in plain JSON',
    ],
    [
      'a date in JSON',
      [{ ...operation, result: [{ $: 'Date', value: 0 }] }],
      writeJepsenJson,
      'has no form in plain JSON',
    ],
    [
      'a reason of two lines in a log',
      [{ ...operation, failed: 'a\nb' }],
      writeJepsenLog,
      'the reason "a\\nb" has no form in a log',
    ],
    [
      'an annotation of one word',
      [operation, { annotation: 'kill', at: 1 }],
      writeJepsenEdn,
      'the annotation "kill" is one word',
    ],
    [
      'an annotation by a number in a log',
      [operation, { annotation: '2 dies', at: 1 }],
      writeJepsenLog,
      'has no form in a log',
    ],
    [
      'other methods with keys',
      [operation],
      writeKeyValueEdn,
      'f() by process 0 (line 1): the call has no form',
    ],
  ])('%s', (_, lines, write, message) => {
    const history = jsonl(...lines);
    expect(() => text(write(history))).toThrow(WriteError);
    expect(() => text(write(history))).toThrow(message);
  });

  test('objects missing where keys are independent', () => {
    expect(() => text(writeJepsenEdn(jsonl(operation), { independent: true }))).toThrow('it is of no object');
  });

  test("an adapter's word that reads as something else", () => {
    const honest = jepsenAdapter([{ f: 'f', takes: 'nothing', answers: 'value' }]);
    const careless: JepsenAdapter = { ...honest, event: () => ({ f: 'f', value: 1 }) };
    expect(() =>
      text(writeJepsenEdn(jsonl({ ...operation, result: 2 }), { jepsen: () => careless })),
    ).toThrow('the answer 2 has no form in a Jepsen history');
  });
});

test('an operation cut off before its return is one that nobody saw returning', () => {
  const history = sketch`
    0  |- read() -> 1 -|
    1     |- read() -> 2 ----|
  `.prefix(2);
  expect(text(writeJepsenEdn(history))).toContain(
    '{:process 1, :type :info, :f :read, :value nil, :error "it returned later"}',
  );
});

/** Random histories of whole-number processes: pending, failed, reasons, annotations. */
function histories(value: fc.Arbitrary<unknown>, reason: fc.Arbitrary<string>): fc.Arbitrary<History> {
  const process = fc.nat(3);
  const ending = fc.oneof(
    { weight: 4, arbitrary: value.map((own): Outcome => ({ kind: 'returned', value: own })) },
    fc.constant<Outcome>({ kind: 'pending' }),
    reason.map((own): Outcome => ({ kind: 'pending', reason: own })),
    fc.constant<Outcome>({ kind: 'failed' }),
    reason.map((own): Outcome => ({ kind: 'failed', reason: own })),
  );
  const step = fc.record({
    process,
    method: fc.constantFrom('f', 'get or set', 'a/b'),
    args: fc.array(value, { maxLength: 1 }),
    ending,
    remark: fc.option(reason, { freq: 8 }),
  });
  return fc.array(step, { maxLength: 20 }).map((steps) => {
    const builder = new HistoryBuilder({ fromFile: true });
    const open = new Map<number, number>();
    for (const { process: who, method, args, ending: outcome, remark } of steps) {
      if (remark !== null) builder.annotate(`${who > 1 ? 'nemesis' : 'node-2'} ${remark}`);
      const entry = open.get(who);
      if (entry === undefined) open.set(who, builder.call({ process: String(who), method, args }));
      else {
        builder.end(entry, outcome);
        open.delete(who);
      }
    }
    return builder.finish();
  });
}

/** A plain adapter: all arguments in a list, any answer. */
const lossless: JepsenAdapter = {
  call: (f, value) => ({ method: f, args: value as unknown[] }),
  result: (_f, value) => value,
  event: (method, args, outcome) => ({ f: method, value: outcome ? outcome.result : args }),
};
const plain = fc.jsonValue({ maxDepth: 2 });
const any = fc.oneof(
  plain,
  fc.bigInt({ min: 2n ** 53n }),
  fc.double(),
  fc.date({ min: new Date(0), max: new Date(1e13), noInvalidDate: true }),
  fc.uniqueArray(fc.nat(5)).map((items) => new Set(items)),
);
const line = fc.stringMatching(/^[a-z]( ?[a-z"\\:])*$/);

describe('reading what was written gives the same history', () => {
  test.each<[string, Writer, fc.Arbitrary<unknown>, fc.Arbitrary<string>]>([
    ['EDN', writeJepsenEdn, any, fc.string({ minLength: 1 })],
    ['JSON', writeJepsenJson, plain, fc.string({ minLength: 1 })],
    ['a log', writeJepsenLog, any, line],
  ])('of %s', (_, write, value, reason) => {
    const jepsen = () => lossless;
    fc.assert(
      fc.property(histories(value, reason), (history) => {
        const read = parseHistory(text(write(history, { jepsen })), { jepsen });
        expect(told(read)).toBe(told(history));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test('of one format and then another', () => {
    const jepsen = () => lossless;
    const writers: readonly Writer[] = [writeJepsenEdn, writeJepsenJson, writeJepsenLog, writeJsonLines];
    fc.assert(
      fc.property(histories(plain, line), fc.shuffledSubarray([...writers, ...writers]), (history, order) => {
        const last = order.reduce(
          (read, write) => parseHistory(text(write(read, { jepsen })), { jepsen }),
          history,
        );
        expect(told(last)).toBe(told(history));
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});
