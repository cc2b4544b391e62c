/** The JSON writer, against the reader: a written history is read back as the same history. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Canonical } from '../../base/values/canonical.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import type { Timestamp } from '../../history/model/timestamps.js';
import { parseHistory } from '../read-history.js';
import { writeJsonLines } from './writer.js';

const written = (history: History): string => [...writeJsonLines(history)].join('');

/** A whole history; values by their canonical keys, as a checker compares them. */
function contentsOf(history: History): unknown {
  const canonical = new Canonical();
  const { columns, annotations, stuck } = history;
  return {
    rows: Array.from(history, (row) => ({
      ...row,
      args: row.args.map((value) => canonical.key(value)),
      outcome: canonical.key(row.outcome),
    })),
    events: Array.from(columns.events),
    after: columns.after && [Array.from(columns.after.start), Array.from(columns.after.items)],
    annotations,
    stuck,
  };
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'A',
    '$',
    '__proto__',
    'constructor',
    '\n\r\0',
    '\ud800',
    '\u2028',
    '\ufeff',
    '\u202e',
    '"\\',
    '{"$":"x"}',
  ),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      false,
      0,
      -0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ),
    fc.integer(),
    fc.double(),
    fc.constantFrom(2 ** 53, -(2 ** 53) - 2, 1e20, 1e21, Number.MAX_VALUE, Number.MIN_VALUE, 1 / 3),
    fc.bigInt(),
    fc.constantFrom(0n, -5n, 2n ** 53n, -(2n ** 64n) - 1n, 9007199254740991n, 9007199254740993n),
    text,
    fc.date({ noInvalidDate: false }),
    fc.oneof(
      fc.int8Array(),
      fc.uint8ClampedArray(),
      fc.uint32Array(),
      fc.float32Array(),
      fc.float64Array(),
      fc.bigInt64Array(),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(text, fc.constantFrom('$', 'value', '0')), tie('value')), { maxLength: 4 })
      .map(Object.fromEntries),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map((members) => new Set(members)),
  ),
}));

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant('returned' as const), value }),
  fc.record({ kind: fc.constant('threw' as const), error: text }),
  fc.record({ kind: fc.constant('failed' as const), reason: text }, { requiredKeys: ['kind'] }),
  fc.record({ kind: fc.constant('pending' as const), reason: text }, { requiredKeys: ['kind'] }),
);

const call = fc.record({
  process: fc.oneof(fc.constantFrom('A', 'B', 'C'), text),
  method: text,
  args: fc.array(value, { maxLength: 3 }),
  object: fc.option(fc.constantFrom('q', '', '__proto__'), { nil: undefined, freq: 2 }),
});

/** A step of a recording: a call, an end of an open call, or an annotation. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      call,
      after: fc.array(fc.nat(), { maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(), outcome }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('annotate' as const), text }) },
);

/** A history recorded event by event; an `overlapping` process may have several open calls. */
const recorded: fc.Arbitrary<History> = fc
  .record({
    first: call,
    steps: fc.array(step, { maxLength: 24 }),
    overlapping: fc.boolean(),
    stuck: fc.boolean(),
  })
  .map(({ first, steps, overlapping, stuck }) => {
    const builder = new HistoryBuilder();
    const calls: { process: string; object: string | undefined; failed: boolean; after: number[] }[] = [];
    const open: number[] = [];
    const begin = (next: typeof first, after: readonly number[]): void => {
      if (!overlapping && open.some((entry) => calls[entry].process === next.process)) return;
      const earlier = after
        .map((n) => n % (calls.length + 1))
        .filter((entry) => calls[entry]?.object === next.object);
      open.push(builder.call({ ...next, overlapping }));
      calls.push({ process: next.process, object: next.object, failed: false, after: earlier });
    };
    begin(first, []);
    for (const next of steps) {
      if (next.do === 'annotate') builder.annotate(next.text);
      else if (next.do === 'call') begin(next.call, next.after);
      else if (open.length > 0) {
        const [entry] = open.splice(next.which % open.length, 1);
        builder.end(entry, next.outcome);
        calls[entry].failed = next.outcome.kind === 'failed';
      }
    }
    calls.forEach(({ after }, entry) => {
      const happened = after.filter((earlier) => earlier < entry && !calls[earlier].failed);
      if (happened.length > 0) builder.after(entry, happened);
    });
    if (stuck) builder.markStuck();
    return builder.finish();
  });

const stamp: fc.Arbitrary<Timestamp> = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.integer({ min: 0, max: 9 }).map((n) => 1_700_000_000_000_000_000n + BigInt(n)),
  fc.integer({ min: 0, max: 9 }).map((n) => `1.${n}00000000000000000${n}`),
);

/** A history of complete operations, whose times are often equal. */
const stamped: fc.Arbitrary<History> = fc
  .array(fc.record({ call, outcome, from: stamp, to: stamp }), { minLength: 1, maxLength: 12 })
  .map((operations) => {
    const builder = new HistoryBuilder();
    for (const { call, outcome, from, to } of operations) {
      // times with the same nearest double have equally many digits, or are equal
      const inOrder = Number(from) - Number(to) || (String(from) > String(to) ? 1 : -1);
      const [start, end] = inOrder < 0 ? [from, to] : [to, from];
      builder.operation({ ...call, outcome, call: start, return: end, overlapping: true });
    }
    for (const { from } of operations) builder.annotate('seen', from);
    return builder.finish();
  });

describe('a written history is read back as the same history', () => {
  const same = (history: History): void => {
    const text = written(history);
    expect(contentsOf(parseHistory(text))).toEqual(contentsOf(history));
    // each item is one line
    expect(text.split('\n').length - 1).toBe([...writeJsonLines(history)].length);
  };

  test('for events with any values, processes and ends', () => {
    fc.assert(fc.property(recorded, same), { seed: 1, numRuns: share(1_500, 200) });
  });

  test('for operations with times', () => {
    fc.assert(fc.property(stamped, same), { seed: 2, numRuns: share(500, 80) });
  });

  test('for a single value', () => {
    fc.assert(
      fc.property(value, (only) => {
        const builder = new HistoryBuilder();
        builder.end(builder.call({ process: 'A', method: 'f', args: [only] }), {
          kind: 'returned',
          value: only,
        });
        same(builder.finish());
      }),
      { seed: 3, numRuns: share(2_000, 250) },
    );
  });

  test('for an empty history', () => {
    same(new HistoryBuilder().finish());
  });
});

describe('a line', () => {
  test('is an operation with its moments, in the order of calls', () => {
    const history = sketch(`
      A  |- enqueue(1) -|                      |- dequeue() -> 2 -|
      B                   |- enqueue(2) -|
      C     |- enqueue(3) -?   |- dequeue() ! Closed -|   |- enqueue(4) -x
    `);
    expect(written(history).trimEnd().split('\n')).toEqual([
      '{"process":"A","method":"enqueue","args":[1],"result":{"$":"undefined"},"call":0,"return":2}',
      '{"process":"C","method":"enqueue","args":[3],"call":1}',
      '{"process":"B","method":"enqueue","args":[2],"result":{"$":"undefined"},"call":3,"return":5}',
      '{"process":"C","method":"dequeue","args":[],"threw":"Closed","call":4,"return":7}',
      '{"process":"A","method":"dequeue","args":[],"result":2,"call":6,"return":9}',
      '{"process":"C","method":"enqueue","args":[4],"failed":true,"call":8,"return":10}',
    ]);
  });

  test('has an id only if calls of a process overlap, or `after` names it', () => {
    const builder = new HistoryBuilder();
    const first = builder.call({ process: 'A', method: 'f', overlapping: true });
    const second = builder.call({ process: 'A', method: 'g', overlapping: true, object: 'q' });
    builder.end(second, { kind: 'pending', reason: 'timeout' });
    builder.end(first, { kind: 'returned', value: 5n });
    builder.annotate('node 2 killed');
    builder.markStuck();
    expect([...writeJsonLines(builder.finish())]).toEqual([
      '{"id":0,"process":"A","method":"f","args":[],"result":{"$":"bigint","value":"5"},"call":0,"return":2}\n',
      '{"object":"q","id":1,"process":"A","method":"g","args":[],"unknown":"timeout","call":1}\n',
      '{"annotation":"node 2 killed","at":2.5}\n',
      '{"stuck":true}\n',
    ]);
  });

  test('marks an operation that a prefix cut off as returned later', () => {
    const history = sketch('A |- f() -> 1 -|').prefix(0);
    expect(written(history)).toBe(
      '{"process":"A","method":"f","args":[],"unknown":"it returned later","call":0}\n',
    );
  });

  test('cannot have a value without a JSON form, which is a TypeError', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'A', method: 'f', args: [() => 1] });
    expect(() => written(builder.finish())).toThrow(new TypeError('cannot write a function as JSON'));
  });
});
