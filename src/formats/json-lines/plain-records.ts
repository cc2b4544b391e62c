/**
 * Converts plain lines to records by table indices; known texts need no string.
 *
 * A line is accepted only if it has exactly the fields of an operation or an event; then it is
 * processed like any record, with the same errors. Other lines are declined without side effects,
 * so that the JSON reader assigns the same indices in the same order.
 */
import { asciiText, hashText, TextInterner } from '../../base/collections/interners.js';
import type { NumberedCall } from '../../history/builder/entries.js';
import { FAILED, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
import { LineTree } from './line-tree.js';
import {
  FALSE,
  FIELDS,
  FIRST_ARGUMENT,
  INTEGER,
  isWord,
  NULL,
  PlainLine,
  STRING,
  TRUE,
} from './plain-line.js';
import { NONE, type Records } from './records.js';

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

/** What the lines of one path of the tree have in common, by table indices. */
interface KnownLine {
  readonly fields: number;
  /** The arguments that do not vary are in their places. */
  readonly call: NumberedCall;
  /** The positions of arguments that vary. */
  readonly arguments: readonly number[];
  readonly status: number;
  /** Undefined if it varies. */
  readonly result: number | undefined;
}

export class PlainRecords {
  readonly #records: Records;
  readonly #line = new PlainLine();
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  readonly #tree = new LineTree();
  /** Leaf of the tree to what its lines have in common. */
  readonly #known: KnownLine[] = [];
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
    const line = this.#line;
    if (bytes !== line.bytes) line.begin(bytes);
    const leaf = this.#tree.match(line, from);
    if (leaf >= 0 && this.#again(this.#known[leaf])) return this.#tree.next;
    const next = line.read(from);
    if (next < 0 || !this.#add(line.fields)) return NONE;
    if ((line.fields & TYPE) === 0 && leaf < 0) this.#learn(from, next);
    return next;
  }

  /** Learns the line of the operation that was read last. */
  #learn(from: number, next: number): void {
    const line = this.#line;
    const { object, process, method, args, count, overlapping } = this.#call;
    const status = statusOf(line.fields);
    const result = DETAIL_FIELD[status];
    const varies = (slot: number): boolean => !isWord(line.kind(slot));
    const hasResult = (line.fields & (1 << result)) !== 0 && varies(result);
    const leaf = this.#tree.learn(line, from, next);
    if (leaf < 0) return;
    this.#known[leaf] = {
      fields: line.fields,
      // one shape for all: a spread would give each its own
      call: { object, process, method, args: args.slice(0, count), count, overlapping },
      arguments: Array.from({ length: count }, (_, i) => i).filter((i) => varies(FIRST_ARGUMENT + i)),
      status,
      result: hasResult ? undefined : this.#result(line.fields, status),
    };
  }

  /** Adds an operation of a known line. False, without effect, if its times are not plain. */
  #again({ fields, call, arguments: varying, status, result }: KnownLine): boolean {
    const start = this.#line.time(FIELDS.call);
    const end = (fields & RETURN) === 0 ? undefined : this.#line.time(FIELDS.return);
    if (start === undefined || (end === undefined && (fields & RETURN) !== 0)) return false;
    this.#records.expectOperation();
    for (let i = 0; i < varying.length; i++) call.args[varying[i]] = this.#value(FIRST_ARGUMENT + varying[i]);
    const detail = result ?? this.#value(DETAIL_FIELD[status]);
    this.#records.operation(call, this.#id(fields), status, detail, start, end);
    return true;
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
