/** Detects the format of a history by its content, never by the file name. */
import { Buffer } from 'node:buffer';
import { JsonError, JsonReader } from '../base/values/json-reader.js';
import { show } from '../base/values/show.js';
import { FormatError, type HistoryReader, type ReadOptions } from './common/reader.js';
import { edn, isJepsenLog, json, log, type Notation } from './jepsen/notations.js';
import { JepsenReader } from './jepsen/reader.js';
import { JsonLinesReader } from './json-lines/reader.js';
import type { Records } from './json-lines/records.js';
import { MappedReader } from './mapped.js';

interface Format {
  readonly name: string;
  /** True if a text with this start may have the format. */
  recognises(start: string): boolean;
  reader(options: ReadOptions, start: string, joined: Records | undefined): HistoryReader;
}

/** The notation of a text that starts like the events of Jepsen; undefined for other texts. */
export function jepsenNotationOf(start: string): Notation | undefined {
  if (JSON_START.test(start)) return isJepsenEvent(start) ? json : undefined;
  return EDN_START.test(start) ? edn : isJepsenLog(start) ? log : undefined;
}

const JSON_START = /^\[?\s*(\{\s*("|\}|$)|$)|^\[\s*\]/;
const EDN_START = /^[[(]?[\s,]*(\{[\s,]*[:;#]|#[A-Za-z_]|;|\()|^\(/;

/** Tried in this order. */
const FORMATS: readonly Format[] = [
  {
    name: 'JSON objects ({…}, one per line or in an array)',
    recognises: (start) => JSON_START.test(start),
    reader: (options, start, joined) =>
      isJepsenEvent(start)
        ? new JepsenReader(json, options)
        : new JsonLinesReader(options, start.startsWith('['), joined),
  },
  {
    name: 'EDN of Jepsen ({:…})',
    recognises: (start) => EDN_START.test(start),
    reader: (options) => new JepsenReader(edn, options),
  },
  {
    name: 'a log of Jepsen',
    recognises: isJepsenLog,
    reader: (options) => new JepsenReader(log, options),
  },
];

/** The format is determined from at most this many bytes. */
const DETECTION_BYTES = 1 << 16;

/**
 * A reader that buffers the first bytes to choose a format; the result does not depend on chunk
 * boundaries.
 */
export class DetectingReader implements HistoryReader {
  readonly #options: ReadOptions;
  readonly #joined: Records | undefined;
  #start: Uint8Array[] = [];
  #length = 0;
  #reader: HistoryReader | undefined;

  /** `joined`: the records of this file and others, which become one history. */
  constructor(options: ReadOptions = {}, joined?: Records) {
    this.#options = options;
    this.#joined = joined;
    if (options.recordMap) this.#reader = new MappedReader(options, options.recordMap, joined);
  }

  write(bytes: Uint8Array): void {
    if (this.#reader) {
      this.#reader.write(bytes);
      return;
    }
    this.#length += bytes.length;
    const isDecidable = this.#length >= DETECTION_BYTES;
    // the caller may reuse its bytes, so keep a copy
    this.#start.push(isDecidable ? bytes : Uint8Array.from(bytes));
    if (isDecidable) this.#choose();
  }

  endFile(): void {
    const reader = this.#reader ?? this.#choose();
    if (!reader.endFile)
      throw new FormatError('a Jepsen history cannot be joined with other files; expected JSON with times');
    reader.endFile();
  }

  end(): ReturnType<HistoryReader['end']> {
    return (this.#reader ?? this.#choose()).end();
  }

  get bytesToEnd(): number {
    return this.#reader?.bytesToEnd ?? 0;
  }

  #choose(): HistoryReader {
    const text = new TextDecoder().decode(
      Buffer.concat(this.#start, Math.min(this.#length, DETECTION_BYTES)),
    );
    const start = text.trimStart();
    const format = FORMATS.find((own) => own.recognises(start));
    if (!format) {
      const blank = text.slice(0, text.length - start.length).split('\n');
      throw new FormatError(
        `unknown format: the text starts with ${show(start.split('\n')[0].trimEnd().slice(0, 24))}; expected ${FORMATS.map(({ name }) => name).join(' or ')}${adviceOn(start)}`,
        blank.length,
        blank[blank.length - 1].length + 1,
      );
    }
    return this.#readBy(format.reader(this.#options, start, this.#joined));
  }

  #readBy(reader: HistoryReader): HistoryReader {
    this.#reader = reader;
    for (const bytes of this.#start) reader.write(bytes);
    this.#start = [];
    return reader;
  }
}

const JEPSEN_TYPES = ['invoke', 'ok', 'fail', 'info'];

/** True if the visible part of the first object has a field that only Jepsen events have. */
function isJepsenEvent(start: string): boolean {
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

/** Advice for common mistakes. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^\[/, 'A list holds one object {…} for each operation or event'],
  [/^\{\s*['A-Za-z_]/, 'Field names need double quotes'],
  [/^(\/\/|#)/, 'There are no comments'],
];

function adviceOn(start: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(start))?.[1];
  return advice === undefined ? '' : `. ${advice}`;
}
