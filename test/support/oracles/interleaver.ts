/**
 * All results of threads over cells, without any code of the explorer: a call is a generator over the cells that yields before
 * each of its accesses, and every interleaving of these accesses is run.
 *
 * A call is a function of the cells that it saw at its accesses. So two schedules have the same future if the cells, what every
 * thread saw, and the calls that had returned before each call are equal: only the first of them is continued.
 */
import { isPrimitive } from '../../../src/base/values/canonical.js';
import { Outcomes } from '../../../src/execution/outcomes.js';
import type { ProgramResult } from './brute-force.js';

type Cells = unknown[];
export type ModelCall = (cells: Cells) => Generator<void, unknown>;

/** Equal cells have equal texts. */
function textOf(cells: Cells): string {
  let text = '';
  for (const value of cells) {
    if (!isPrimitive(value) || typeof value === 'symbol')
      throw new Error('a cell of a model holds an object');
    text += Object.is(value, -0) ? '-0,' : `${typeof value === 'string' ? JSON.stringify(value) : value},`;
  }
  return text;
}

/** One run of the threads, one access after another. */
class Run {
  readonly #cells: Cells;
  readonly #calls: readonly ModelCall[];
  readonly #outcomes: Outcomes;
  /** For each thread, its next call, and the number after its last one. */
  readonly #next: number[] = [];
  readonly #end: number[] = [];
  readonly #running: (Generator<void, unknown> | undefined)[] = [];
  /** For each thread, the cells at its accesses. */
  readonly #seen: string[] = [];
  readonly #texts: string[];
  readonly #after: number[];
  #returned = 0;

  constructor(cells: Cells, threads: readonly (readonly ModelCall[])[], outcomes: Outcomes) {
    this.#cells = cells;
    this.#calls = threads.flat();
    this.#outcomes = outcomes;
    for (const { length } of threads) {
      const first = this.#end.at(-1) ?? 0;
      this.#next.push(first);
      this.#end.push(first + length);
      this.#seen.push('');
    }
    this.#texts = this.#calls.map(() => '');
    this.#after = this.#calls.map(() => 0);
  }

  /** The threads that can continue. */
  open(): number[] {
    return [...this.#next.keys()].filter((thread) => this.#next[thread] < this.#end[thread]);
  }

  state(): string {
    return `${textOf(this.#cells)} ${this.#after} ${this.#seen.join(' ')}`;
  }

  result(): ProgramResult {
    return { outcomes: this.#texts, pending: 0, after: this.#after };
  }

  step(thread: number): void {
    const k = this.#next[thread];
    this.#seen[thread] += `${textOf(this.#cells)};`;
    let outcome: number;
    try {
      const { done, value } = this.#resume(thread, k);
      if (!done) return;
      outcome = this.#outcomes.returned(value);
    } catch (error) {
      outcome = this.#outcomes.threw(error);
    }
    this.#texts[k] = JSON.stringify(this.#outcomes.at(outcome));
    this.#returned |= 1 << k;
    this.#running[thread] = undefined;
    this.#next[thread]++;
  }

  /** Runs a call to its next access, or to its end. */
  #resume(thread: number, k: number): IteratorResult<void, unknown> {
    const running = this.#running[thread];
    if (running !== undefined) return running.next();
    this.#after[k] = this.#returned;
    const call = this.#calls[k](this.#cells);
    this.#running[thread] = call;
    const first = call.next();
    return first.done ? first : call.next();
  }
}

export function interleavings(
  create: () => Cells,
  threads: readonly (readonly ModelCall[])[],
): readonly ProgramResult[] {
  const outcomes = new Outcomes();
  const results = new Map<string, ProgramResult>();
  const states = new Set<string>();
  /** Schedules that are left to run, each to its end. */
  const left: number[][] = [[]];
  for (let schedule = left.pop(); schedule !== undefined; schedule = left.pop()) {
    const run = new Run(create(), threads, outcomes);
    for (const thread of schedule) run.step(thread);
    for (;;) {
      const state = run.state();
      if (states.has(state)) break;
      states.add(state);
      const [first, ...others] = run.open();
      if (first === undefined) {
        const result = run.result();
        results.set(JSON.stringify(result), result);
        break;
      }
      for (const other of others) left.push([...schedule, other]);
      schedule.push(first);
      run.step(first);
    }
  }
  return [...results.values()];
}
