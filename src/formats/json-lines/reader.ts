/** Our own format, read as a stream: operations or events, one a line or all in one array. */
import type { History } from '../../history/index.js';
import { JSON_ELEMENTS } from '../element-syntax.js';
import { Elements } from '../elements.js';
import { Lines } from '../lines.js';
import { type Place, placeIn } from '../place.js';
import type { HistoryReader, ReadOptions } from '../reader.js';
import { columnOf } from './fields.js';
import { readRecord } from './record.js';
import { Records, type Where } from './records.js';

export class JsonLinesReader implements HistoryReader, Where {
  readonly #records: Records;
  readonly #source: Lines | Elements;
  /** The record that is being read, and where it starts. */
  #text = '';
  start: Place = { line: 1, column: 1 };
  readonly #record = () => readRecord(this.#text);

  /** `inArray`: the records are the elements of one array. */
  constructor(options: ReadOptions = {}, inArray = false) {
    this.#records = new Records(options, this);
    if (inArray) this.#source = new Elements(JSON_ELEMENTS, (text, start) => this.#read(text, start));
    else {
      const lines = new Lines((line) => this.#read(line, { line: lines.number, column: 1 }));
      this.#source = lines;
    }
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

  at(position: number): Place {
    return placeIn(this.#text, position, this.start);
  }

  placeOf(field: string | undefined): Place {
    return this.at(columnOf(this.#text, field));
  }

  #read(text: string, start: Place): void {
    this.#text = text;
    this.start = start;
    this.#records.take(this.#record);
  }
}
