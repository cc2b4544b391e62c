/**
 * Stateful search: explores all states of the product of a program and its specification.
 *
 * A state is the heap, the local state of each thread, and the set of configurations that explain the calls and returns
 * so far (explore/automata/configurations.ts). The history is not part of it, so histories of any length lead to one state.
 *
 * Coroutines cannot be copied, so backtracking repeats the run from the start. A run ends at a state in
 * which no thread is left to try (`Tried`).
 *
 *   no configuration left     no linearization includes the last return
 *   no thread is enabled      each blocked operation must be allowed to block after a linearization of the
 *                             completed operations, without the other pending ones (Line-Up, definition 2)
 *
 * If states cannot be distinguished, because objects are opaque, the search stops. Other engines need only the accesses.
 *
 * States are compared up to names of threads and values (symmetric-states.ts). If that is not possible, symmetric threads start in the
 * order of their numbers (`Turns` in explore/classes/happens-before.ts).
 *
 * Cost: one run for each step that leads to a known state; sleep sets skip most such steps.
 */
import { bitsOf, grown } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import type { Fingerprint } from '../../execution/fingerprint.js';
import { CHOOSE } from '../../execution/memory/access.js';
import { type Configurations, DEAD } from '../automata/configurations.js';
import type { Turns } from '../classes/happens-before.js';
import { type BlockedThread, ChoiceTree, type Coverage, type ScheduleViolation } from '../model/engine.js';
import { RunByRun } from './run-by-run.js';
import { CALL, RETURN, type SleepSets } from './sleep-sets.js';

/** Instead of a thread: the step of a place never sleeps. */
const NO_THREAD = -1;

/**
 * The threads that were tried in each state, and the sleep sets along the path (sleep-sets.ts).
 *
 * A state records the threads that slept at every visit, by position in it (symmetric-states.ts). At a further visit, only those of them that are awake now are
 * tried (Godefroid, algorithm of section 5.4).
 *
 * Why no violation is missed: let w be the steps from a state to a violation. An initial of w is a thread whose first
 * step in w can be moved to the front. Assume that no initial of w slept at every visit. Take the last visit at which an
 * initial was tried, and the first initial p tried at that visit. No initial of the rest of w sleeps after p, since it
 * would be an initial of w too. By induction, the rest of w is explored from there.
 *
 * A choice after a step belongs to the step: the thread sleeps after all alternatives were tried. A step into an atomic
 * block never sleeps, since no thread can run between it and the rest of the block.
 */
export class Tried {
  readonly #execution: Execution;
  readonly #sleep: SleepSets;
  /** State to the threads that slept at every visit, as bits. */
  #slept: Int32Array = new Int32Array(64);
  /** Place to the thread whose step may sleep, or NO_THREAD; to the kind and location of the step, and the bits it carried. */
  #thread: Int32Array = new Int32Array(64);
  #kind: Int32Array = new Int32Array(64);
  #location: Int32Array = new Int32Array(64);
  #carried: Int32Array = new Int32Array(64);

  constructor(execution: Execution, sleep: SleepSets) {
    this.#execution = execution;
    this.#sleep = sleep;
  }

  /** Visits a state at a place of the path. Returns the threads to try there, as bits. `order`: position to thread. */
  open(place: number, state: number, isNew: boolean, order?: readonly number[]): number {
    if (place === 0) this.#sleep.clear();
    const asleep = this.#sleep.at(place);
    if (state >= this.#slept.length) this.#slept = grown(this.#slept, 0);
    const slept = isNew ? -1 : this.threadsAt(this.#slept[state], order);
    this.#sleep.keep(place, slept);
    this.#slept[state] = this.positionsOf(slept & asleep, order);
    return slept & ~asleep;
  }

  /** The threads at some positions, and the positions of some threads, as bits. */
  protected threadsAt(positions: number, order: readonly number[] | undefined): number {
    if (order === undefined) return positions;
    let threads = 0;
    for (let i = 0; i < order.length; i++) if (positions & (1 << i)) threads |= 1 << order[i];
    return threads;
  }

  protected positionsOf(threads: number, order: readonly number[] | undefined): number {
    if (order === undefined) return threads;
    let positions = 0;
    for (let i = 0; i < order.length; i++) if (threads & (1 << order[i])) positions |= 1 << i;
    return positions;
  }

  /** Records a step, or a choice, of a thread at a place. */
  step(place: number, thread: number): void {
    const { kind, location, isFirst, isLast, blockOwner } = this.#execution;
    if (place === this.#thread.length) this.#grow();
    this.#thread[place] = kind === CHOOSE || blockOwner >= 0 ? NO_THREAD : thread;
    this.#kind[place] = kind;
    this.#location[place] = location;
    this.#carried[place] = (isFirst ? CALL : 0) | (isLast ? RETURN : 0);
    this.#sleep.step(place, thread, kind, location, this.#carried[place]);
  }

  /** Puts the thread that was tried at a place to sleep, before another one is tried there. */
  leave(place: number): void {
    if (this.#thread[place] === NO_THREAD) return;
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

/** The parts of the engine. All of them observe the same execution. */
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
    { maxSteps }: { maxSteps?: number | undefined } = {},
  ) {
    super(maxSteps);
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
    // both must know
    const isOutdated = this.#fingerprint.isOutdated();
    if (this.#turns.areOver() || isOutdated) {
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
    for (let place = 0; place < this.maxSteps; place++) {
      if (execution.choosing >= 0) {
        if (place > this.#tree.repeated) starts?.choice(place);
        execution.choose(this.#tree.take(place, (1 << execution.alternatives) - 1));
      } else {
        let open = -1;
        if (place > this.#tree.repeated) {
          const known = this.#fingerprint.states;
          const state = this.#fingerprint.numberOf(set);
          open = this.#tried.open(place, state, state === known, this.#fingerprint.order);
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
    return this.giveUp(execution);
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
