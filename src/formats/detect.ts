/** Which format is this? Told by content, never by the file's name. */
import { Buffer } from 'node:buffer';
import { JsonError, JsonReader } from '../base/values/json-reader.js';
import { show } from '../base/values/show.js';
import { FormatError } from './common/format-error.js';
import type { HistoryReader, ReadOptions } from './common/reader.js';
import { edn, json, log, looksLogged } from './jepsen/notations.js';
import { JepsenReader } from './jepsen/reader.js';
import { JsonLinesReader } from './json-lines/reader.js';
import { MappedReader } from './mapped.js';

interface Format {
  readonly name: string;
  /** Could a text that starts like this be of the format? */
  recognises(start: string): boolean;
  reader(options: ReadOptions, start: string): HistoryReader;
}

/** Asked in this order. */
const FORMATS: readonly Format[] = [
  {
    name: 'JSON, objects {…} one a line or in an array',
    recognises: (start) => /^\[?\s*(\{\s*("|\}|$)|$)|^\[\s*\]/.test(start),
    reader: (options, start) =>
      isJepsens(start)
        ? new JepsenReader(json, options)
        : new JsonLinesReader(options, start.startsWith('[')),
  },
  {
    name: 'EDN of Jepsen, maps {:…}',
    recognises: (start) => /^[[(]?[\s,]*(\{[\s,]*[:;#]|#[A-Za-z_]|;|\()|^\(/.test(start),
    reader: (options) => new JepsenReader(edn, options),
  },
  {
    name: 'a log of Jepsen',
    recognises: looksLogged,
    reader: (options) => new JepsenReader(log, options),
  },
];

/** The format is determined from at most this many bytes. */
const ENOUGH = 1 << 16;

/** A reader that looks at the first bytes before it decides; how they come in pieces does not matter. */
export class DetectingReader implements HistoryReader {
  readonly #options: ReadOptions;
  #start: Uint8Array[] = [];
  #length = 0;
  #reader: HistoryReader | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    if (options.map) this.#reader = new MappedReader(options, options.map);
  }

  write(bytes: Uint8Array): void {
    if (this.#reader) {
      this.#reader.write(bytes);
      return;
    }
    this.#length += bytes.length;
    const isEnough = this.#length >= ENOUGH;
    // the caller may use its bytes again: what is kept is a copy
    this.#start.push(isEnough ? bytes : Uint8Array.from(bytes));
    if (isEnough) this.#choose();
  }

  end(): ReturnType<HistoryReader['end']> {
    return (this.#reader ?? this.#choose()).end();
  }

  get bytesToEnd(): number {
    return this.#reader?.bytesToEnd ?? 0;
  }

  #choose(): HistoryReader {
    const text = new TextDecoder().decode(Buffer.concat(this.#start, Math.min(this.#length, ENOUGH)));
    const start = text.trimStart();
    const format = FORMATS.find((own) => own.recognises(start));
    if (!format) {
      const blank = text.slice(0, text.length - start.length).split('\n');
      throw new FormatError(
        `${show(start.split('\n')[0].trimEnd().slice(0, 24))} starts no format that straightedge reads; expected ${FORMATS.map(({ name }) => name).join(', or ')}${adviceOn(start)}`,
        blank.length,
        blank[blank.length - 1].length + 1,
      );
    }
    return this.#readBy(format.reader(this.#options, start));
  }

  #readBy(reader: HistoryReader): HistoryReader {
    this.#reader = reader;
    for (const bytes of this.#start) reader.write(bytes);
    this.#start = [];
    return reader;
  }
}

const JEPSEN_TYPES = ['invoke', 'ok', 'fail', 'info'];

/** Has the first object, as far as it is seen, what events of Jepsen have and ours never do? */
function isJepsens(start: string): boolean {
  const reader = new JsonReader(start, start.indexOf('{'));
  let found = false;
  try {
    reader.fields((name) => {
      found ||= name === 'f';
      const value = reader.value();
      found ||= name === 'type' && typeof value === 'string' && JEPSEN_TYPES.includes(value);
    });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return found;
}

/** What to do with texts that people try. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^\[/, 'A list holds one object {…} for each operation or event'],
  [/^\{\s*['A-Za-z_]/, 'Field names need double quotes'],
  [/^(\/\/|#)/, 'There are no comments'],
];

function adviceOn(start: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(start))?.[1];
  return advice === undefined ? '' : `. ${advice}`;
}
