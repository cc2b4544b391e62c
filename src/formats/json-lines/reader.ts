/** Our own format, read as a stream: operations or events, one a line or all in one array. */
import { asciiText } from '../../base/collections/text-interner.js';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import type { History } from '../../history/history.js';
import type { HistoryReader, ReadOptions } from '../common/reader.js';
import { Elements, JSON_ELEMENTS } from '../text/elements.js';
import { Lines } from '../text/lines.js';
import { columnOf } from './fields.js';
import { PlainRecords } from './plain-records.js';
import { readRecord } from './record.js';
import { Records, type Where } from './records.js';

const NEWLINE = 0x0a;

export class JsonLinesReader implements HistoryReader, Where {
  readonly #records: Records;
  readonly #source: Lines | Elements;
  /** The record that is being read, and where it starts. */
  #text = '';
  line = 1;
  #column = 1;
  readonly #record = () => readRecord(this.#text);

  /**
   * `inArray`: the records are the elements of one array.
   * `fast`: plain lines are read by their bytes, which changes nothing but the time it takes.
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

  at(position: number): LinePosition {
    return positionIn(this.#text, position, { line: this.line, column: this.#column });
  }

  placeOf(field: string | undefined): LinePosition {
    return this.at(columnOf(this.#text, field));
  }

  #readPlain(plain: PlainRecords, bytes: Uint8Array, from: number, line: number): number {
    this.line = line;
    try {
      return plain.take(bytes, from);
    } catch (error) {
      // only who complains of a plain line looks at its text
      this.#text = asciiText(bytes, from, bytes.indexOf(NEWLINE, from));
      this.#column = 1;
      throw this.#records.located(error);
    }
  }

  #read(text: string, { line, column }: LinePosition): void {
    this.#text = text;
    this.line = line;
    this.#column = column;
    this.#records.take(this.#record);
  }
}
