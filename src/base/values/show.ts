/**
 * Values and names as text for a terminal.
 *
 * The notation is close to TypeScript: `{a: 1}`, `5n`, `Map {1 → "x"}`. Control characters and
 * bidirectional marks are escaped, so that no value can move the cursor or disguise itself.
 *
 * A long value loses the items in the middle of its lists first, `[1, 2, … 96 more, 99, 100]`, because lists mostly grow at
 * their ends. What is still too long is cut at the end.
 */
import { isReadableError } from '../errors.js';

const MAX_LENGTH = 80;
/** Items that a long value keeps, and that each list in it keeps: as many as fit. Inner lists lose items first. */
const KEPT_ITEMS = [
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [8, 8],
  [8, 6],
  [8, 4],
  [8, 3],
  [8, 2],
  [6, 2],
  [4, 2],
  [3, 2],
  [2, 2],
] as const;
type Kept = readonly [outer: number, inner: number];

/** What user code has thrown; an error as its name and message. */
export const showThrown = (thrown: unknown): string =>
  isReadableError(thrown) ? `${thrown.name}: ${thrown.message}` : show(thrown);

export function show(value: unknown): string {
  let text = '';
  try {
    for (const kept of KEPT_ITEMS) {
      text = render(value, 0, kept);
      if (text.length <= MAX_LENGTH) return text;
    }
  } catch {
    // a proxy or a getter
    return 'a value that cannot be read';
  }
  // drop half of a surrogate pair
  return `${text.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Letters of a value that stays on one line. */
const LINE_LENGTH = 56;
const MOST_LINES = 400;
/** Levels of nested values that have lines of their own. */
const DEEPEST_LINE = 20;

/**
 * A whole value on indented lines: an item of a long list, map or object has a line of its own. A value to compare with,
 * `beside`, breaks its lines at the same places: what is long in one of them is broken in both.
 */
export function showLines(value: unknown, beside?: unknown): string[] {
  const lines: string[] = [];
  for (const line of linesOf({ value, beside, before: '', after: '' }, 0)) {
    if (lines.length === MOST_LINES) return [...lines, '…'];
    lines.push(line);
  }
  return lines;
}

interface Item {
  readonly value: unknown;
  readonly beside: unknown;
  readonly before: string;
  readonly after: string;
}

function* linesOf({ value, beside, before, after }: Item, depth: number): Generator<string> {
  const indent = '  '.repeat(depth);
  const text = render(value, 0);
  const own = depth < DEEPEST_LINE ? itemsOf(value) : undefined;
  const other = own && itemsOf(beside);
  const isSame = own !== undefined && own.open === other?.open;
  const isLong = text.length > LINE_LENGTH || (isSame && render(beside, 0).length > LINE_LENGTH);
  if (!own || !isLong) {
    yield `${indent}${before}${text}${after}`;
    return;
  }
  yield `${indent}${before}${own.open}`;
  const last = own.items.length - 1;
  for (const [i, [name, item]] of own.items.entries()) {
    const same = name === '' ? other?.items[i] : other?.items.find(([one]) => one === name);
    yield* linesOf({ value: item, beside: same?.[1], before: name, after: i < last ? ',' : '' }, depth + 1);
  }
  yield `${indent}${own.close}${after}`;
}

/** The items of a list, map, set or plain object, with what precedes each of them. */
function itemsOf(
  value: unknown,
): { open: string; close: string; items: readonly (readonly [string, unknown])[] } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return { open: '[', close: ']', items: value.map((item) => ['', item]) };
  if (value instanceof Map)
    return {
      open: 'Map {',
      close: '}',
      items: Array.from(value, ([key, item]) => [`${show(key)} → `, item]),
    };
  if (value instanceof Set)
    return { open: 'Set {', close: '}', items: Array.from(value, (item) => ['', item]) };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return {
    open: '{',
    close: '}',
    items: Object.entries(value).map(([field, item]) => [`${fieldName(field)}: `, item]),
  };
}

/** Characters that a terminal interprets, except joiners between two emoji. */
const CONTROL_CHARACTERS =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}](?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\u200d(?=\p{Extended_Pictographic}))/gu;

/** A text of the user with control characters escaped. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
}

/** A line of source code, to be shown: a tab is as wide as four spaces. */
export const printableSource = (line: string): string => printable(line.replaceAll('\t', '    '));

/** New lines, colours, and the start of a progress line. */
const LAYOUT = /(\n|\x1b\[[\d;]*m|\r\x1b\[K)/;

/** The same for a whole text of several lines, with its own colours. */
export const printableText = (text: string): string =>
  text
    .split(LAYOUT)
    .map((piece, i) => (i % 2 === 0 ? printable(piece) : piece))
    .join('');

/** JSON in which control characters are escaped, also those that JSON allows inside of strings. */
export const printableJson = (json: string): string =>
  json.replace(CONTROL_CHARACTERS, (mark) =>
    mark === '\n'
      ? mark
      : Array.from(
          { length: mark.length },
          (_, i) => `\\u${mark.charCodeAt(i).toString(16).padStart(4, '0')}`,
        ).join(''),
  );

function render(value: unknown, depth: number, kept: Kept = KEPT_ITEMS[0]): string {
  if (typeof value === 'string') return printable(JSON.stringify(value));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${printable(value.name || 'without a name')}`;
  if (typeof value !== 'object' || value === null) return printable(String(value));
  if (depth > 4) return '…';
  const inner = (item: unknown) => render(item, depth + 1, kept);
  const most = kept[depth > 0 ? 1 : 0];
  const list = (items: ArrayLike<unknown>) => middleLeftOut(items, most, inner);
  if (Array.isArray(value)) return `[${list(value)}]`;
  if (value instanceof Map)
    return `Map {${middleLeftOut([...value], most, ([k, v]) => `${inner(k)} → ${inner(v)}`)}}`;
  if (value instanceof Set) return `Set {${list([...value])}}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `${value.constructor.name} [${list(value as unknown as ArrayLike<unknown>)}]`;
  if (hasOwnToString(value)) return printable(String(value));
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  const fields = Object.entries(value).map(([field, item]) => `${fieldName(field)}: ${inner(item)}`);
  return `${name === 'Object' || typeof name !== 'string' ? '' : `${printable(name)} `}{${fields.join(', ')}}`;
}

/** The texts of at most `most` items, and how many are left out in the middle. */
function middleLeftOut<T>(items: ArrayLike<T>, most: number, toText: (item: T) => string): string {
  const texts = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) => toText(items[from + i]));
  const { length } = items;
  // a single item is as short as the words that replace it
  if (length <= most + 1) return texts(0, length).join(', ');
  const head = most >> 1;
  const tail = length - (most - head);
  return [...texts(0, head), `… ${tail - head} more`, ...texts(tail, length)].join(', ');
}

/** True for instances of a class with its own `toString`. */
const hasOwnToString = (value: object): boolean =>
  Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype) !== null &&
  typeof value.toString === 'function' &&
  value.toString !== Object.prototype.toString;

const fieldName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : printable(JSON.stringify(name));

/** Characters that XML reserves, and their entities. */
export const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The five characters that XML reserves, as entities. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (letter) => XML_ENTITIES[letter]);
