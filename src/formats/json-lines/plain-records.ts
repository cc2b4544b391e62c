/**
 * Plain lines become records by numbers: of a text that was met before, no string is made.
 *
 * A line is taken only if it has the fields of an operation or an event and no others; then
 * it goes the way of all records, whose errors are its errors too. Any other line is left
 * alone, and nothing is remembered of it: whoever reads it next gives out the same numbers,
 * in the same order.
 */
import { asciiText, hashText, TextInterner } from '../../base/collections/text-interner.js';
import type { NumberedCall } from '../../history/builder/tables.js';
import { FAILED, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
import { FALSE, FIELDS, FIRST_ARGUMENT, INTEGER, NULL, PlainLine, STRING, TRUE } from './plain-line.js';
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

/** What a record has to have, what it may have beside, and how it ends a call, if it is an event that does. */
interface Shape {
  readonly needs: number;
  readonly may: number;
  readonly status: number;
}
const OPERATION: Shape = {
  needs: bitsOf('process', 'method', 'call'),
  may: bitsOf('args', 'return', 'object', 'id') | OUTCOME,
  status: NONE,
};
const END = bitsOf('type', 'process');
const EVENTS: readonly (readonly [type: string, shape: Shape])[] = [
  ['call', { needs: END | bitsOf('method'), may: bitsOf('args') | OBJECT | ID, status: NONE }],
  ['return', { needs: END, may: OBJECT | ID | RESULT, status: RETURNED }],
  ['throw', { needs: END | THROWN, may: OBJECT | ID, status: THREW }],
  ['failed', { needs: END, may: OBJECT | ID | FAILURE, status: FAILED }],
  ['unknown', { needs: END, may: OBJECT | ID | UNKNOWN, status: PENDING }],
];

/** Status to the field that tells more of it. */
const TELLING: readonly number[] = [FIELDS.unknown, FIELDS.result, FIELDS.threw, FIELDS.failed];

const fits = (fields: number, { needs, may }: Shape): boolean =>
  (fields & needs) === needs && (fields & ~(needs | may)) === 0;

/** How an operation ended, by its fields; -1 where that makes no sense. */
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

export class PlainRecords {
  readonly #records: Records;
  readonly #line = new PlainLine();
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  /** Type of an event to its row above, or -1. */
  readonly #types = new TextInterner((type) => EVENTS.findIndex(([own]) => own === type));
  readonly #processes: TextInterner;
  readonly #objects: TextInterner;
  readonly #texts: TextInterner;
  /** Object to its methods. */
  readonly #methods: TextInterner[] = [];
  /** Kind to the number of null, true or false, once it has one. */
  readonly #words = new Int32Array(FALSE + 1).fill(NONE);

  constructor(records: Records) {
    const { names } = records;
    this.#records = records;
    this.#processes = new TextInterner((name) => names.processes.intern(name));
    this.#objects = new TextInterner((name) => names.objects.intern(name));
    this.#texts = new TextInterner((text) => names.values.intern(text));
  }

  /** Takes the line that starts here. Gives where the next one starts, or -1 if this one is not plain. */
  take(bytes: Uint8Array, from: number): number {
    const next = this.#line.read(bytes, from);
    return next >= 0 && this.#add(this.#line.fields) ? next : NONE;
  }

  #add(fields: number): boolean {
    if ((fields & TYPE) === 0) return fits(fields, OPERATION) && this.#operation(fields, statusOf(fields));
    const row = this.#number(this.#types, FIELDS.type);
    if (row < 0 || !fits(fields, EVENTS[row][1])) return false;
    const { status } = EVENTS[row][1];
    // among events, a reason is a text
    if ((fields & FAILURE) !== 0 && this.#line.kind(FIELDS.failed) === TRUE) return false;
    this.#event(fields, status);
    return true;
  }

  #operation(fields: number, status: number): boolean {
    if (status < 0) return false;
    const { integers } = this.#line;
    this.#records.expectOperation();
    const call = this.#called(fields);
    const result = this.#result(fields, status);
    const end = (fields & RETURN) === 0 ? undefined : integers[FIELDS.return];
    this.#records.operation(call, this.#id(fields), status, result, integers[FIELDS.call], end);
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
    const entry = this.#records.callOf(process, object, this.#id(fields));
    this.#records.end(entry, status, this.#result(fields, status));
  }

  #called(fields: number): NumberedCall {
    const call = this.#call;
    call.object =
      (fields & OBJECT) === 0
        ? this.#records.names.objects.intern(undefined)
        : this.#number(this.#objects, FIELDS.object);
    call.process = this.#process();
    call.method = this.#number(this.#methodsOf(call.object), FIELDS.method);
    call.count = this.#line.count;
    for (let i = 0; i < call.count; i++) call.args[i] = this.#value(FIRST_ARGUMENT + i);
    call.overlapping = (fields & ID) !== 0;
    return call;
  }

  #methodsOf(object: number): TextInterner {
    const { names } = this.#records;
    this.#methods[object] ??= new TextInterner((method) =>
      names.methods.intern(this.#records.methodOf(method, names.object(object))),
    );
    return this.#methods[object];
  }

  /** A process may be an integer, which is as good as the text that spells it. */
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

  /** The number of what an operation returned, or of what is told of its end; -1 where nothing is. */
  #result(fields: number, status: number): number {
    const slot = TELLING[status];
    if ((fields & (1 << slot)) === 0) return status === RETURNED ? this.#word(NULL) : NONE;
    return status === FAILED && this.#line.kind(slot) === TRUE ? NONE : this.#value(slot);
  }

  #value(slot: number): number {
    const kind = this.#line.kind(slot);
    if (kind === INTEGER) return this.#records.names.values.intern(this.#line.integers[slot]);
    return kind === STRING ? this.#number(this.#texts, slot) : this.#word(kind);
  }

  #word(kind: number): number {
    if (this.#words[kind] < 0)
      this.#words[kind] = this.#records.names.values.intern(kind === NULL ? null : kind === TRUE);
    return this.#words[kind];
  }

  #number(texts: TextInterner, slot: number): number {
    const line = this.#line;
    return texts.intern(line.bytes, line.start(slot), line.end(slot), line.hash(slot));
  }
}
