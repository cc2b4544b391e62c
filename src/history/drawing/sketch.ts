/**
 * Reads a drawing as a history: the notation of tests, docs and bug reports.
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
import { untag } from '../../base/values/json-values.js';
import { HistoryBuilder, type TimedOperation } from '../builder/builder.js';
import type { History } from '../history.js';
import type { AnyObject, Methods, Outcome } from '../model/operation.js';
import { width } from './layout.js';

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
