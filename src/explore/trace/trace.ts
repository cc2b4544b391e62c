/**
 * Replays a schedule and records each step for a report: thread, access, source position, and the history.
 *
 * A schedule may be shorter than the run. Then the thread that ran last continues while it is enabled. A program may also
 * diverge, because its source has changed or it depends on uncontrolled input. The run continues in the same way, and
 * `followed` counts the steps that were taken from the schedule.
 */

import { lowestBit } from '../../base/collections/ints.js';
import { printable, show } from '../../base/values/show.js';
import { errorText } from '../../execution/comparable.js';
import { Execution } from '../../execution/execution.js';
import {
  kindOf,
  LOCK,
  locationOf,
  NOTHING,
  READ,
  UNLOCK,
  WAIT,
  WRITE,
} from '../../execution/memory/access.js';
import { Frames } from '../../execution/memory/call-frames.js';
import type { Program } from '../../execution/program.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { DEFAULT_MAX_STEPS, type Schedule } from '../model/engine.js';
import type { Trace, TraceStep, WaitingStep } from '../model/trace-types.js';

/*
 * The value that a step has read or stored, as text: a primitive in full, an object to a depth of one level.
 *
 * No user code such as `toString` is called, because during an execution it would add steps.
 */

const MOST = 6;

export function glimpse(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  const { name } = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
  if (Array.isArray(value)) return `[${listed(value.map(brief))}]`;
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, field]) => 'value' in field && field.enumerable)
    .map(([field, { value: held }]) => `${printable(field)}: ${brief(held)}`);
  const body = `{${listed(fields)}}`;
  if (name === 'Object') return body;
  return fields.length > 0 ? `${printable(name)} ${body}` : printable(name);
}

function brief(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

const listed = (parts: readonly string[]): string =>
  parts.length > MOST ? `${parts.slice(0, MOST).join(', ')}, …` : parts.join(', ');

/** Follows a schedule, and then continues for at most the default number of steps. */
export function traceProgram(
  program: Program,
  schedule: Schedule,
  maxSteps: number = schedule.length + DEFAULT_MAX_STEPS.threads,
): Trace {
  return new Replay(program, schedule).run(maxSteps);
}

class Replay {
  readonly #execution: Execution;
  readonly #planned: Schedule;
  readonly #frames = new Frames();
  readonly #builder = new HistoryBuilder();
  readonly #entries: number[] = [];
  readonly #ends: number[] = [];
  readonly #steps: TraceStep[] = [];
  readonly #schedule: number[] = [];
  #followed = 0;
  #last = -1;
  /** The first value that the step has read or stored. */
  #value: { readonly text: string; readonly isStored: boolean } | undefined;

  constructor(program: Program, schedule: Schedule) {
    this.#execution = new Execution(program);
    this.#execution.memory.frames = this.#frames;
    this.#planned = schedule;
    this.#execution.memory.onObserve = (value, isStored = false) => {
      this.#value ??= { text: glimpse(value), isStored };
    };
  }

  run(maxSteps: number): Trace {
    const execution = this.#execution;
    execution.reset();
    let isWhole = false;
    while (this.#steps.length < maxSteps && !isWhole) isWhole = !this.#step();
    const isStuck = isWhole && execution.pending() !== 0;
    if (isStuck) this.#strand();
    return {
      steps: this.#steps,
      history: this.#builder.finish(),
      idOf: this.#entries,
      endOf: this.#ends,
      errors: execution.thrown.map(errorText),
      isStuck,
      waiting: isStuck ? this.#waiting() : [],
      isWhole,
      followed: this.#followed,
      schedule: this.#schedule,
    };
  }

  #step(): boolean {
    const execution = this.#execution;
    const isChoice = execution.choosing >= 0;
    const choices = isChoice ? (1 << execution.alternatives) - 1 : execution.enabled();
    if (choices === 0) return false;
    const taken = this.#next(choices, isChoice);
    const thread = isChoice ? execution.choosing : taken;
    const operation = execution.operation[thread];
    const site = execution.sites[thread];
    this.#value = undefined;
    const levels = this.#frames.levelsOf(thread, site);
    const isStore = !isChoice && kindOf(execution.announced[thread]) === WRITE;
    if (!isChoice && execution.isInside[thread] === 0) this.#call(operation);
    if (isChoice) execution.choose(taken);
    else execution.step(taken);
    this.#last = thread;
    this.#schedule.push(taken);
    const { memory } = execution;
    // a store without a change has the kind of a read, but the source shows a store
    const kind = isStore ? WRITE : execution.kind;
    const location = execution.location < 0 ? undefined : memory.nameOf(execution.location);
    const alternative = isChoice ? taken : 0;
    this.#steps.push({ thread, operation, kind, location, site, levels, alternative, ...this.#shown(kind) });
    if (execution.isLast) {
      this.#ends[operation] = this.#steps.length - 1;
      this.#builder.end(this.#entries[operation], execution.outcomes.at(execution.outcome[operation]));
    }
    return true;
  }

  /** The value of the step. A function that changes something and returns undefined has none. */
  #shown(kind: number): Pick<TraceStep, 'value' | 'isStored'> {
    if (this.#value === undefined) return { value: undefined };
    const { text } = this.#value;
    const isStored = this.#value.isStored || kind === WRITE;
    return { value: text === 'undefined' && kind !== READ && !isStored ? undefined : text, isStored };
  }

  #waiting(): WaitingStep[] {
    const { announced, sites, threadOf, memory } = this.#execution;
    const steps: WaitingStep[] = [];
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1) {
      const operation = lowestBit(rest);
      const thread = threadOf[operation];
      const kind = kindOf(announced[thread]);
      const location = kind === NOTHING ? undefined : memory.nameOf(locationOf(announced[thread]));
      const site = sites[thread];
      const levels = this.#frames.levelsOf(thread, site);
      const step = { thread, operation, kind, location, site, levels, alternative: 0, value: undefined };
      const isHeld = kind === LOCK && !memory.isAsleep(thread);
      const reason = isHeld ? 'held' : memory.isSpinning(thread) ? 'spinning' : 'asleep';
      steps.push({ ...step, reason, holders: isHeld ? this.#holdersOf(step) : [] });
    }
    return steps;
  }

  /** The threads that have acquired the lock of a step and not released it. */
  #holdersOf({ location }: TraceStep): number[] {
    const held = new Map<number, number>();
    for (const { thread, kind, location: at } of this.#steps) {
      if (at?.thread !== location?.thread || at?.number !== location?.number || at?.field !== location?.field)
        continue;
      const change = kind === LOCK ? 1 : kind === UNLOCK || kind === WAIT ? -1 : 0;
      held.set(thread, (held.get(thread) ?? 0) + change);
    }
    // permits that one thread acquires and another releases are held by neither
    if ([...held.values()].some((permits) => permits < 0)) return [];
    return [...held].filter(([, permits]) => permits > 0).map(([thread]) => thread);
  }

  /** The planned choice while the run follows the schedule; then the last thread, or the first enabled choice. */
  #next(choices: number, isChoice: boolean): number {
    const place = this.#schedule.length;
    const planned = this.#planned[place];
    if (this.#followed === place && planned !== undefined && choices & (1 << planned)) {
      this.#followed++;
      return planned;
    }
    return !isChoice && this.#last >= 0 && choices & (1 << this.#last) ? this.#last : lowestBit(choices);
  }

  #call(operation: number): void {
    const { calls, threadOf, memory } = this.#execution;
    const { method, args } = calls[operation];
    const process = memory.processOf(threadOf[operation]);
    this.#entries[operation] = this.#builder.call({ process, method, args });
  }

  /** The run is stuck. Every blocked call is in the history, even if it never made its first step. */
  #strand(): void {
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1)
      if (this.#entries[lowestBit(rest)] === undefined) this.#call(lowestBit(rest));
    this.#builder.markStuck();
  }
}
