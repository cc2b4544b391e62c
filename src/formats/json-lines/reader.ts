/** Reads our JSON format as a stream: operations or events, one per line or in one array. */
import { asciiText } from '../../base/collections/text-interner.js';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import type { History } from '../../history/history.js';
import type { HistoryReader, ReadOptions } from '../common/reader.js';
import { Elements, JSON_ELEMENTS } from '../text/elements.js';
import { Lines } from '../text/lines.js';
import { offsetOfField } from './fields.js';
import { PlainRecords } from './plain-records.js';
import { readRecord } from './record.js';
import { type RecordPosition, Records } from './records.js';

const NEWLINE = 0x0a;

export class JsonLinesReader implements HistoryReader, RecordPosition {
  readonly #records: Records;
  readonly #source: Lines | Elements;
  /** The current record and its position. */
  #text = '';
  line = 1;
  #column = 1;
  readonly #record = () => readRecord(this.#text);

  /**
   * `inArray`: the records are the elements of one array. `fast`: plain lines are read from their
   * bytes, with the same result.
   */
  constructor(options: ReadOptions = {}, inArray = false, fast = true) {
    this.#records = new Records(options, this);
    this.#source = inArray
      ? new Elements(JSON_ELEMENTS, (text, start) => this.#read(text, start))
      : this.#lines(fast ? new PlainRecords(this.#records) : undefined);
  }

  #lines(plain: PlainRecords | undefined): Lines {
    const lines: Lines = new Lines(
      (line) => this.#read(line, { line: lines.number, column: 1 }),
      plain && ((bytes, from) => this.#readPlain(plain, bytes, from, lines.number)),
    );
    return lines;
  }

  write(bytes: Uint8Array): void {
    this.#source.write(bytes);
  }

  end(): History {
    this.#source.end();
    return this.#records.finish();
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

  #readPlain(plain: PlainRecords, bytes: Uint8Array, from: number, line: number): number {
    this.line = line;
    try {
      return plain.take(bytes, from);
    } catch (error) {
      // the text of a plain line is needed only for an error
      this.#text = asciiText(bytes, from, bytes.indexOf(NEWLINE, from));
      this.#column = 1;
      throw this.#records.toFormatError(error);
    }
  }

  #read(text: string, { line, column }: LinePosition): void {
    this.#text = text;
    this.line = line;
    this.#column = column;
    this.#records.take(this.#record);
  }
}
