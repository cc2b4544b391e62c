/** Which format is this? Told by content, never by the file's name. */
import { Buffer } from 'node:buffer';
import { show } from '../base/index.js';
import { FormatError } from './format-error.js';
import { JsonLinesReader } from './json-lines/reader.js';
import { MappedReader } from './mapped.js';
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
    name: 'JSON lines, one object {…} a line',
    recognises: (start) => /^\{\s*("|\}|$)/.test(start),
    reader: (options) => new JsonLinesReader(options),
  },
];

/** So many bytes tell the format. */
const ENOUGH = 256;

/** A reader that looks at the first bytes before it decides; how they come in pieces does not matter. */
export class DetectingReader implements HistoryReader {
  readonly #options: ReadOptions;
  #start: Uint8Array = new Uint8Array();
  #reader: HistoryReader | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    if (options.map) this.#reader = new MappedReader(options, options.map);
  }

  write(bytes: Uint8Array): void {
    if (this.#reader) this.#reader.write(bytes);
    else {
      this.#start = Buffer.concat([this.#start, bytes]);
      if (this.#start.length >= ENOUGH) this.#choose();
    }
  }

  end(): ReturnType<HistoryReader['end']> {
    return (this.#reader ?? this.#choose()).end();
  }

  #choose(): HistoryReader {
    const text = new TextDecoder().decode(this.#start.subarray(0, ENOUGH));
    const start = text.trimStart();
    const format = start === '' ? FORMATS[0] : FORMATS.find((own) => own.recognises(start));
    if (!format) {
      const blank = text.slice(0, text.length - start.length).split('\n');
      throw new FormatError(
        `${show(start.split('\n')[0].trimEnd().slice(0, 24))} starts no format that straightedge reads; expected ${FORMATS.map(({ name }) => name).join(' or ')}${adviceOn(start)}`,
        blank.length,
        blank[blank.length - 1].length + 1,
      );
    }
    this.#reader = format.reader(this.#options);
    this.#reader.write(this.#start);
    this.#start = new Uint8Array();
    return this.#reader;
  }
}

/** What to do with texts that people try. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^\[/, "This is a JSON array; jq -c '.[]' makes lines of it"],
  [/^\{\s*['A-Za-z_]/, 'Field names need double quotes'],
  [/^(\{:|INFO\b)/, 'Histories of Jepsen are not read yet'],
  [/^(\/\/|#)/, 'There are no comments'],
];

function adviceOn(start: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(start))?.[1];
  return advice === undefined ? '' : `. ${advice}`;
}
