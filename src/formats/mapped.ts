/**
 * Reads foreign JSON through a function of the user that converts records to our format.
 *
 * The text is any JSON: one record per line, one array, or concatenated values, indented or not.
 * Each record is passed to the function unchanged, with large integers as bigints. The result has
 * the fields of a line of our format (docs/reference/history-format.md) and is validated in the
 * same way. Errors name the position of the foreign record.
 */
import { thrownText } from '../base/errors.js';
import { type LinePosition, positionIn } from '../base/source-position.js';
import { copyOf } from '../base/values/canonical.js';
import { JsonError, parseJson } from '../base/values/json-reader.js';
import { printable, show } from '../base/values/show.js';
import type { History } from '../history/history.js';
import { EventError } from '../history/model/operation.js';
import {
  FormatError,
  type HistoryReader,
  type OnCut,
  onCutOf,
  type ReadOptions,
  type RecordMap,
} from './common/reader.js';
import { RecordError } from './json-lines/fields.js';
import { type LineRecord, toRecord } from './json-lines/record.js';
import { type RecordPosition, Records } from './json-lines/records.js';
import { Elements, JSON_ELEMENTS } from './text/elements.js';

/** Converts the records of a stream and delivers each of ours with the line of the foreign one. */
export class MappedRecords {
  readonly #map: RecordMap;
  readonly #memory = new Map<unknown, unknown>();
  readonly #hasExtras: boolean;
  readonly #take: (record: LineRecord, line: number) => void;
  readonly #elements = new Elements(JSON_ELEMENTS, (text, start) => this.#read(text, start));
  /** Start of the current foreign record, which all errors name. */
  start: LinePosition = { line: 1, column: 1 };

  constructor(map: RecordMap, hasExtras = false, take: (record: LineRecord, line: number) => void) {
    this.#map = map;
    this.#hasExtras = hasExtras;
    this.#take = take;
  }

  write(bytes: Uint8Array): void {
    this.#elements.write(bytes);
  }

  end(onCut?: OnCut): void {
    this.#elements.end(onCut);
  }

  #read(text: string, start: LinePosition): void {
    this.start = start;
    const converted: unknown = this.#convert(parseAt(text, start));
    if (converted === undefined || converted === null) return;
    for (const record of Array.isArray(converted) ? (converted as unknown[]) : [converted])
      try {
        this.#take(toRecord(this.#fieldsOf(record), this.#hasExtras), start.line);
      } catch (error) {
        if (!(error instanceof RecordError || error instanceof EventError)) throw error;
        throw new FormatError(printable(error.message), start.line, start.column);
      }
  }

  /** The fields of a converted record, which may be anything, even an object that throws on access. */
  #fieldsOf(record: unknown): ReturnType<typeof fieldsOf> {
    try {
      return fieldsOf(record);
    } catch (error) {
      if (error instanceof RecordError) throw error;
      throw new RecordError(
        `the record map returned an unreadable value: ${printable(thrownText(error, 'both'))}`,
      );
    }
  }

  #convert(record: unknown): unknown {
    try {
      return this.#map(record, this.#memory);
    } catch (error) {
      const { line, column } = this.start;
      throw new FormatError(
        `the record map threw for this record: ${printable(thrownText(error, 'both'))}`,
        line,
        column,
      );
    }
  }
}

export class MappedReader implements HistoryReader, RecordPosition {
  readonly #records: Records;
  readonly #mapped: MappedRecords;
  readonly #onCut: OnCut;

  /** `joined`: the records of this file and others. */
  constructor(options: ReadOptions, map: RecordMap, joined?: Records) {
    this.#records = joined ?? new Records(options, this);
    this.#records.readFrom(this);
    this.#onCut = onCutOf(options, () => this.#records.hasEvents);
    this.#mapped = new MappedRecords(map, options.extraFields, (record) => this.#records.take(() => record));
  }

  write(bytes: Uint8Array): void {
    this.#mapped.write(bytes);
  }

  endFile(): void {
    this.#mapped.end(this.#onCut);
    this.#records.endFile();
  }

  end(): History {
    this.#mapped.end(this.#onCut);
    return this.#records.finish();
  }

  get bytesToEnd(): number {
    return this.#records.bytesToFinish;
  }

  get line(): number {
    return this.#mapped.start.line;
  }

  positionAt(): LinePosition {
    return this.#mapped.start;
  }

  positionOf(): LinePosition {
    return this.#mapped.start;
  }
}

function parseAt(text: string, start: LinePosition): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column } = positionIn(text, error.position, start);
    throw new FormatError(printable(error.message), line, column);
  }
}

/** A copy, because the function may reuse its objects; undefined fields are dropped. */
function fieldsOf(record: unknown): Record<string, unknown> {
  const prototype: unknown =
    typeof record === 'object' && record !== null ? Object.getPrototypeOf(record) : undefined;
  if (prototype !== null && prototype !== Object.prototype)
    throw new RecordError(
      `the record map returned ${show(record)}; expected a plain object, a list of them, or nothing`,
    );
  const copy = copyOf(record) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(copy).filter(([, field]) => field !== undefined));
}
