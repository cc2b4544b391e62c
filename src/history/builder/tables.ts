/** The tables of a history while it is built: objects, processes, methods and values become numbers. */
import { copyOf } from '../../base/values/copy.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import { FAILED, PENDING, RETURNED, type Tables, THREW } from '../model/columns.js';
import type { Outcome } from '../model/operation.js';

/** A call as it is recorded. */
export interface Call {
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** Which object is called, where there are several. */
  readonly object?: string | undefined;
  /** The process may have other calls open at the same time. */
  readonly overlapping?: boolean | undefined;
}

/** The same by numbers of the tables. One is used for many calls: whoever keeps it keeps a copy. */
export interface NumberedCall {
  object: number;
  process: number;
  method: number;
  /** The arguments are the first `count`: a list that shrinks and grows is slow. */
  readonly args: number[];
  count: number;
  overlapping: boolean;
}

export const STATUS: Readonly<Record<Outcome['kind'], number>> = {
  pending: PENDING,
  returned: RETURNED,
  threw: THREW,
  failed: FAILED,
};

export class Names {
  readonly objects: Interner = new Interner();
  readonly processes: Interner = new Interner();
  readonly methods: Interner = new Interner();
  readonly values: Interner = new Interner();
  readonly #valueOf: (value: unknown) => unknown;
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  /** `copies`: values are the caller's own, who may go on to change them. */
  constructor(copies: boolean) {
    this.#valueOf = copies ? copyOf : (value) => value;
  }

  /** The numbers of a call, until the next one is asked for. */
  call({ object, process, method, args, overlapping }: Call): NumberedCall {
    const call = this.#call;
    call.object = this.objects.intern(object);
    call.process = this.processes.intern(process);
    call.method = this.methods.intern(method);
    call.count = 0;
    if (args)
      for (const argument of args) call.args[call.count++] = this.values.intern(this.#valueOf(argument));
    call.overlapping = overlapping ?? false;
    return call;
  }

  /** Callers without types may hand over anything; a result that is not seen would be a silent miss. */
  result(outcome: Outcome): number {
    if (!isOutcome(outcome))
      throw new TypeError(
        `${show(outcome)} is no outcome; expected { kind: 'returned', value }, { kind: 'threw', error: 'Name' }, { kind: 'pending' } or { kind: 'failed' }`,
      );
    if (outcome.kind === 'returned') return this.values.intern(this.#valueOf(outcome.value));
    const text = outcome.kind === 'threw' ? outcome.error : outcome.reason;
    return text === undefined ? -1 : this.values.intern(text);
  }

  process(number: number): string {
    return this.processes.values[number] as string;
  }

  object(number: number): string | undefined {
    return this.objects.values[number] as string | undefined;
  }

  method(number: number): string {
    return this.methods.values[number] as string;
  }

  tables(undefinedIsNull: boolean): Tables {
    return {
      objects: this.objects.values as (string | undefined)[],
      processes: this.processes.values as string[],
      methods: this.methods.values as string[],
      values: this.values,
      undefinedIsNull: undefinedIsNull && this.values.find(undefined) === undefined,
    };
  }
}

function isOutcome(outcome: Outcome | undefined): boolean {
  if (outcome?.kind === 'returned') return Object.hasOwn(outcome, 'value');
  if (outcome?.kind === 'threw') return typeof outcome.error === 'string';
  return outcome?.kind === 'pending' || outcome?.kind === 'failed';
}
