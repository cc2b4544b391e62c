import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { stringify } from '../../base/values/json-values.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { type JepsenAdapter, jepsenAdapter } from '../common/adapter.js';
import { WriteError } from '../common/reader.js';
import { writeJsonLines } from '../json-lines/writer.js';
import { parseHistory } from '../read-history.js';
import { edn } from './notations.js';
import type { JepsenWriteOptions } from './writer.js';
import { writeEdn, writeJepsenEdn, writeWord } from './writer.js';

type Writer = (history: History, options?: JepsenWriteOptions) => Iterable<string>;
const text = (pieces: Iterable<string>): string => [...pieces].join('');
/** A whole history as text. */
const asLines = (history: History): string => text(writeJsonLines(history));

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

const keyValue = jepsenAdapter([
  { f: 'get', argument: 'none', key: 'field', result: 'value' },
  { f: 'put', argument: 'value', key: 'field', result: 'none' },
]);

describe('a history is written as Jepsen does', () => {
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

  test('with keys', () => {
    const history = jsonl(
      { process: 0, method: 'put', args: ['k', 'v'], call: 1, return: 2 },
      { process: 0, method: 'get', args: ['k'], result: 'v', call: 3, return: 4 },
    );
    expect(text(writeJepsenEdn(history, { jepsen: () => keyValue }))).toBe(
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
    expect(asLines(parseHistory(written, { independent: true }))).toBe(asLines(history));
  });
});

describe('an operation that Jepsen cannot express is an error that names the operation', () => {
  const operation = { process: 0, method: 'f', args: [] as unknown[], call: 1, return: 2 };
  test.each<[string, object[], string]>([
    [
      'a throw',
      [{ ...operation, threw: 'Closed' }],
      'operation 0, f() by process 0 (line 1): it threw "Closed"',
    ],
    ['a name as process', [{ ...operation, process: 'A' }], 'process "A" is not an integer'],
    [
      'two open calls',
      [
        { ...operation, id: 1 },
        { ...operation, id: 2, call: 1.5, return: 3 },
      ],
      'operation 1, f() by process 0 (line 2): it is called while another call of its process is open',
    ],
    [
      'order by after',
      [
        { ...operation, id: 1 },
        { ...operation, process: 1, id: 2, after: [1] },
      ],
      'operation 1, f() by process 1 (line 2): it has "after"',
    ],
    ['stuck', [operation, { stuck: true }], 'the history is stuck'],
    ['objects', [{ ...operation, object: 'x' }], 'it calls object "x"; write objects as independent keys'],
    [
      'two arguments',
      [{ ...operation, args: [1, 2] }],
      'f(1, 2) by process 0 (line 1): the call cannot be expressed',
    ],
    ['an argument that reads as none', [{ ...operation, args: [null] }], 'the call cannot be expressed'],
    [
      'an answer that reads as none',
      [{ ...operation, args: [1], result: 1 }],
      'the result 1 cannot be expressed',
    ],
    ['undefined', [{ ...operation, result: { $: 'undefined' } }], 'the result undefined cannot be expressed'],
    ['a small bigint', [{ ...operation, args: [{ $: 'bigint', value: '5' }] }], '5n has no EDN form'],
    [
      'an annotation of one word',
      [operation, { annotation: 'kill', at: 1 }],
      'the annotation "kill" is one word',
    ],
  ])('%s', (_, lines, message) => {
    const history = jsonl(...lines);
    expect(() => text(writeJepsenEdn(history))).toThrow(WriteError);
    expect(() => text(writeJepsenEdn(history))).toThrow(message);
  });

  test('operations without an object if keys are independent', () => {
    expect(() => text(writeJepsenEdn(jsonl(operation), { independent: true }))).toThrow('it has no object');
  });

  test('an adapter whose event is read as another call', () => {
    const honest = jepsenAdapter([{ f: 'f', argument: 'none', result: 'value' }]);
    const careless: JepsenAdapter = { ...honest, event: () => ({ f: 'f', value: 1 }) };
    expect(() =>
      text(writeJepsenEdn(jsonl({ ...operation, result: 2 }), { jepsen: () => careless })),
    ).toThrow('the result 2 cannot be expressed in a Jepsen history');
  });
});

test('an operation cut off before its return becomes pending', () => {
  const history = sketch`
    0  |- read() -> 1 -|
    1     |- read() -> 2 ----|
  `.prefix(2);
  expect(text(writeJepsenEdn(history))).toContain(
    '{:process 1, :type :info, :f :read, :value nil, :error "it returned later"}',
  );
});

/** Random histories of integer processes: with pending and failed operations, reasons and annotations. */
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

/** A lossless adapter: all arguments in a list, and any result. */
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
/** The events in the JSON notation of Jepsen, as one array. */
function* asJson(history: History, options?: JepsenWriteOptions): Generator<string> {
  const events = Array.from(writeJepsenEdn(history, options), (event) => plainJson(edn.read(event)));
  yield `[${events.join(',\n')}]`;
}
/** JSON without the tags of our format, which Jepsen does not use. */
const plainJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${plainJson(field)}`).join(',')}}`;
};
/** The events as lines of a Jepsen log. */
function* asLog(history: History, options?: JepsenWriteOptions): Generator<string> {
  for (const event of writeJepsenEdn(history, options)) {
    const { process, type, f, value, error } = edn.read(event)!;
    const name = typeof process === 'number' ? process : `:${process}`;
    const columns = [name, `:${type}`, writeWord(f as string), writeEdn(value)];
    yield `INFO  jepsen.util - ${[...columns, ...(error === undefined ? [] : [error])].join('\t')}\n`;
  }
}
const line = fc.stringMatching(/^[a-z]( ?[a-z"\\:])*$/);

describe('a written history is read back as the same history', () => {
  test.each<[string, Writer, fc.Arbitrary<unknown>, fc.Arbitrary<string>]>([
    ['EDN', writeJepsenEdn, any, fc.string({ minLength: 1 })],
    ['JSON', asJson, plain, fc.string({ minLength: 1 })],
    ['a log', asLog, any, line],
  ])('in %s', (_, write, value, reason) => {
    const jepsen = () => lossless;
    fc.assert(
      fc.property(histories(value, reason), (history) => {
        const read = parseHistory(text(write(history, { jepsen })), { jepsen });
        expect(asLines(read)).toBe(asLines(history));
      }),
      { seed: 11, numRuns: share(500, 80) },
    );
  });

  test('through several formats', () => {
    const jepsen = () => lossless;
    const writers: readonly Writer[] = [writeJepsenEdn, asJson, asLog, writeJsonLines];
    fc.assert(
      fc.property(histories(plain, line), fc.shuffledSubarray([...writers, ...writers]), (history, order) => {
        const last = order.reduce(
          (read, write) => parseHistory(text(write(read, { jepsen })), { jepsen }),
          history,
        );
        expect(asLines(last)).toBe(asLines(history));
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});
