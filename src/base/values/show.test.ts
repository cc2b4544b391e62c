import fc from 'fast-check';
import { List } from 'immutable';
import { expect, test } from 'vitest';
import { printable, show, showLines } from './show.js';

test.each([
  ['a"b', '"a\\"b"'],
  [5n, '5n'],
  [-0, '0'],
  [Number.NaN, 'NaN'],
  [undefined, 'undefined'],
  [null, 'null'],
  [[1, ['x']], '[1, ["x"]]'],
  [{ a: 1, 'b c': { $d: 2 } }, '{a: 1, "b c": {$d: 2}}'],
  [new Map<unknown, unknown>([[1, 'x']]), 'Map {1 → "x"}'],
  [new Set([1, 2]), 'Set {1, 2}'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'Invalid Date'],
  [Uint8Array.of(1, 2), 'Uint8Array [1, 2]'],
  [/a+/g, '/a+/g'],
  [List.of(1, 2), 'List [ 1, 2 ]'],
  [new RangeError('too far'), 'RangeError: too far'],
  [Object.assign(Object.create(null), { a: 1 }), '{a: 1}'],
  [Math.max, 'function max'],
  [[[[[[[1]]]]]], '[[[[[…]]]]]'],
])('%o is shown as %s', (value, shown) => {
  expect(show(value)).toBe(shown);
});

test('an instance is shown with its class, or by its toString', () => {
  class Job {
    id = 1;
  }
  class Account {
    toString() {
      return 'account\u001b[2J';
    }
  }
  expect(show(new Job())).toBe('Job {id: 1}');
  expect(show([new Account()])).toBe('[account\\u{1b}[2J]');
});

test.each([
  [Array.from({ length: 1000 }, (_, i) => i), '[0, 1, 2, 3, … 992 more, 996, 997, 998, 999]'],
  [
    [
      ['r', 'x', Array.from({ length: 99 }, (_, i) => 1000 + i)],
      ['w', 'y', 1],
    ],
    '[["r", "x", [1000, 1001, 1002, … 93 more, 1096, 1097, 1098]], ["w", "y", 1]]',
  ],
  [
    new Map([['jobs', Array.from({ length: 50 }, (_, i) => `job-${i}`)]]),
    'Map {"jobs" → ["job-0", "job-1", … 46 more, "job-48", "job-49"]}',
  ],
  [new Set(Array.from({ length: 100 }, (_, i) => i)), 'Set {0, 1, 2, 3, … 92 more, 96, 97, 98, 99}'],
  [Uint8Array.from({ length: 100 }, (_, i) => i), 'Uint8Array [0, 1, 2, 3, … 92 more, 96, 97, 98, 99]'],
])('a long list is shown without its middle, row %#', (value, shown) => {
  expect(show(value)).toBe(shown);
});

test('a single item is not left out', () => {
  const list = Array.from({ length: 9 }, (_, i) => (i === 4 ? 'a' : 'abcdefg'));
  expect(show(list)).toContain('… 3 more');
  expect(show([...list.slice(0, 4), ...list.slice(5, 8)])).toContain('"abcdefg", "abcdefg"]');
  expect(show([['abcdefgh', 'b', 'c'], 'x'.repeat(30), 'y'.repeat(30)])).not.toContain('1 more');
});

test('the first and the last item of a list are shown, however long it is', () => {
  const lists = fc.array(fc.integer(), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(lists, (list) => {
      const items = show(list).slice(1, -1).split(', ');
      const more = items.findIndex((item) => item.startsWith('…'));
      expect(items[0]).toBe(show(list[0]));
      expect(items.at(-1)).toBe(show(list.at(-1)));
      const left = more < 0 ? 0 : Number(items[more].match(/\d+/)?.[0]);
      expect(items.length - (more < 0 ? 0 : 1) + left).toBe(list.length);
    }),
  );
});

test('a long text is cut at its end', () => {
  const shown = show('x'.repeat(100));
  expect(shown).toHaveLength(80);
  expect(shown.endsWith('…')).toBe(true);
  expect(show(`a${'😀'.repeat(50)}`)).not.toMatch(/\p{Cs}/u);
});

test('a cyclic value is shown to a limited depth', () => {
  const knot: Record<string, unknown> = {};
  knot.self = knot;
  expect(show(knot)).toBe('{self: {self: {self: {self: {self: …}}}}}');
});

test('control characters, line separators and bidirectional marks are escaped', () => {
  expect(printable('a\u001b[31mb\r\n')).toBe('a\\u{1b}[31mb\\u{d}\\u{a}');
  expect(printable('\u202eabc\u2066\u200b\u2028')).toBe('\\u{202e}abc\\u{2066}\\u{200b}\\u{2028}');
  expect(printable('größe 😀')).toBe('größe 😀');
  expect(printable('👩🏽\u200d👧 a\u200db 😀\u200d')).toBe('👩🏽\u200d👧 a\\u{200d}b 😀\\u{200d}');
});

test('no value can move the cursor or disguise itself', () => {
  const evil = fc.constantFrom('\u001b[2J', '\r', '\u202e', '\u009b', '\u2029', '\u0007', 'a');
  const text = fc.array(evil).map((parts) => parts.join(''));
  const value = fc.oneof(
    fc.anything({ key: text, values: [text], withMap: true, withSet: true }),
    text.map((name) => Symbol(name)),
    text.map((name) => Object.defineProperty(() => 1, 'name', { value: name })),
    text.map((name) => new (Object.defineProperty(class {}, 'name', { value: name }))()),
    text.map((message) => new Error(message)),
  );
  fc.assert(
    fc.property(value, (shown) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(show(shown))),
    { numRuns: 1000 },
  );
});

test('a long value is shown on lines, and a short one on a single line', () => {
  const order = { id: 7, items: ['a coat', 'a pair of gloves', 'a woollen scarf', 'boots'], paid: false };
  expect(showLines({ ...order, total: new Map([['EUR', 120]]) })).toEqual([
    '{',
    '  id: 7,',
    '  items: [',
    '    "a coat",',
    '    "a pair of gloves",',
    '    "a woollen scarf",',
    '    "boots"',
    '  ],',
    '  paid: false,',
    '  total: Map {"EUR" → 120}',
    '}',
  ]);
  expect(showLines([1, 2])).toEqual(['[1, 2]']);
});

test('two values break their lines at the same places, so that only differences differ', () => {
  const read = (value: unknown) => [
    ['r', 'cart', value],
    ['append', 'user', 'paid'],
  ];
  const long = [{ sku: 'a woollen scarf', quantity: 2, tags: ['new', 'sale'] }];
  expect(showLines(read(null), read(long))).toEqual([
    '[',
    '  [',
    '    "r",',
    '    "cart",',
    '    null',
    '  ],',
    '  ["append", "user", "paid"]',
    ']',
  ]);
  const [one, other] = [showLines(read(long), read(null)), showLines(read(null), read(long))];
  expect(one.filter((line) => !other.includes(line)).join('')).toContain('woollen');
  const field = (total: unknown) => ({ id: 1, order: { total, items: [] } });
  const fields = showLines(field(0), field('x'.repeat(60)));
  expect(fields).toEqual(['{', '  id: 1,', '  order: {', '    total: 0,', '    items: []', '  }', '}']);
});

test('the lines of a cyclic or huge value end', () => {
  const knot: Record<string, unknown> = { text: 'x'.repeat(60) };
  knot.self = knot;
  knot.other = knot;
  expect(showLines(knot)).toHaveLength(401);
  expect(showLines(Array.from({ length: 1_000_000 }, (_, i) => i)).at(-1)).toBe('…');
});
