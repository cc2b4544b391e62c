import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subjects } from '../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../test/support/generators/random-history.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../builder/builder.js';
import type { History } from '../history.js';
import type { Outcome } from '../model/operation.js';
import { ASCII, UNICODE } from './layout.js';
import { draw, sketch } from './sketch.js';

describe('a sketch', () => {
  test('reads rows as processes and columns as time', () => {
    const history = sketch`
      A  |- enqueue(1) -|                      |- dequeue() -> 2 -|
      B                   |- enqueue(2) -|
      C     |- enqueue(3) -?   |- dequeue() ! Closed -|   |- enqueue(4) -x
    `;
    const rows = Array.from(history, ({ process, method, args, outcome }) => [
      process,
      method,
      args,
      outcome.kind === 'returned' ? outcome.value : outcome,
    ]);
    expect(rows).toEqual([
      ['A', 'enqueue', [1], undefined],
      ['C', 'enqueue', [3], { kind: 'pending' }],
      ['B', 'enqueue', [2], undefined],
      ['C', 'dequeue', [], { kind: 'threw', error: 'Closed' }],
      ['A', 'dequeue', [], 2],
      ['C', 'enqueue', [4], { kind: 'failed' }],
    ]);
    expect([...history.columns.events]).toEqual([0, 1, ~0, 2, 3, ~2, 4, ~3, 5, ~4, ~5]);
  });

  test('may use ASCII or Unicode strokes', () => {
    const ascii = sketch`A |- orders.put("k", {"a": [1]}) -> null --| |- get("k") -? |- f() ! "Not found" -x`;
    const unicode = sketch`A ├─ orders.put("k", {"a": [1]}) → null ──┤ ├─ get("k") ─? ├─ f() ! "Not found" ─✗`;
    expect([...unicode]).toEqual([...ascii]);
  });

  test('reads tagged values that JSON cannot represent, and big integers exactly', () => {
    const [{ args, outcome }] = sketch`A |- f({"$":"undefined"}, 12345678901234567890) -> {"$":"NaN"} -|`;
    expect(args).toEqual([undefined, 12345678901234567890n]);
    expect(outcome).toEqual({ kind: 'returned', value: Number.NaN });
  });

  test('may have several rows for a process, which may overlap', () => {
    const history = sketch`
      A  |- f() ----------|
      A     |- g() -|
    `;
    expect(history.processes).toEqual(['A']);
    expect([...history.columns.events]).toEqual([0, 1, ~1, ~0]);
  });

  test('counts a code point as one column', () => {
    const history = sketch`
      A  |- write("😀😀😀😀") -|
      B                       |- read() -> 1 -|
    `;
    expect(history.precedes(0, 1)).toBe(true);
  });

  test('orders calls before returns in the same column', () => {
    const history = sketch`
      A  |- f() -|
      B          |- g() -|
    `;
    expect([...history.columns.events]).toEqual([0, 1, ~0, ~1]);
  });

  test('without operations is an empty history', () => {
    expect(sketch('\n  \n')).toHaveLength(0);
  });

  test.each([
    ['A  enqueue(1)', 'line 1, column 4: expected "|-", the start of an operation, found "enqueue"'],
    ['\nA  |- enqueue 1 -|', 'line 2, column 15: expected "(", found "1"'],
    ['A  |- enqueue(1 -|', 'line 1, column 17: expected "," or ")", found "-"'],
    ['A  |- enqueue(x) -|', 'line 1, column 15: expected a JSON value, found "x"'],
    [
      'A  |- enqueue(1)',
      'line 1, column 17: expected "-|", "-?" or "-x", the end of the operation, found the end of the text',
    ],
    ['A  |- f() ! -|', 'line 1, column 13: expected the name of an error, found "-"'],
    ['A  |- f() -> -|', 'line 1, column 14: expected a JSON value, found "-"'],
    ['A  |- (1) -|', 'line 1, column 7: expected a method, found "("'],
    ['A  |- q.(1) -|', 'line 1, column 9: expected a method, found "("'],
    ['|- f() -|', 'line 1, column 1: expected the name of a process, found "|"'],
    ['A  |- f(1, {"$":"nope"}) -|', 'line 1, column 12: unknown tag {"$":"nope"}'],
  ])('that cannot be read is an error with line and column: %j', (drawing, message) => {
    expect(() => sketch(drawing)).toThrow(new SyntaxError(`sketch, ${message}`));
  });
});

describe('a drawing', () => {
  const history = sketch`
    A |- enqueue(1) -| |- dequeue() -> 2 -|
    B  |- enqueue(2) -? |- dequeue() ! Closed -| |- f() -x
  `;

  test('shows order by columns', () => {
    expect(`\n${draw(history)}\n`).toBe(`
A  ├─ enqueue(1) ─┤  ├─ dequeue() → 2 ─┤
B   ├─ enqueue(2) ─?  ├─ dequeue() ! Closed ─┤  ├─ f() ─x
`);
    expect(`\n${draw(history, ASCII)}\n`).toBe(`
A  |- enqueue(1) -|  |- dequeue() -> 2 -|
B   |- enqueue(2) -?  |- dequeue() ! Closed -|  |- f() -x
`);
  });

  test('has several rows for a process with overlapping calls', () => {
    const overlapping = sketch`
      A  |- f() ----------------|
      A     |- g() -|  |- h() -|
    `;
    expect(`\n${draw(overlapping)}\n`).toBe(`
A  ├─ f() ──────────────┤
A   ├─ g() ─┤  ├─ h() ─┤
`);
  });

  test('is empty for an empty history', () => {
    expect(draw(sketch(''))).toBe('');
  });
});

describe('sketch(draw(h)) equals h', () => {
  const expectSame = (history: History) => {
    for (const strokes of [UNICODE, ASCII]) {
      const again = sketch(draw(history, strokes));
      expect([...again], draw(history, strokes)).toStrictEqual([...history]);
      expect(again.columns.events).toEqual(history.columns.events);
    }
  };

  test.each(Object.entries(subjects))('for random histories of a %s', (_, subject) => {
    const random = new Random(7);
    for (let i = 0; i < share(200, 60); i++) {
      const history = randomHistory(subject, random, 12);
      if (!history.columns.after) expectSame(history);
    }
  });

  test('for any names and values', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('A', '-', '--x', 'x-', '|', 'a.b', '->', '!', '"', ':f', '\n', '😀', '𝒜'),
    );
    const value = fc.anything({
      maxDepth: 2,
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
    });
    const sound = value.filter((v) => !/-0\b|Invalid|__proto__: null/.test(fc.stringify(v)));
    const outcome: fc.Arbitrary<Outcome> = fc.oneof(
      sound.map((v) => ({ kind: 'returned', value: v }) as const),
      name.map((error) => ({ kind: 'threw', error }) as const),
      fc.constantFrom({ kind: 'pending' } as const, { kind: 'failed' } as const),
    );
    const operation = fc.record({
      process: name,
      object: fc.option(name, { nil: undefined }),
      method: name,
      args: fc.array(sound, { maxLength: 2 }),
      outcome,
      call: fc.nat(9),
      duration: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
        const builder = new HistoryBuilder();
        for (const { call, duration, ...own } of operations)
          builder.operation({ ...own, call, return: call + duration, overlapping: true });
        expectSame(builder.finish());
      }),
      { numRuns: share(500, 80), seed: 1 },
    );
  });
});
