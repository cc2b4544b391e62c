/** Which format is this? Told by content, never by the file's name. */
import { FormatError } from './format-error.js';
import { JsonLinesReader } from './json-lines/reader.js';
import type { HistoryReader, ReadOptions } from './reader.js';

interface Format {
  readonly name: string;
  /** Could a text that starts like this be of the format? */
  recognises(start: string): boolean;
  reader(options: ReadOptions): HistoryReader;
}

/** Asked in this order. */
const FORMATS: readonly Format[] = [
  {
    name: 'JSON lines',
    recognises: (start) => /^\{\s*("|\}|$)/.test(start),
    reader: (options) => new JsonLinesReader(options),
  },
];

/** A reader that looks at the first bytes before it decides. */
export class DetectingReader implements HistoryReader {
  readonly #options: ReadOptions;
  #reader: HistoryReader | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#reader ??= this.#choose(bytes);
    this.#reader?.write(bytes);
  }

  end(): ReturnType<HistoryReader['end']> {
    this.#reader ??= FORMATS[0].reader(this.#options);
    return this.#reader.end();
  }

  #choose(bytes: Uint8Array): HistoryReader {
    const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
    const format = start === '' ? FORMATS[0] : FORMATS.find((own) => own.recognises(start));
    if (format) return format.reader(this.#options);
    const shown = JSON.stringify(start.split('\n')[0].slice(0, 24));
    throw new FormatError(
      `${shown} starts no format that straightedge reads; expected ${FORMATS.map(({ name }) => name).join(' or ')}`,
      1,
    );
  }
}
