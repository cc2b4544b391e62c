/** Reads our JSON format as a stream: operations or events, one per line or in one array. */
import { asciiText, hashText, TextInterner } from '../../base/collections/interners.js';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import type { NumberedCall } from '../../history/builder/entries.js';
import type { History } from '../../history/history.js';
import { FAILED, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
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
import { FALSE, FIELDS, FIRST_ARGUMENT, INTEGER, NULL, PlainLine, STRING, TRUE } from './plain-line.js';
import { type LineRecord, readRecord } from './record.js';
import { NONE, type RecordPosition, Records } from './records.js';

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
      plain && ((bytes, from) => this.#readPlain(plain, bytes, from, lines.number)),
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

const bitsOf = (...fields: (keyof typeof FIELDS)[]): number =>
  fields.reduce((bits, field) => bits | (1 << FIELDS[field]), 0);

const [RESULT, THROWN, FAILURE, UNKNOWN] = [
  bitsOf('result'),
  bitsOf('threw'),
  bitsOf('failed'),
  bitsOf('unknown'),
];
const OUTCOME = RESULT | THROWN | FAILURE | UNKNOWN;
const [TYPE, OBJECT, ID, RETURN] = [bitsOf('type'), bitsOf('object'), bitsOf('id'), bitsOf('return')];

/**
 * Required and optional fields of a record, and the status it gives a call if it is an event that
 * ends one.
 */
interface Shape {
  readonly required: number;
  readonly optional: number;
  readonly status: number;
}
const OPERATION: Shape = {
  required: bitsOf('process', 'method', 'call'),
  optional: bitsOf('args', 'return', 'object', 'id') | OUTCOME,
  status: NONE,
};
const END = bitsOf('type', 'process');
const EVENTS: readonly (readonly [type: string, shape: Shape])[] = [
  ['call', { required: END | bitsOf('method'), optional: bitsOf('args') | OBJECT | ID, status: NONE }],
  ['return', { required: END, optional: OBJECT | ID | RESULT, status: RETURNED }],
  ['throw', { required: END | THROWN, optional: OBJECT | ID, status: THREW }],
  ['failed', { required: END, optional: OBJECT | ID | FAILURE, status: FAILED }],
  ['unknown', { required: END, optional: OBJECT | ID | UNKNOWN, status: PENDING }],
];

/** Status to the field with its details. */
const DETAIL_FIELD: readonly number[] = [FIELDS.unknown, FIELDS.result, FIELDS.threw, FIELDS.failed];

const hasShape = (fields: number, { required, optional }: Shape): boolean =>
  (fields & required) === required && (fields & ~(required | optional)) === 0;

/** The status of an operation by its fields; -1 if they are inconsistent. */
function statusOf(fields: number): number {
  const hasReturn = (fields & RETURN) !== 0;
  switch (fields & OUTCOME) {
    case 0:
      return hasReturn ? RETURNED : PENDING;
    case RESULT:
      return hasReturn ? RETURNED : NONE;
    case THROWN:
      return hasReturn ? THREW : NONE;
    case FAILURE:
      return FAILED;
    case UNKNOWN:
      return PENDING;
    default:
      return NONE;
  }
}

/**
 * Converts plain lines to records by table indices; known texts need no string.
 *
 * A line is accepted only if it has exactly the fields of an operation or an event; then it is
 * processed like any record, with the same errors. Other lines are declined without side effects,
 * so that the JSON reader assigns the same indices in the same order.
 */
class PlainRecords {
  readonly #records: Records;
  readonly #line = new PlainLine();
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  /** Event type to its row in EVENTS, or -1. */
  readonly #types = new TextInterner((type) => EVENTS.findIndex(([own]) => own === type));
  readonly #processes: TextInterner;
  readonly #objects: TextInterner;
  readonly #texts: TextInterner;
  /** Object to its methods. */
  readonly #methods: TextInterner[] = [];
  /** Kind to the index of null, true or false, once interned. */
  readonly #words = new Int32Array(FALSE + 1).fill(NONE);

  constructor(records: Records) {
    const { tables } = records;
    this.#records = records;
    this.#processes = new TextInterner((name) => tables.processes.intern(records.processName(name)));
    this.#objects = new TextInterner((name) => tables.objects.intern(name));
    this.#texts = new TextInterner((text) => tables.values.intern(text));
  }

  /** Reads the line that starts here. Returns the start of the next line, or -1 if this one is not plain. */
  take(bytes: Uint8Array, from: number): number {
    const next = this.#line.read(bytes, from);
    return next >= 0 && this.#add(this.#line.fields) ? next : NONE;
  }

  #add(fields: number): boolean {
    if ((fields & TYPE) === 0)
      return hasShape(fields, OPERATION) && this.#operation(fields, statusOf(fields));
    const row = this.#number(this.#types, FIELDS.type);
    if (row < 0 || !hasShape(fields, EVENTS[row][1])) return false;
    const { status } = EVENTS[row][1];
    this.#event(fields, status);
    return true;
  }

  #operation(fields: number, status: number): boolean {
    if (status < 0) return false;
    const start = this.#line.time(FIELDS.call);
    const end = (fields & RETURN) === 0 ? undefined : this.#line.time(FIELDS.return);
    if (start === undefined || (end === undefined && (fields & RETURN) !== 0)) return false;
    this.#records.expectOperation();
    const call = this.#called(fields);
    const result = this.#result(fields, status);
    this.#records.operation(call, this.#id(fields), status, result, start, end);
    return true;
  }

  #event(fields: number, status: number): void {
    this.#records.expectEvent();
    if (status === NONE) {
      this.#records.call(this.#called(fields), this.#id(fields));
      return;
    }
    const process = this.#process();
    const object = (fields & OBJECT) === 0 ? NONE : this.#number(this.#objects, FIELDS.object);
    const entry = this.#records.takeOpenCall(process, object, this.#id(fields));
    this.#records.end(entry, status, this.#result(fields, status));
  }

  #called(fields: number): NumberedCall {
    const call = this.#call;
    call.object =
      (fields & OBJECT) === 0
        ? this.#records.tables.objects.intern(undefined)
        : this.#number(this.#objects, FIELDS.object);
    call.process = this.#process();
    call.method = this.#number(this.#methodsOf(call.object), FIELDS.method);
    call.count = this.#line.count;
    for (let i = 0; i < call.count; i++) call.args[i] = this.#value(FIRST_ARGUMENT + i);
    call.overlapping = (fields & ID) !== 0;
    return call;
  }

  #methodsOf(object: number): TextInterner {
    const { tables } = this.#records;
    this.#methods[object] ??= new TextInterner((method) =>
      tables.methods.intern(this.#records.methodOf(method, tables.object(object))),
    );
    return this.#methods[object];
  }

  /** A process may be an integer, which equals its decimal text. */
  #process(): number {
    const line = this.#line;
    const slot = FIELDS.process;
    if (line.kind(slot) === STRING) return this.#number(this.#processes, slot);
    const [start, end] = [line.start(slot), line.end(slot)];
    return this.#processes.intern(line.bytes, start, end, hashText(line.bytes, start, end));
  }

  #id(fields: number): number {
    if ((fields & ID) === 0) return NONE;
    const line = this.#line;
    const slot = FIELDS.id;
    return this.#records.ids.number(
      line.kind(slot) === INTEGER
        ? line.integers[slot]
        : asciiText(line.bytes, line.start(slot), line.end(slot)),
    );
  }

  /** The index of the result, error or reason; -1 if there is none. */
  #result(fields: number, status: number): number {
    const slot = DETAIL_FIELD[status];
    if ((fields & (1 << slot)) === 0) return status === RETURNED ? this.#word(NULL) : NONE;
    return status === FAILED && this.#line.kind(slot) === TRUE ? NONE : this.#value(slot);
  }

  #value(slot: number): number {
    const kind = this.#line.kind(slot);
    if (kind === INTEGER) return this.#records.tables.values.intern(this.#line.integers[slot]);
    return kind === STRING ? this.#number(this.#texts, slot) : this.#word(kind);
  }

  #word(kind: number): number {
    if (this.#words[kind] < 0)
      this.#words[kind] = this.#records.tables.values.intern(kind === NULL ? null : kind === TRUE);
    return this.#words[kind];
  }

  #number(texts: TextInterner, slot: number): number {
    const line = this.#line;
    return texts.intern(line.bytes, line.start(slot), line.end(slot), line.hash(slot));
  }
}
