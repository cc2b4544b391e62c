/**
 * The tables of a history under construction: objects, processes, methods and values become
 * indices.
 */
import { copyOf } from '../../base/values/copy.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import { FAILED, PENDING, RETURNED, type Tables, THREW } from '../model/columns.js';
import type { Outcome } from '../model/operation.js';

/** A recorded call. */
export interface Call {
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** The object that is called, if there are several. */
  readonly object?: string | undefined;
  /** Whether the process may have other open calls at the same time. */
  readonly overlapping?: boolean | undefined;
}

/** A call as indices of the tables. One instance is reused for all calls; copy it to keep it. */
export interface NumberedCall {
  object: number;
  process: number;
  method: number;
  /** The arguments are the first `count` items. The list never shrinks, which would be slow. */
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

export class BuilderTables {
  readonly objects: Interner = new Interner();
  readonly processes: Interner = new Interner();
  readonly methods: Interner = new Interner();
  readonly values: Interner = new Interner();
  readonly #valueOf: (value: unknown) => unknown;
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  /** `copies`: copy values, because the caller may mutate them later. */
  constructor(copies: boolean) {
    this.#valueOf = copies ? copyOf : (value) => value;
  }

  /** Interns a call. The result is valid until the next call. */
  internCall({ object, process, method, args, overlapping }: Call): NumberedCall {
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

  /**
   * Interns an outcome. Untyped callers may pass anything, and an ignored result would be a missed
   * violation.
   */
  internResult(outcome: Outcome): number {
    if (!isOutcome(outcome))
      throw new TypeError(
        `invalid outcome ${show(outcome)}; expected { kind: 'returned', value }, { kind: 'threw', error: 'Name' }, { kind: 'pending' } or { kind: 'failed' }`,
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
