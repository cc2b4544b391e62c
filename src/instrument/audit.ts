/**
 * Audit of announcements: are there accesses that no thread announces, so that engines miss schedules?
 *
 * A path is run twice: as it is, and with decoys (runtime/decoys.ts) in the place of all that a step has not announced. If a step does
 * the same in both runs, it depends on nothing else, and if all decoys are still in their places, it changes nothing else. This does
 * not depend on how code or built-in functions access what is shared. A step that differs counts as not observed.
 *
 * Audited are paths on which all steps lie that some execution has taken. A step is identified by the sites where it begins and ends,
 * and by the primitive value that it has read. The first part of a call, up to its first announcement, begins at the call.
 *
 * An audit cannot find an access that has no effect with these values, though it has one with others; nor a second access to the
 * location that the step has written.
 */

import { MISSED_ACCESS } from '../base/source-position.js';
import { Execution } from '../execution/execution.js';
import type { Access } from '../execution/memory/access.js';
import { kindOf, READ } from '../execution/memory/access.js';
import { RestartError } from '../execution/memory/program-error.js';
import type { Call, Coroutine, Program, StepRecorder } from '../execution/program.js';
import { isPrimitive } from './builtins/conversions.js';
import { closureOf } from './model/coroutine-versions.js';
import { type DecoyKind, Decoys } from './runtime/decoys.js';
import { runtime } from './runtime/runtime.js';

/** More than there are sites and calls. */
const SITES = 2 ** 22;
/** Values that steps read are distinguished up to this number of them. */
const VALUES = 2 ** 8;

/** Steps that were audited, and calls, by numbers that are the same in all tests of a process. */
const audited = new Set<number>();
const calls = new Map<string, number>();
const values = new Map<unknown, number>();

/** A number for a value that a step has read. */
function classOf(value: unknown): number {
  const like = isPrimitive(value) ? value : OBJECT;
  let known = values.get(like);
  if (known === undefined) {
    known = Math.min(values.size, VALUES - 1);
    values.set(like, known);
  }
  return known;
}
const OBJECT = Symbol('object');

/** The site of a method; 0 if it is not instrumented. */
function siteOfMethod(object: unknown, method: string): number {
  const called = (object as Record<string, unknown> | undefined)?.[method];
  return (typeof called === 'function' && closureOf(called)?.site) || 0;
}

/** The paths of executions that take a step which no execution before took, and which is not known. */
export class Paths implements StepRecorder {
  static #count = 0;
  readonly #number: number = Paths.#count++;
  /** Steps of this and of earlier executions. */
  readonly #steps = new Set<number>();
  #path: number[] = [];
  #hasNewStep = false;
  #found: (readonly number[])[] = [];

  /** An execution starts. */
  reset(): void {
    if (this.#hasNewStep) this.#found.push(this.#path);
    if (this.#path.length > 0) this.#path = [];
    this.#hasNewStep = false;
  }

  /** A thread, or an alternative, was taken. */
  take(choice: number): void {
    this.#path.push(choice);
  }

  step(from: number, to: number, value: unknown): void {
    const step = ((from + 1) * SITES + to + 1) * VALUES + classOf(value);
    if (this.#steps.has(step)) return;
    this.#steps.add(step);
    if (!audited.has(step)) this.#hasNewStep = true;
  }

  /** Calls of the same method with the same primitive arguments are one; those of other functions differ from test to test. */
  siteOf({ method, args }: Call, object: unknown): number {
    const site = siteOfMethod(object, method) || `test ${this.#number}`;
    const text = [site, method, ...args.map((arg) => (Object(arg) === arg ? 'object' : String(arg)))].join();
    const known = calls.get(text) ?? calls.size;
    calls.set(text, known);
    return SITES / 2 + known;
  }

  /** The paths with new steps, of all executions since the last time. */
  found(): readonly (readonly number[])[] {
    this.reset();
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** The steps of all executions are known from now on. */
  keep(): void {
    for (const step of this.#steps) audited.add(step);
  }
}

/** What a step did: it announced an access, or came to its end; and what it read and stored, as far as it is primitive. */
interface StepRecord {
  readonly site: number;
  readonly did: unknown[];
}

class AuditedExecution extends Execution {
  steps: StepRecord[] = [];
  readonly #decoys: Decoys = new Decoys(runtime.sharing, runtime.sites, runtime.moduleState);
  #hasDecoys = false;
  /** Is what the step has announced still to be read? */
  #isReading = false;

  /** Runs a path, with decoys or without. */
  follow(path: readonly number[], decoys?: DecoyKind): void {
    this.steps = [];
    this.#hasDecoys = decoys !== undefined;
    if (decoys !== undefined) this.#decoys.use(decoys);
    runtime.sharing.published = [];
    this.memory.onObserve = (value) => this.#observe(value);
    try {
      this.reset();
      if (decoys === undefined) this.#decoys.learnKeys();
      for (const choice of path) {
        if (this.choosing >= 0) this.choose(choice);
        else this.step(choice);
      }
      if (decoys === undefined) this.#decoys.learnKeys();
    } finally {
      this.#hasDecoys = false;
      runtime.sharing.published = undefined;
      runtime.leave();
    }
  }

  #observe(value: unknown): void {
    this.steps.at(-1)?.did.push(isPrimitive(value) ? value : typeof value);
    if (this.#hasDecoys && this.#isReading) this.#decoys.placeKept();
    this.#isReading = false;
  }

  protected override resume(coroutine: Coroutine, sent: number): IteratorResult<Access> {
    const { memory } = this;
    const isInside = this.isInside[memory.current] === 1;
    const announced = isInside ? this.location : -1;
    const record: StepRecord = { site: this.#siteOf(memory.current, isInside), did: [] };
    this.steps.push(record);
    if (this.#hasDecoys) this.#decoys.place(memory, announced);
    const isRead = isInside && announced >= 0 && kindOf(this.announced[memory.current]) === READ;
    this.#isReading = isRead;
    try {
      const result = coroutine.next(sent);
      record.did.push(result.done ? 'returns' : result.value);
      return result;
    } catch (error) {
      record.did.push('throws');
      throw error;
    } finally {
      const written = isInside && !isRead ? [announced, memory.accessed] : [];
      if (this.#hasDecoys && !this.#decoys.remove(memory, written)) record.did.push(WROTE);
    }
  }

  /** Where a step begins: at its access, or at its method. */
  #siteOf(thread: number, isInside: boolean): number {
    if (isInside) return this.sites[thread];
    return siteOfMethod(
      this.program.objectOf?.(this.object) ?? this.object,
      this.calls[this.operation[thread]].method,
    );
  }
}

const WROTE = Symbol('wrote');

/** Audits paths of a program. Notes the steps that access what they have not announced. */
export function auditPaths(program: Program, paths: readonly (readonly number[])[]): void {
  if (paths.length === 0) return;
  const execution = new AuditedExecution(program);
  // all of them first, since a step of one may read what another one adds
  const runs = paths.map((path) => {
    const recorder = new Paths();
    execution.recorder = recorder;
    execution.follow(path);
    return { path, recorder, steps: execution.steps, outcomes: execution.outcome.join() };
  });
  execution.recorder = undefined;
  for (const run of runs) {
    const differing = withoutNotes(
      () => differingStep(execution, run, 'similar') ?? differingStep(execution, run, 'symbol'),
    );
    if (differing === undefined) run.recorder.keep();
    else noteMissed(differing.site);
  }
}

/** The first step of a path that does something else with decoys. */
function differingStep(
  execution: AuditedExecution,
  { path, steps: plain, outcomes }: { path: readonly number[]; steps: StepRecord[]; outcomes: string },
  decoys: DecoyKind,
): StepRecord | undefined {
  try {
    execution.follow(path, decoys);
  } catch (error) {
    if (error instanceof RestartError) throw error;
  }
  const { steps } = execution;
  const at = steps.findIndex(({ did }, i) => !isSame(did, plain[i]?.did));
  if (at >= 0) return steps[at];
  return steps.length === plain.length && execution.outcome.join() === outcomes ? undefined : steps.at(-1);
}

function isSame(did: readonly unknown[], plain: readonly unknown[] | undefined): boolean {
  return did.length === plain?.length && did.every((part, i) => Object.is(part, plain[i]));
}

/** What a run with decoys notes is not about the program. */
function withoutNotes<T>(run: () => T): T {
  const [atomic, controlled] = [new Map(runtime.atomic), new Map(runtime.controlled)];
  try {
    return run();
  } finally {
    runtime.failure = undefined;
    for (const [notes, before] of [
      [runtime.atomic, atomic],
      [runtime.controlled, controlled],
    ] as const) {
      notes.clear();
      for (const [site, called] of before) notes.set(site, called);
    }
  }
}

function noteMissed(site: number): void {
  const place = runtime.sites.placeOf(site);
  const name = MISSED_ACCESS;
  runtime.atomic.set(runtime.sites.at(place, name), {
    ...place,
    name,
    isGivenShared: true,
    isObserved: false,
  });
}
