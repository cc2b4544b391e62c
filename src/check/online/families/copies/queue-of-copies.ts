/**
 * A queue, whatever values are put in again.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when one has
 *   to return. Here the order of what was put in stays open until it is taken out (entries.ts), and results are
 *   not known before they return (takings.ts).
 *
 *   enqueue → done    nothing is to be decided; but if some may yet answer that it was empty, others may have taken all that was in it
 *                     just before
 *   dequeue → v       v was taken when this dequeue had been called; or a copy of it goes, and before it others took all that has to be
 *                     gone then
 *   dequeue → empty   it was empty during the call, or is when others have taken all there was
 *
 * All else can wait: what others take out later is the same, and comes from the same end. Steps aside for `peek`, for a value that is
 * also the answer of an empty queue, and for other answers.
 *
 * Cost: O(ways · copies that overlap) an event. Memory: what is inside, and the ways.
 */
import type { Outcome } from '../../../../history/index.js';
import { type ConfigurationLimits, TooMany } from '../../configurations.js';
import {
  ANSWER,
  type CreateFamilyMonitor,
  type FamilyMonitor,
  type Finding,
  METHOD,
  REPEATED,
} from '../../family-monitor.js';
import { NOT_YET, type OnlineOperation } from '../../operation.js';
import type { Call, Steps } from '../../steps.js';
import type { OnlineCause } from '../../violation.js';
import { itemsOf, putInAtFirst } from '../items.js';
import { NOTHING, Numbering } from '../numbering.js';
import { type RoleOf, rolesOf } from '../roles.js';
import { valuesTaken } from '../takings.js';
import { Entries, type Entry } from './entries.js';
import { Way } from './way.js';

/** The number of a value nobody has put in. */
const ABSENT = -1;
/** Of a way, roughly, and of an entry. */
const BYTES = 300;
/** So many values may be known that need not be. */
const ROOM = 1024;
const MOST_TOLD = 4;

type Ways = ReadonlyMap<string, Way>;

class QueueOfCopies implements FamilyMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #limits: ConfigurationLimits;
  readonly #numbering: Numbering;
  readonly #entries = new Entries();
  /** By call; those whose callers gave up are not among them. */
  readonly #dequeues: OnlineOperation[] = [];
  #ways: Ways;

  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#limits = limits;
    this.#numbering = new Numbering(steps.values, steps.spec.family?.empty);
    for (const operation of putInAtFirst(items, steps.spec.family?.roles.add as string)) {
      const entry = this.#entries.add(this.#numbering.add(operation.args[0]), operation);
      this.#entries.return(entry, operation.return);
    }
    const way = this.#seeing(new Way());
    this.#ways = new Map([[way.key, way]]);
  }

  get held(): number {
    return this.#entries.size + this.#ways.size + this.#dequeues.length;
  }

  get isInitial(): boolean {
    return this.calls()?.length === 0;
  }

  calls(): readonly Call[] | undefined {
    const { add, remove } = this.#steps.spec.family?.roles ?? {};
    const [way] = this.#ways.values();
    if (this.#ways.size > 1 || way.gone.length > 0) return undefined;
    const initial = itemsOf(this.#steps, remove) ?? [];
    const calls: Call[] = initial.map(() => [remove]);
    let last = -NOT_YET;
    for (const { operation, returned } of this.#entries.all()) {
      if (operation.call < last) return undefined;
      last = returned;
      calls.push([add, ...operation.args]);
    }
    return calls;
  }

  call(operation: OnlineOperation): Finding {
    const role = this.#roleOf(operation.method);
    if (role === 'add') {
      const value = this.#numbering.add(operation.args[0], operation);
      if (value === NOTHING) return REPEATED;
      this.#entries.add(value, operation);
      return undefined;
    }
    if (role !== 'remove') return METHOD;
    this.#dequeues.push(operation);
    this.#ways = this.#each((way, to) => to(this.#seeing(way)));
    return undefined;
  }

  end(operation: OnlineOperation, now: number): Finding {
    const { outcome } = operation;
    const isAdd = this.#roleOf(operation.method) === 'add';
    if (outcome.kind === 'threw') return ANSWER;
    if (isAdd && outcome.kind === 'returned' && !this.#steps.values.isNothing(outcome)) return ANSWER;
    const next = isAdd ? this.#afterEnqueue(operation) : this.#after(operation, this.#resultOf(outcome));
    if (next.size === 0) return this.#cause(operation);
    this.#ways = next;
    if (isAdd) this.#endEntry(this.#entries.of(operation), outcome.kind, now);
    else this.#dequeues.splice(this.#dequeues.indexOf(operation), 1);
    this.#forget();
    return undefined;
  }

  #endEntry(entry: Entry, how: Outcome['kind'], now: number): void {
    if (how === 'failed') this.#entries.remove(entry);
    else if (how === 'pending') entry.isGivenUp = true;
    else this.#entries.return(entry, now);
  }

  #resultOf(outcome: Outcome): number | 'failed' | 'pending' {
    if (outcome.kind === 'returned') return this.#numbering.find(outcome.value) ?? ABSENT;
    return outcome.kind === 'failed' ? 'failed' : 'pending';
  }

  #afterEnqueue(operation: OnlineOperation): Ways {
    const entry = this.#entries.of(operation);
    const dequeues = this.#dequeues.length;
    return this.#each((way, to) => {
      const isGone = way.gone.includes(entry.number);
      if (operation.outcome.kind === 'failed' && isGone) return;
      to(way);
      if (operation.outcome.kind !== 'returned' || isGone || dequeues === 0) return;
      const standing = this.#entries.standing(NOT_YET, way.gone, way.room(dequeues)) ?? [];
      // if all dequeues have taken something, nobody answers that it was empty
      for (const left of standing.length > 0 ? way.lowered(standing, dequeues) : [])
        if (left.takings.length < 2 * dequeues) to(left.withEmpty(dequeues));
    });
  }

  /** What is left when a dequeue ends so. */
  #after(operation: OnlineOperation, ending: number | 'failed' | 'pending'): Ways {
    const dequeue = this.#dequeues.indexOf(operation);
    return this.#each((way, to) => {
      const goOn = (left: Way): void => {
        const next = this.#seeing(left).withoutDequeue(dequeue);
        if (next) to(next);
      };
      if (typeof ending === 'number') this.#take(way, dequeue, ending, goOn);
      else if (ending === 'failed') goOn(way);
      else for (const left of [way.withFree(), ...way.claims(dequeue)]) goOn(left);
    });
  }

  #take(way: Way, dequeue: number, value: number, goOn: (left: Way) => void): void {
    const dequeues = this.#dequeues.length;
    if (value === NOTHING) {
      const standing =
        way.empty > dequeue ? [] : this.#entries.standing(NOT_YET, way.gone, way.room(dequeues));
      for (const left of standing ? way.lowered(standing, dequeues) : []) goOn(left);
      return;
    }
    const claimed = way.claimed(dequeue, value);
    if (claimed) goOn(claimed);
    // the later one was called, the more have to be gone; where that is the same, it is better to take one that has returned
    let before = NOT_YET;
    for (const entry of this.#entries.copies(value, way.gone).reverse()) {
      const standing = this.#entries.standing(entry.operation.call, way.gone, way.room(dequeues));
      if (!standing || standing.length === before) continue;
      if (entry.returned < NOT_YET) before = standing.length;
      for (const left of way.lowered(standing, dequeues)) goOn(left.without(entry));
    }
  }

  /** Marked as empty, if it may be. */
  #seeing(way: Way): Way {
    const isEmpty = this.#entries.standing(NOT_YET, way.gone, 0) !== undefined;
    return isEmpty ? way.withEmpty(this.#dequeues.length) : way;
  }

  #each(step: (way: Way, to: (next: Way) => void) => void): Ways {
    const next = new Map<string, Way>();
    const to = (way: Way): void => {
      next.set(way.key, way);
      if (next.size > this.#limits.configurations) throw new TooMany('configurations');
      if (BYTES * (next.size + this.#entries.size) > this.#limits.bytes) throw new TooMany('memory');
    };
    for (const way of this.#ways.values()) step(way, to);
    return next;
  }

  /** Lets go of what is over in all ways. */
  #forget(): void {
    const [first, ...others] = this.#ways.values();
    const over = first.gone
      .filter((number) => others.every(({ gone }) => gone.includes(number)))
      .map((number) => this.#entries.numbered(number))
      .filter(({ returned, isGivenUp }) => returned < NOT_YET || isGivenUp);
    if (over.length > 0) {
      const numbers = over.map(({ number }) => number);
      this.#ways = this.#each((way, to) => to(way.forgetting(numbers)));
      for (const entry of over) this.#entries.remove(entry);
    }
    if (this.#numbering.size > ROOM + 2 * this.#entries.size) this.#numbering.retain(this.#known());
  }

  #known(): Set<number> {
    const known = new Set(Array.from(this.#entries.all(), ({ value }) => value));
    for (const { takings } of this.#ways.values()) for (const value of valuesTaken(takings)) known.add(value);
    return known;
  }

  #cause(operation: OnlineOperation): OnlineCause {
    const value = this.#resultOf(operation.outcome);
    if (typeof value !== 'number' || this.#roleOf(operation.method) === 'add')
      return { kind: 'stuck', operations: [operation], allowed: [] };
    const [{ gone }] = this.#ways.values();
    const copies = this.#entries.copies(value, gone).slice(0, 1);
    const before = copies[0]?.operation.call ?? NOT_YET;
    const standing = Array.from(this.#entries.all()).filter(({ returned }) => returned < before);
    const shown = [...copies, ...standing.slice(0, MOST_TOLD)].map((entry) => entry.operation);
    return {
      kind: value === NOTHING || this.#known().has(value) ? 'stuck' : 'absent value',
      operations: [operation, ...shown],
      allowed: [NOTHING, ...this.#known()]
        .filter((own) => this.#after(operation, own).size > 0)
        .map((own) => ({ kind: 'returned', value: this.#numbering.itemOf(own) })),
    };
  }
}

export const queueOfCopies: CreateFamilyMonitor = (steps, _args, limits, from) => {
  const { roles, empty } = steps.spec.family ?? {};
  if (roles?.add === undefined || roles.remove === undefined) return undefined;
  const items = itemsOf(steps, roles.remove, from);
  const nothing = new Set([steps.values.keyOf(empty)]);
  if (!items || items.some((item) => nothing.has(steps.values.keyOf(item)))) return undefined;
  return new QueueOfCopies(steps, items, limits);
};
