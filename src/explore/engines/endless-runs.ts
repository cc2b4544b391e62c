/**
 * Runs of asynchronous code that never end, in the graph of states of the stateful search.
 *
 * A run that never ends stays in one strongly connected component of the graph from some state on. No call starts or returns
 * there, because no state has as many calls left as one before it. Such a run is *fair* if each macrotask that Node could run
 * runs sooner or later. An unfair one needs a timer or an answer that never comes, or a client that never makes its call:
 * a lock that is polled while its holder waits for a stub. Only fair ones count.
 *
 * When all runs that stay in a component are unfair: a client's call is ready there, or a pending macrotask is followed along all
 * edges of the component without being run or removed, and Node could run it in some state. A macrotask is followed by its
 * position among the pending ones; equal states list them in the same order, whatever execution led there. These pairs of state
 * and position are a greatest fixed point. If none is left, a run through all edges, again and again, is fair: from each pair
 * an edge path leads to where the macrotask is run or removed.
 *
 * Cost: O(edges · pending macrotasks) space, and as much time for each round of the fixed point.
 */
import { componentsOf } from '../../base/algorithms/components.js';
import { GrowingInts } from '../../base/collections/growing.js';
import type { Task } from '../../event-loop/event-loop.js';
import type { Schedule } from '../model/engine.js';

/** A schedule that leads to a state, and one that leads from there to an equal state. */
export interface Lasso {
  readonly before: Schedule;
  readonly repeated: Schedule;
}

export class EndlessRuns {
  /** Does some run never end, because macrotasks that could run do not? */
  hasUnfair = false;
  /** Edges; and of each, where its images start: position before to position after, or -1. */
  readonly #from = new GrowingInts();
  readonly #to = new GrowingInts();
  readonly #start = new GrowingInts();
  readonly #images = new GrowingInts();
  /** State to its number here, to the positions that Node could run, as bits, and to whether a call is ready. */
  readonly #numbers = new Map<number, number>();
  readonly #enabled: number[] = [];
  readonly #hasCall: boolean[] = [];
  /** The states of this path: place, number, and length of the schedule. */
  readonly #path: { readonly place: number; readonly number: number; readonly scheduled: number }[] = [];
  /** The last state of the path, and its macrotasks. */
  #last: { readonly number: number; readonly pending: readonly Task[] } | undefined;
  /** State to the first cycle that was closed there. */
  readonly #closed = new Map<number, Lasso>();

  /** A path begins that repeats the previous one up to a place. */
  begin(repeated: number): void {
    while (this.#path.length > 0 && this.#path[this.#path.length - 1].place > repeated) this.#path.pop();
    this.#last = undefined;
  }

  /** The path repeats a state. */
  repeats(place: number, tasks: readonly Task[]): void {
    const last = this.#path.at(-1);
    if (last?.place === place) this.#last = { number: last.number, pending: pendingOf(tasks) };
  }

  /** The path reaches a state, with these pending macrotasks, some of which Node could run. */
  reaches(
    place: number,
    state: number,
    tasks: readonly Task[],
    enabled: readonly Task[],
    schedule: Schedule,
  ): void {
    const pending = pendingOf(tasks);
    const number = this.#numberOf(state, pending, enabled);
    if (this.#last !== undefined) this.#connect(this.#last.number, this.#last.pending, number, pending);
    const earlier = this.#path.find((one) => one.number === number);
    if (earlier && !this.#closed.has(number))
      this.#closed.set(number, {
        before: schedule.slice(0, earlier.scheduled),
        repeated: schedule.slice(earlier.scheduled),
      });
    this.#path.push({ place, number, scheduled: schedule.length });
    this.#last = { number, pending };
  }

  #numberOf(state: number, pending: readonly Task[], enabled: readonly Task[]): number {
    const known = this.#numbers.get(state);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(state, number);
    this.#hasCall.push(enabled.some(isCall));
    this.#enabled.push(
      pending.reduce((bits, task, i) => (i < 31 && enabled.includes(task) ? bits | (1 << i) : bits), 0),
    );
    return number;
  }

  #connect(from: number, before: readonly Task[], to: number, after: readonly Task[]): void {
    this.#from.push(from);
    this.#to.push(to);
    this.#start.push(this.#images.length);
    for (const task of before) this.#images.push(after.indexOf(task));
  }

  /** A run that never ends although it is fair, after all states were explored. */
  fair(): Lasso | undefined {
    const [from, to] = [this.#from.toArray(), this.#to.toArray()];
    const { component } = componentsOf(this.#numbers.size, from, to);
    const inner = [...from.keys()].filter((i) => component[from[i]] === component[to[i]]);
    if (inner.length === 0) return undefined;
    const unfair = this.#unfairIn(component, inner);
    const fair = inner.map((edge) => component[from[edge]]).find((one) => !unfair.has(one));
    this.hasUnfair = fair === undefined;
    if (fair === undefined) return undefined;
    // depth-first search closes a cycle in each component that has one
    const [, lasso] = [...this.#closed].find(([number]) => component[number] === fair)!;
    return lasso;
  }

  /** The components in which every run that stays is unfair. */
  #unfairIn(component: Int32Array, inner: readonly number[]): Set<number> {
    const unfair = new Set<number>();
    /** State to the positions whose macrotask stays pending along all edges. */
    const kept = new Map<number, Set<number>>();
    const positions = (edge: number): number =>
      (edge + 1 < this.#start.length ? this.#start.at(edge + 1) : this.#images.length) - this.#start.at(edge);
    for (const edge of inner)
      kept.set(this.#from.at(edge), new Set(Array.from({ length: positions(edge) }, (_, i) => i)));
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false;
      for (const edge of inner) {
        const own = kept.get(this.#from.at(edge))!;
        const next = kept.get(this.#to.at(edge))!;
        for (const position of own) {
          if (next.has(this.#images.at(this.#start.at(edge) + position))) continue;
          own.delete(position);
          hasChanged = true;
        }
      }
    }
    for (const [number, own] of kept) {
      const isStarved = [...own].some((position) => position < 31 && this.#enabled[number] & (1 << position));
      if (isStarved || this.#hasCall[number]) unfair.add(component[number]);
    }
    return unfair;
  }
}

const isCall = ({ kind }: Task): boolean => kind === 'call';

/** In the order in which states list them. */
const pendingOf = (tasks: readonly Task[]): Task[] => tasks.filter((task) => !isCall(task));
