/** Reads our JSON format as a stream: operations or events, one per line or in one array. */
import { asciiText } from '../../base/collections/interners.js';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import type { History } from '../../history/history.js';
import {
  FormatError,
  type HistoryReader,
  type OnCut,
  onCutOf,
  READ_PARTIAL,
  type ReadOptions,
} from '../common/reader.js';
import { Elements, JSON_ELEMENTS } from '../text/elements.js';
import { Lines } from '../text/lines.js';
import { offsetOfField } from './fields.js';
import { PlainRecords } from './plain-records.js';
import { type LineRecord, readRecord } from './record.js';
import { type RecordPosition, Records } from './records.js';

const NEWLINE = 0x0a;

export class JsonLinesReader implements HistoryReader, RecordPosition {
  readonly #records: Records;
  readonly #source: Lines | Elements;
  /** The current record and its position. */
  #text = '';
  line = 1;
  #column = 1;
  readonly #record: () => LineRecord;
  readonly #onCut: OnCut;
  /** Is the last line read, which no newline ends? */
  #isLast = false;

  /**
   * `inArray`: the records are the elements of one array. `joined`: the records of this file and others. `fast`: plain
   * lines are read from their bytes, with the same result.
   */
  constructor(options: ReadOptions = {}, inArray = false, joined?: Records, fast = true) {
    this.#records = joined ?? new Records(options, this);
    this.#records.readFrom(this);
    this.#onCut = onCutOf(options, () => this.#records.hasEvents);
    this.#record = () => readRecord(this.#text, options.extraFields);
    this.#source = inArray
      ? new Elements(JSON_ELEMENTS, (text, start) => this.#read(text, start))
      : this.#lines(fast ? new PlainRecords(this.#records) : undefined);
  }

  #lines(plain: PlainRecords | undefined): Lines {
    const lines: Lines = new Lines(
      (line) => this.#read(line, { line: lines.number, column: 1 }),
      plain && ((bytes, from) => this.#readPlain(plain, bytes, from, lines)),
    );
    return lines;
  }

  write(bytes: Uint8Array): void {
    this.#source.write(bytes);
  }

  endFile(): void {
    this.#endSource();
    this.#records.endFile();
  }

  end(): History {
    this.#endSource();
    return this.#records.finish();
  }

  #endSource(): void {
    this.#isLast = true;
    this.#source.end(this.#onCut, isWhole);
    this.#isLast = false;
  }

  get bytesToEnd(): number {
    return this.#records.bytesToFinish;
  }

  positionAt(position: number): LinePosition {
    return positionIn(this.#text, position, { line: this.line, column: this.#column });
  }

  positionOf(field: string | undefined): LinePosition {
    return this.positionAt(offsetOfField(this.#text, field));
  }

  #readPlain(plain: PlainRecords, bytes: Uint8Array, from: number, lines: Lines): number {
    let at = from;
    try {
      while (at < bytes.length) {
        this.line = lines.number + 1;
        const next = plain.take(bytes, at);
        if (next < 0) break;
        at = next;
        lines.number++;
      }
      return at;
    } catch (error) {
      // the text of a plain line is needed only for an error
      this.#text = asciiText(bytes, at, bytes.indexOf(NEWLINE, at));
      this.#column = 1;
      throw this.#records.toFormatError(error);
    }
  }

  #read(text: string, { line, column }: LinePosition): void {
    this.#text = text;
    this.line = line;
    this.#column = column;
    try {
      this.#records.take(this.#record);
    } catch (error) {
      throw this.#isLast ? error : withoutAdvice(error);
    }
  }
}

/** Only the end of a file can be missing: what is left out there is no line in the middle. */
function withoutAdvice(error: unknown): unknown {
  const advice = `; ${READ_PARTIAL}`;
  if (!(error instanceof FormatError) || !error.detail.endsWith(advice)) return error;
  return new FormatError(error.detail.slice(0, -advice.length), error.line, error.column);
}

/** A beginning of an object is never an object. */
function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
