/**
 * Every state of the program and of the explanations so far, each gone on from once.
 *
 * A state is the heap, the local state of each thread, and the set of all
 * configurations that explain what was called and returned (explore/automata/configurations.ts). The
 * history itself is no part of it, so histories of any length meet in one state: this is
 * a search of the product of the implementation and its specification.
 *
 * Coroutines can not be copied, so going back means to run again from the beginning; a run ends
 * where it meets a state that is known, or where all that it could come to is (tried.ts).
 *
 *   no configuration left     no order explains the outcomes
 *   nobody can go on          each operation that waits must be able to, after an order of all that
 *                             have returned, all others that are open left out (Line-Up, definition 2)
 *
 * Where states can not be told apart it gives up: others need only the accesses.
 *
 * Threads that make the same calls take turns to begin (explore/classes/thread-symmetry.ts).
 *
 * Cost: a run for each step that leads to a known state; few are tried that do.
 */
import { bitsOf, grown } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import type { Fingerprint } from '../../execution/fingerprint.js';
import { CHOOSE } from '../../execution/memory/access.js';
import type { Configurations } from '../automata/configurations.js';
import type { Turns } from '../classes/happens-before.js';
import { DEAD } from '../model/automaton.js';
import { ChoiceTree } from '../model/choice-tree.js';
import type { BlockedThread, Coverage, ScheduleViolation } from '../model/engine.js';
import { RunByRun } from './run-by-run.js';
import { CALL, RETURN, type SleepSets } from './sleep-sets.js';

/*
 * What has been tried in which state: who goes on from a state that is met again, and who sleeps along a path (sleep-sets.ts).
 *
 * A state knows who slept each time that it was met. Met again, it is gone on from only by those who
 * slept then and are awake now (Godefroid, algorithm of section 5.4). Why nothing is missed: take the steps that lead from a state to
 * something wrong, none of which can be put first that always sleeps there. Of those that can be put first, look at the last time that one was
 * tried, and the first that was tried then. None that can be put first after it sleeps below it, for that one could be put first
 * in the state too. So the rest of the steps is found from there, by induction.
 *
 * What a thread chooses after a step belongs to it, and the thread sleeps when all has been chosen. A step into a block that is run as one
 * never sleeps, since nobody can go between it and what follows.
 */

const NOBODY = -1;

export class Tried {
  readonly #execution: Execution;
  readonly #sleep: SleepSets;
  /** State to who slept in it each time. */
  #slept: Int32Array = new Int32Array(64);
  /** Place to who took a step there that may sleep, or NOBODY; of which kind, where, and what it carried. */
  #thread: Int32Array = new Int32Array(64);
  #kind: Int32Array = new Int32Array(64);
  #location: Int32Array = new Int32Array(64);
  #carried: Int32Array = new Int32Array(64);

  constructor(execution: Execution, sleep: SleepSets) {
    this.#execution = execution;
    this.#sleep = sleep;
  }

  /** Who may go on at a place of the path, where the program is in a state; as bits. */
  open(place: number, state: number, isNew: boolean): number {
    if (place === 0) this.#sleep.clear();
    const asleep = this.#sleep.at(place);
    if (state >= this.#slept.length) this.#slept = grown(this.#slept, 0);
    const slept = isNew ? -1 : this.#slept[state];
    this.#sleep.keep(place, slept);
    this.#slept[state] = slept & asleep;
    return slept & ~asleep;
  }

  /** A thread has taken a step at a place, or has chosen. */
  step(place: number, thread: number): void {
    const { kind, location, isFirst, isLast, blockOwner } = this.#execution;
    if (place === this.#thread.length) this.#grow();
    this.#thread[place] = kind === CHOOSE || blockOwner >= 0 ? NOBODY : thread;
    this.#kind[place] = kind;
    this.#location[place] = location;
    this.#carried[place] = (isFirst ? CALL : 0) | (isLast ? RETURN : 0);
    this.#sleep.step(place, thread, kind, location, this.#carried[place]);
  }

  /** Another goes on at a place of the path. */
  leave(place: number): void {
    if (this.#thread[place] === NOBODY) return;
    this.#sleep.add(
      place,
      this.#thread[place],
      this.#kind[place],
      this.#location[place],
      this.#carried[place],
    );
  }

  #grow(): void {
    this.#thread = grown(this.#thread, 0);
    this.#kind = grown(this.#kind, 0);
    this.#location = grown(this.#location, 0);
    this.#carried = grown(this.#carried, 0);
  }
}

/**
 * Atomic blocks and locks: a thread starts a block only if it can run to the end of it. A run in which it waits for a lock inside
 * the block does not exist; the thread waits before the block instead. Which threads have to wait in a state is known after their
 * steps were tried. If all enabled threads have to, the state is a deadlock.
 */
class BlockStarts {
  readonly #execution: Execution;
  /** Place to its state, or CHOICE; to the thread inside a block; to the configurations. */
  readonly #state: number[] = [];
  readonly #owner: number[] = [];
  readonly #set: number[] = [];
  /** State to the enabled threads, those whose step leads out of all blocks, and those that wait inside; as bits. */
  readonly #enabled: number[] = [];
  readonly #completed: number[] = [];
  readonly #blocked: number[] = [];

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  /** States get new numbers. */
  forget(): void {
    this.#enabled.length = 0;
    this.#completed.length = 0;
    this.#blocked.length = 0;
  }

  reach(place: number, state: number, set: number, enabled: number): void {
    this.#state[place] = state;
    this.#owner[place] = this.#execution.blockOwner;
    this.#set[place] = set;
    this.#enabled[state] = enabled;
  }

  choice(place: number): void {
    this.#state[place] = CHOICE;
  }

  stepped(place: number, thread: number): void {
    const { choosing, blockOwner } = this.#execution;
    if (choosing < 0 && blockOwner !== thread) this.completed(place, thread);
  }

  /** From a place on, back to the start of the block, the thread can run to its end. */
  completed(place: number, thread: number): void {
    const start = this.#startOf(place);
    for (let p = place; p >= start; p--)
      if (this.#state[p] !== CHOICE) this.#completed[this.#state[p]] |= 1 << thread;
  }

  hasCompleted(place: number, thread: number): boolean {
    return (this.#completed[this.#state[place]] & (1 << thread)) !== 0;
  }

  /** The run ends inside a block. Gives the start of the block, if no enabled thread can continue there. */
  blocked(place: number, tree: ChoiceTree): { readonly place: number; readonly set: number } | undefined {
    const start = this.#startOf(place);
    // another alternative inside the block may lead out of it
    if (tree.hasMore(start + 1)) return undefined;
    const state = this.#state[start];
    this.#blocked[state] |= 1 << this.#execution.blockOwner;
    const waiting = this.#blocked[state] & ~this.#completed[state];
    return (this.#enabled[state] & ~waiting) === 0 ? { place: start, set: this.#set[start] } : undefined;
  }

  /** The last place, up to this one, without a thread inside a block. */
  #startOf(place: number): number {
    let start = place;
    while (this.#state[start] === CHOICE || this.#owner[start] >= 0) start--;
    return start;
  }
}

const CHOICE = -1;

/** The parts that look at one execution together. */
interface StatefulParts {
  readonly execution: Execution;
  readonly fingerprint: Fingerprint;
  readonly configurations: Configurations;
  readonly tried: Tried;
  readonly turns: Turns;
}

export class Stateful extends RunByRun {
  readonly name: string = 'states';
  readonly #execution: Execution;
  readonly #fingerprint: Fingerprint;
  readonly #configurations: Configurations;
  readonly #tried: Tried;
  readonly #turns: Turns;
  /** If there are atomic blocks. */
  readonly #starts: BlockStarts | undefined;
  #tree = new ChoiceTree();

  constructor(
    { execution, fingerprint, configurations, tried, turns }: StatefulParts,
    { mostSteps }: { mostSteps?: number } = {},
  ) {
    super(mostSteps);
    this.#execution = execution;
    this.#fingerprint = fingerprint;
    this.#configurations = configurations;
    this.#tried = tried;
    this.#turns = turns;
    this.#starts = execution.hasBlocks ? new BlockStarts(execution) : undefined;
  }

  get coverage(): Coverage | undefined {
    if (this.#fingerprint.hasOpaqueObjects) return undefined;
    return this.isWhole ? { kind: 'all' } : undefined;
  }

  protected another(): boolean {
    this.stats.states = this.#fingerprint.states;
    if (this.#fingerprint.hasOpaqueObjects) return false;
    if (this.#turns.areOver()) {
      this.#fingerprint.forget();
      this.#starts?.forget();
      this.#tree = new ChoiceTree();
      return true;
    }
    const isOver = !this.#tree.next();
    if (!isOver) this.#tried.leave(this.#tree.repeated);
    return !isOver;
  }

  protected run(): ScheduleViolation | undefined {
    const execution = this.#execution;
    execution.reset(true);
    let set = this.#configurations.initial;
    const starts = this.#starts;
    let last = -1;
    for (let place = 0; place < this.mostSteps; place++) {
      if (execution.choosing >= 0) {
        if (place > this.#tree.repeated) starts?.choice(place);
        execution.choose(this.#tree.take(place, (1 << execution.alternatives) - 1));
      } else {
        let open = -1;
        if (place > this.#tree.repeated) {
          const known = this.#fingerprint.states;
          const state = this.#fingerprint.numberOf(set);
          open = this.#tried.open(place, state, state === known);
          if (this.#fingerprint.hasOpaqueObjects) return undefined;
          const enabled = execution.enabled();
          const all = this.#turns.of(enabled);
          starts?.reach(place, state, set, all);
          if (open !== 0 && enabled === 0) return this.#ended(place, set);
          open &= all;
          if (open === 0) return this.#known(place);
        }
        last = this.#tree.take(place, open, last);
        execution.step(last);
      }
      if (place >= this.#tree.repeated) {
        this.#tried.step(place, last);
        starts?.stepped(place, last);
      }
      this.count(place);
      if (execution.isFirst) set = this.#configurations.call(set, execution.stepped);
      if (!execution.isLast) continue;
      set = this.#configurations.return(set, execution.stepped, execution.outcome[execution.stepped]);
      if (set === DEAD) return this.#found('outcome', execution.stepped);
    }
    return this.giveUp();
  }

  /** No thread is enabled. A thread inside an atomic block that waits for another call is in a deadlock. */
  #ended(place: number, set: number): ScheduleViolation | undefined {
    const { blockOwner } = this.#execution;
    if (blockOwner < 0) return this.#needlessWait(set);
    if (!this.#execution.waitsForCall(blockOwner)) return this.#blocked(place);
    const found = this.#needlessWait(set);
    if (!found) this.#starts?.completed(place, blockOwner);
    return found && { ...found, blocked: this.#waitOf(blockOwner) };
  }

  /** All continuations of this state were explored before. */
  #known(place: number): ScheduleViolation | undefined {
    const { blockOwner } = this.#execution;
    if (blockOwner < 0) return undefined;
    if (!this.#starts!.hasCompleted(place, blockOwner)) return this.#blocked(place);
    this.#starts!.completed(place, blockOwner);
    return undefined;
  }

  /** The thread inside an atomic block waits for a lock: it has to wait before the block. If all threads have to, they deadlock. */
  #blocked(place: number): ScheduleViolation | undefined {
    const deadlock = this.#starts!.blocked(place, this.#tree);
    if (deadlock === undefined) return undefined;
    const found = this.#needlessWait(deadlock.set);
    const schedule = this.#tree.path.slice(0, deadlock.place);
    return found && { ...found, schedule, blocked: this.#waitOf(this.#execution.blockOwner) };
  }

  #waitOf(thread: number): BlockedThread {
    return { operation: this.#execution.operation[thread], site: this.#execution.sites[thread] };
  }

  #needlessWait(set: number): ScheduleViolation | undefined {
    const operation = this.#configurations.needlessWait(set, bitsOf(this.#execution.pending()));
    return operation < 0 ? undefined : this.#found('wait', operation);
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: this.#tree.path };
  }
}
