/**
 * A schedule run again, step by step, for people: who did what, where it stands in the source, and the history.
 *
 * A schedule may be shorter than the run: then the thread that ran last goes on while it can. If
 * the program does not follow it (its source has changed since, or it depends on something that is not controlled),
 * the run goes on in the same way, and the trace says where it left the schedule.
 */

import { lowestBit } from '../../base/collections/ints.js';
import { printable, show } from '../../base/values/show.js';
import { Execution } from '../../execution/execution.js';
import { kindOf, locationOf, NOTHING, WRITE } from '../../execution/memory/access.js';
import { Frames } from '../../execution/memory/call-frames.js';
import { errorText } from '../../execution/outcomes.js';
import type { Program } from '../../execution/program.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { MAX_STEPS, type Schedule } from '../model/engine.js';
import type { Trace, TraceStep } from '../model/trace-types.js';

/*
 * A value that a step has read or stored, as people read it: itself where it is simple, one level of it
 * where it is an object.
 *
 * Nothing of the user's is called, as `toString` would be: while an execution runs that would be a step of it.
 */

const MOST = 6;

export function glimpse(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  const { name } = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
  if (Array.isArray(value)) return `[${listed(value.map(brief))}]`;
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, field]) => 'value' in field && field.enumerable)
    .map(([field, { value: held }]) => `${printable(field)}: ${brief(held)}`);
  const told = `{${listed(fields)}}`;
  if (name === 'Object') return told;
  return fields.length > 0 ? `${printable(name)} ${told}` : printable(name);
}

function brief(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

const listed = (parts: readonly string[]): string =>
  parts.length > MOST ? `${parts.slice(0, MOST).join(', ')}, …` : parts.join(', ');

export function traceProgram(program: Program, schedule: Schedule, mostSteps: number = MAX_STEPS): Trace {
  return new Replay(program, schedule).run(mostSteps);
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
  /** What the step has seen or stored first. */
  #value: string | undefined;

  constructor(program: Program, schedule: Schedule) {
    this.#execution = new Execution(program);
    this.#execution.memory.frames = this.#frames;
    this.#planned = schedule;
    this.#execution.memory.onObserve = (value) => {
      this.#value ??= glimpse(value);
    };
  }

  run(mostSteps: number): Trace {
    const execution = this.#execution;
    execution.reset();
    let isWhole = false;
    while (this.#steps.length < mostSteps && !isWhole) isWhole = !this.#step();
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
    // a store of what was there already changes nothing, and is still a store to whoever reads the source
    const kind = isStore ? WRITE : execution.kind;
    const location = execution.location < 0 ? undefined : memory.nameOf(execution.location);
    const alternative = isChoice ? taken : 0;
    this.#steps.push({ thread, operation, kind, location, site, levels, alternative, value: this.#value });
    if (execution.isLast) {
      this.#ends[operation] = this.#steps.length - 1;
      this.#builder.end(this.#entries[operation], execution.outcomes.at(execution.outcome[operation]));
    }
    return true;
  }

  #waiting(): TraceStep[] {
    const { announced, sites, threadOf, memory } = this.#execution;
    const steps: TraceStep[] = [];
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1) {
      const operation = lowestBit(rest);
      const thread = threadOf[operation];
      const kind = kindOf(announced[thread]);
      const location = kind === NOTHING ? undefined : memory.nameOf(locationOf(announced[thread]));
      const site = sites[thread];
      const levels = this.#frames.levelsOf(thread, site);
      steps.push({ thread, operation, kind, location, site, levels, alternative: 0, value: undefined });
    }
    return steps;
  }

  /** What to take: as planned, as long as that can be. */
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

  /** Nothing will ever return again. Who waits has made a call, even if its first step never came. */
  #strand(): void {
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1)
      if (this.#entries[lowestBit(rest)] === undefined) this.#call(lowestBit(rest));
    this.#builder.markStuck();
  }
}
