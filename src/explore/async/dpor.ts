/**
 * Partial-order reduction for asynchronous code: one execution per equivalence class. Executions are equivalent if they
 * differ only in the order of independent steps. A step is a macrotask with its microtasks.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas. Source sets: a foundation for optimal dynamic partial
 *   order reduction. J. ACM 64(4), 2017. Algorithm 1, with source sets and sleep sets.
 *
 * Two dependent steps *race* if no step between them orders them. Then the later one must be tried before the earlier one:
 * a task that can start such an execution is added to the backtrack set of the earlier place, unless it has one already.
 *
 * Three departures. The accesses of a step are known only after it has run, so a task in the sleep set is recognised after
 * its step, and the execution is abandoned then. Choices inside a step, such as two calls in one synchronous turn, are all
 * explored. Tasks that a step removes or disables, or that are left when all calls have ended, depend on every step.
 */
import type { Task } from '../../event-loop/event-loop.js';
import {
  type Coverage,
  type Engine,
  type ExplorationStats,
  noStats,
  type ScheduleViolation,
} from '../model/engine.js';
import type { Look } from './engines.js';
import { Footprints } from './footprint.js';
import type { AsyncRun } from './run.js';

/** A point where a task is picked. Tasks are numbers. */
interface Place {
  readonly kind: 'task';
  readonly enabled: readonly number[];
  taken: number;
  /** Tasks to try, and tasks whose executions from here have all been explored. */
  readonly backtrack: Set<number>;
  readonly tried: Set<number>;
  /** Was the taken task in the sleep set, for any choice inside its step? And was any task not? */
  hasSlept: boolean;
  isLive: boolean;
}

/** A choice inside a step. */
interface Fork {
  readonly kind: 'fork';
  readonly ways: number;
  taken: number;
}

export class AsyncClasses implements Engine {
  readonly name: string = 'classes of orders of tasks';
  readonly stats: ExplorationStats = noStats();
  readonly footprints: Footprints;
  coverage: Coverage | undefined;
  readonly #run: AsyncRun;
  readonly #look: Look;
  /** The execution so far: places, each with the forks of its step. */
  readonly #path: (Place | Fork)[] = [];
  /** The places of this execution, by step, and the number of first steps that the previous execution had too. */
  readonly #places: Place[] = [];
  #same = 0;
  /** Step to the steps that happen before it, as bits. */
  readonly #before: bigint[] = [];
  #isOver = false;

  constructor(run: AsyncRun, look: Look) {
    this.#run = run;
    this.#look = look;
    this.footprints = new Footprints(run.program.afterFrom);
  }

  advance(stepBudget: number): ScheduleViolation | 'done' | undefined {
    return this.footprints.during(() => {
      const end = this.stats.steps + stepBudget;
      while (!this.#isOver && this.stats.steps < end) {
        const finding = this.#execute();
        this.#next();
        if (finding) return finding;
      }
      return this.#isOver ? 'done' : undefined;
    });
  }

  #execute(): ScheduleViolation | undefined {
    const { footprints, stats } = this;
    let at = 0;
    this.#places.length = 0;
    footprints.reset();
    const ending = this.#run.run(
      (ways) => {
        if (at === this.#path.length) this.#path.push({ kind: 'fork', ways, taken: 0 });
        return this.#path[at++].taken;
      },
      {
        watcher: footprints,
        pick: (tasks) => {
          const enabled = tasks.map(({ number }) => number!);
          if (!this.#isNew(enabled)) return -1;
          if (at === this.#path.length) this.#path.push(placeOf(enabled));
          const place = this.#path[at++] as Place;
          this.#places.push(place);
          footprints.begin();
          return enabled.indexOf(place.taken);
        },
      },
    );
    stats.executions++;
    stats.steps += this.#run.steps;
    stats.depth = Math.max(stats.depth, this.#run.steps);
    if (ending === 'left' || !this.#isNew([])) return undefined;
    if (ending === 'unfinished') stats.unfinished++;
    stats.classes++;
    for (const task of this.#run.left) this.#couldCome(task);
    return this.#look(ending);
  }

  /** The last step has finished, and these tasks are enabled. False if its task was in the sleep set; otherwise its races are added. */
  #isNew(enabled: readonly number[]): boolean {
    const step = this.#places.length - 1;
    if (step < this.#same) return true;
    this.#same = step + 1;
    const place = this.#places[step];
    const { steps, creators } = this.footprints;
    let before = 0n;
    const dependencies: number[] = [];
    for (let k = step - 1; k >= 0; k--)
      if (creators[step].includes(k) || steps[step].isDependentOn(steps[k])) {
        dependencies.push(k);
        before |= this.#before[k] | bit(k);
      }
    this.#before[step] = before;
    const last = dependencies[0] ?? -1;
    for (let k = last + 1; k < step; k++)
      if (this.#places[k].tried.has(place.taken)) return this.#sleeps(place);
    for (const k of dependencies)
      if (!creators[step].includes(k)) this.#race(k, step, dependencies, place.taken);
    const late = this.#run.left.filter((task) => isIn(place.enabled, task) && !isIn(enabled, task));
    for (const task of [...this.footprints.removed, ...late]) this.#couldCome(task);
    return true;
  }

  #sleeps(place: Place): false {
    place.hasSlept = true;
    this.#same--;
    return false;
  }

  /** A task that was removed or disabled, or is left at the end, races with every step except the one that created it. */
  #couldCome(task: Task): void {
    const count = this.#places.length;
    const creator = this.footprints.creatorOf(task);
    const all = Array.from({ length: count }, (_, k) => k);
    for (const k of all) if (k !== creator) this.#race(k, count, all, task.number!);
  }

  /** Step `late` depends on `early`. If no step between them orders them, `late` is tried first too. */
  #race(early: number, late: number, dependencies: readonly number[], task: number): void {
    for (const k of dependencies) if (k > early && this.#before[k] & bit(early)) return;
    // steps that do not happen after `early`: they can run before it, and `late` after them
    const free: number[] = [];
    for (let k = early + 1; k < late; k++) if (!(this.#before[k] & bit(early))) free.push(k);
    const first: number[] = [];
    for (const k of free)
      if (!free.some((other) => this.#before[k] & bit(other))) first.push(this.#places[k].taken);
    if (!free.some((k) => dependencies.includes(k))) first.unshift(task);
    const { backtrack, enabled } = this.#places[early];
    if (first.some((other) => backtrack.has(other))) return;
    const added = first.find((other) => enabled.includes(other));
    if (added !== undefined) backtrack.add(added);
    else for (const other of enabled) backtrack.add(other);
  }

  /** Prepares the next execution: backtracks to the last place or fork with an untried alternative. */
  #next(): void {
    for (;;) {
      const last = this.#path.at(-1);
      if (last === undefined) {
        this.#isOver = true;
        if (this.stats.unfinished === 0) this.coverage = { kind: 'all' };
        return;
      }
      const next = last.kind === 'fork' ? last.taken + 1 : nextOf(last);
      if (last.kind === 'fork' ? next < last.ways : next >= 0) {
        last.taken = next;
        break;
      }
      this.#path.pop();
    }
    this.#same = Math.min(this.#same, this.#path.filter(({ kind }) => kind === 'task').length - 1);
  }
}

const isIn = (numbers: readonly number[], task: Task): boolean => numbers.includes(task.number!);

const bit = (step: number): bigint => 1n << BigInt(step);

const placeOf = (enabled: readonly number[]): Place => ({
  kind: 'task',
  enabled,
  taken: enabled[0],
  backtrack: new Set([enabled[0]]),
  tried: new Set(),
  hasSlept: false,
  isLive: false,
});

/** The next task to try in a place, or -1. If all tasks so far were in the sleep set, any other enabled task is tried. */
function nextOf(place: Place): number {
  const { taken, backtrack, tried, enabled } = place;
  tried.add(taken);
  place.isLive ||= !place.hasSlept;
  place.hasSlept = false;
  for (const task of backtrack) if (!tried.has(task)) return task;
  const other = place.isLive ? undefined : enabled.find((task) => !tried.has(task));
  if (other === undefined) return -1;
  backtrack.add(other);
  return other;
}
