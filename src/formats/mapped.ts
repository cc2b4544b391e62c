/**
 * Foreign JSON: a function of the user's makes records of our own format of it.
 *
 * The text is any JSON: a record a line, one array, or one after another, indented
 * or not. Each record is handed to the function as it is, large integers as
 * bigints; what comes back has the fields of a line of our own format
 * (docs/reference/history-format.md), and is read with the same care. Errors name the place
 * of the foreign record.
 */

import { type LinePosition, positionIn } from '../base/source-position.js';
import { copyOf } from '../base/values/copy.js';
import { JsonError, parseJson } from '../base/values/json-reader.js';
import { printable, show } from '../base/values/show.js';
import type { History } from '../history/history.js';
import { FormatError } from './common/format-error.js';
import type { HistoryReader, ReadOptions, RecordMap } from './common/reader.js';
import { RecordError } from './json-lines/fields.js';
import { recordOf } from './json-lines/record.js';
import { Records, type Where } from './json-lines/records.js';
import { Elements, JSON_ELEMENTS } from './text/elements.js';

export class MappedReader implements HistoryReader, Where {
  readonly #map: RecordMap;
  readonly #records: Records;
  readonly #elements = new Elements(JSON_ELEMENTS, (text, start) => this.#take(text, start));
  /** Where the foreign record that is being read starts, which is all that is said of ours. */
  start: LinePosition = { line: 1, column: 1 };

  constructor(options: ReadOptions, map: RecordMap) {
    this.#map = map;
    this.#records = new Records(options, this);
  }

  write(bytes: Uint8Array): void {
    this.#elements.write(bytes);
  }

  end(): History {
    this.#elements.end();
    return this.#records.finish();
  }

  get bytesToEnd(): number {
    return this.#records.bytesToFinish;
  }

  get line(): number {
    return this.start.line;
  }

  at(): LinePosition {
    return this.start;
  }

  placeOf(): LinePosition {
    return this.start;
  }

  #take(text: string, start: LinePosition): void {
    this.start = start;
    const given: unknown = this.#ask(parsed(text, start));
    if (given === undefined || given === null) return;
    for (const record of Array.isArray(given) ? (given as unknown[]) : [given])
      this.#records.take(() => recordOf(this.#fieldsOf(record)));
  }

  /** What the map gave may be anything, even something that throws when it is looked at. */
  #fieldsOf(record: unknown): ReturnType<typeof fieldsOf> {
    try {
      return fieldsOf(record);
    } catch (error) {
      if (error instanceof RecordError) throw error;
      throw new RecordError(`the map gave something that can not be read: ${printable(String(error))}`);
    }
  }

  #ask(record: unknown): unknown {
    try {
      return this.#map(record);
    } catch (error) {
      const { line, column } = this.start;
      throw new FormatError(
        `the map threw on the record that begins here: ${printable(String(error))}`,
        line,
        column,
      );
    }
  }
}

function parsed(text: string, start: LinePosition): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column } = positionIn(text, error.position, start);
    throw new FormatError(printable(error.message), line, column);
  }
}

/** A copy, since a map may use its objects again; a field that is undefined is not there. */
function fieldsOf(record: unknown): Record<string, unknown> {
  const prototype: unknown =
    typeof record === 'object' && record !== null ? Object.getPrototypeOf(record) : undefined;
  if (prototype !== null && prototype !== Object.prototype)
    throw new RecordError(
      `the map gave ${show(record)}; expected a plain object, a list of them, or nothing`,
    );
  const copy = copyOf(record) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(copy).filter(([, field]) => field !== undefined));
}
