/** Our own format, read as a stream: one operation a line, or one event a line. */
import type { History } from '../../history/index.js';
import { Lines } from '../lines.js';
import type { HistoryReader, ReadOptions } from '../reader.js';
import { columnOf } from './fields.js';
import { readRecord } from './record.js';
import { Records } from './records.js';

export class JsonLinesReader implements HistoryReader {
  readonly #records: Records;
  readonly #lines = new Lines((line) => {
    this.#line = line;
    this.#records.take(this.#read);
  });
  #line = '';
  readonly #read = () => readRecord(this.#line);

  constructor(options: ReadOptions = {}) {
    const lines = this.#lines;
    this.#records = new Records(options, {
      get line() {
        return lines.number;
      },
      column: (field) => columnOf(this.#line, field) + 1,
    });
  }

  write(bytes: Uint8Array): void {
    this.#lines.write(bytes);
  }

  end(): History {
    this.#lines.end();
    return this.#records.finish();
  }
}
