/**
 * Histories as drawings, the notation of tests, docs and bug reports: `sketch` reads one, `draw` writes one, and
 * `sketch(draw(h))` equals `h`.
 *
 *   A  |- enqueue(1) -|                      |- dequeue() -> 2 -|
 *   B                   |- enqueue(2) -|
 *   C     |- enqueue(3) -?   |- dequeue() ! Closed -|   |- enqueue(4) -x
 *
 * Columns are time: an operation lasts from its first to its last character. It ends with `|` if it
 * returned, `?` if its outcome is unknown and `x` if it failed. `-> value` is the result (JSON), `!
 * Name` an error, and `orders.enqueue(1)` a call of one of several objects. `├─ … → 2 ─┤` is
 * accepted too. A process may have several rows.
 */
import { JsonError, JsonReader } from '../../base/values/json-reader.js';
import { stringify, untag } from '../../base/values/json-values.js';
import { printableJson } from '../../base/values/show.js';
import { HistoryBuilder, type TimedOperation } from '../builder/builder.js';
import type { History } from '../history.js';
import { FAILED, NEVER, RETURNED, THREW } from '../model/columns.js';
import type { AnyObject, Methods, Outcome } from '../model/operation.js';
import { type Bar, type Layout, layOut, type Strokes, UNICODE, width } from './layout.js';

const OPEN = /(?:\|-|├─)[-─ ]*/y;
const NAME = /[\p{L}\p{N}_$:][\p{L}\p{N}_$:-]*/uy;
const GIVES = /\s*(?:->|→)\s*/y;
const THROWS = /\s*!\s*/y;
const CLOSE = /[-─ ]*[-─]([|┤?x✗])/y;

/**
 * Reads a history from a drawing, as a template tag or as a function.
 *
 * @example
 * const history = sketch`
 *   A  |- enqueue(1) -|
 *   B                    |- dequeue() -> 1 -|`;
 * assert.equal(history.length, 2);
 */
export function sketch<T extends Methods<T> = AnyObject>(drawing: TemplateStringsArray | string): History<T> {
  const builder = new HistoryBuilder();
  const lines = (typeof drawing === 'string' ? drawing : drawing.join('')).split('\n');
  lines.forEach((line, number) => {
    if (line.trim() === '') return;
    try {
      for (const operation of readRow(line)) builder.operation(operation);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new SyntaxError(`sketch, line ${number + 1}, column ${error.position + 1}: ${error.message}`);
    }
  });
  return builder.finish() as unknown as History<T>;
}

function readRow(line: string): TimedOperation[] {
  const reader = new RowReader(line);
  const process = reader.name('the name of a process');
  const operations: TimedOperation[] = [];
  for (reader.skipSpace(); reader.position < line.length; reader.skipSpace()) {
    const call = reader.column;
    reader.pattern(OPEN, '"|-", the start of an operation');
    const first = reader.name('a method');
    const object = reader.accept('.') ? first : undefined;
    const method = object === undefined ? first : reader.name('a method');
    const args = reader.args();
    const result = reader.result();
    const [, end] = reader.pattern(CLOSE, '"-|", "-?" or "-x", the end of the operation');
    const outcome: Outcome =
      end === '?' ? { kind: 'pending' } : end === 'x' || end === '✗' ? { kind: 'failed' } : result;
    // rows of one process may overlap
    const overlapping = true;
    operations.push({ process, method, object, args, outcome, call, return: reader.column - 1, overlapping });
  }
  return operations;
}

class RowReader extends JsonReader {
  /** The current column of the drawing. */
  get column(): number {
    return width(this.text.slice(0, this.position));
  }

  /** Matches a sticky pattern here, or throws. */
  pattern(pattern: RegExp, expected: string): RegExpExecArray {
    return this.find(pattern) ?? this.fail(expected);
  }

  find(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.position = pattern.lastIndex;
    return found;
  }

  name(expected: string): string {
    this.skipSpace();
    return this.text[this.position] === '"' ? String(this.value()) : this.pattern(NAME, expected)[0];
  }

  taggedValue(): unknown {
    this.skipSpace();
    const start = this.position;
    const value = this.value();
    try {
      return untag(value);
    } catch (error) {
      throw error instanceof RangeError ? new JsonError(error.message, start) : error;
    }
  }

  args(): unknown[] {
    const args: unknown[] = [];
    this.expect('(', '"("');
    while (!this.accept(')')) {
      if (args.length > 0) this.expect(',', '"," or ")"');
      args.push(this.taggedValue());
    }
    return args;
  }

  result(): Outcome {
    if (this.find(GIVES)) return { kind: 'returned', value: this.taggedValue() };
    if (this.find(THROWS)) return { kind: 'threw', error: this.name('the name of an error') };
    return { kind: 'returned', value: undefined };
  }
}

/**
 * Draws a history as text: one row per process, time from left to right.
 *
 * @example
 * assert.equal(draw(sketch('A  |- push(1) -|')), 'A  ├─ push(1) ─┤');
 */
export function draw(history: History, strokes: Strokes = UNICODE): string {
  const layout = layOut(history, (k) => labelOf(history, k, strokes));
  return drawRows(layout, (bar) => drawBar(history, bar, strokes)).join('\n');
}

/** The rows of a layout. `bar` draws a bar with exactly its width. */
export function drawRows({ rows, bars }: Layout, bar: (bar: Bar) => string): string[] {
  const names = rows.map(quoteName);
  const margin = marginOf(rows);
  return rows.map((_, row) => {
    let text = names[row] + ' '.repeat(margin - width(names[row]));
    let column = 0;
    for (const own of bars) {
      if (own.row !== row) continue;
      text += ' '.repeat(own.from - column) + bar(own);
      column = own.to + 1;
    }
    return text;
  });
}

/** Width of the row names. */
export const marginOf = (rows: readonly string[]): number =>
  rows.reduce((widest, name) => Math.max(widest, width(quoteName(name))), 0) + 2;

export function drawBar(history: History, { k, label, from, to }: Bar, strokes: Strokes): string {
  const { status, return: returned } = history.columns;
  const end =
    status[k] === FAILED ? strokes.failed : returned[k] === NEVER ? strokes.pending : strokes.returned;
  const room = to - from + 1 - strokes.open.length - end.length - 2 - width(label);
  return `${strokes.open} ${label} ${strokes.line.repeat(room)}${end}`;
}

/** The operation as text that `sketch` can read: `queue.enqueue(1) → 2`. */
export function labelOf(history: History, k: number, { gives }: Strokes = UNICODE): string {
  const { method, args, outcome, object } = history.at(k);
  const call = `${object === undefined ? '' : `${quoteName(object)}.`}${quoteName(method)}(${args.map(stringify).join(', ')})`;
  switch (history.columns.status[k]) {
    case RETURNED:
      return outcome.kind === 'returned' && outcome.value !== undefined
        ? `${call} ${gives} ${stringify(outcome.value)}`
        : call;
    case THREW:
      return outcome.kind === 'threw' ? `${call} ! ${quoteName(outcome.error)}` : call;
    default:
      return call;
  }
}

/** A name, quoted if it has unusual characters or looks like a stroke. */
const quoteName = (name: string): string =>
  /^[\p{L}\p{N}_$:][\p{L}\p{N}_$:-]*$/u.test(name) ? name : printableJson(JSON.stringify(name));
