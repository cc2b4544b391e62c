/**
 * All quiescent runs of asynchronous code, from which the expected results are learned.
 *
 * One step at a time is taken: a call starts, or an external event happens, that is, a timer fires or a stub takes effect,
 * answers or fails. Then ticks, microtasks and immediates run until only external events are left. A call that waits then may be
 * completed by a later step; so barriers, channels and locks are learned without a spec. It generalises the dual data
 * structures of W. Scherer and M. Scott (DISC 2004), and two-step linearization (J. Lawrence and G. Lowe).
 *
 * Two rules restrict the runs:
 *
 *   order      a call starts after the previous call of its thread has been delivered
 *   progress   an external event that a call in progress set up happens before the next call starts, or after another
 *              call has completed that call
 *
 * Without the second rule every order of macrotasks would be learned as correct, and an update that is lost during an
 * `await` of a stub would be expected. With it, a call that its own timers and stubs complete runs to its end before the next call starts, as in
 * a sequential run. A call that waits for another call can be completed by that call; its time-out then no longer counts.
 * A call whose repeating timer has fired without an effect, as often as it may, polls for what another call does: if no other
 * step is possible, this timer fires again.
 *
 * The runs are explored depth-first by re-execution. Without external events there are n!/∏kᵢ! for threads with kᵢ calls.
 */
import { sourcesIn } from '../../base/values/result-reference.js';
import { currentOperation, inside, isExhausted, type Task } from '../../event-loop/event-loop.js';
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import { textOf, withoutWork } from '../learning/learned-results.js';
import { EXTERNAL, LearnedRuns, type RunStep } from '../learning/learned-runs.js';
import { ChoiceTree, type ExplorationStats, type Learner, noStats, withoutStacks } from '../model/engine.js';
import type { NumberedCall } from '../scenario/test-case.js';
import { type AsyncProgram, COUNTS, type Watcher } from './program.js';
import { AsyncRun } from './run.js';

interface QuiescentOptions {
  readonly onStuck?: () => void;
  /** These operations fail at once and have no effect. */
  readonly omitted?: ReadonlySet<number>;
  /** Gets all runs, also those without the rule of progress: where calls take effect when they start, no order is excluded. */
  readonly fair?: LearnedRuns | undefined;
}

export class QuiescentRuns implements Learner, Watcher {
  readonly stats: ExplorationStats = noStats();
  readonly #run: AsyncRun;
  readonly #learned: LearnedRuns;
  readonly #onStuck: () => void;
  readonly #tree = new ChoiceTree();
  #isComplete = false;
  /** The current run: its node, its last step, and how many calls have started. */
  #node = 0;
  #place = 0;
  #step: Task | undefined;
  #delivered = new Map<number, number>();
  #started = 0;
  /** External event to how many calls had started when it was set up. */
  readonly #setUp = new Map<Task, number>();

  readonly #omitted: ReadonlySet<number>;
  readonly #fair: LearnedRuns | undefined;
  #fairNode = 0;
  /** The steps of this run, with the nodes after them. Steps that the previous run had too need not be added again. */
  readonly #path: { readonly step: RunStep; readonly node: number; readonly fairNode: number }[] = [];
  #steps = 0;
  /** Does the current run satisfy the rule of progress so far? */
  #hasProgress = true;

  constructor(
    run: AsyncRun,
    learned: LearnedRuns,
    { onStuck = () => {}, omitted = new Set(), fair }: QuiescentOptions = {},
  ) {
    this.#run = run;
    this.#learned = learned;
    this.#onStuck = onStuck;
    this.#omitted = omitted;
    this.#fair = fair;
  }

  advance(budget: number): boolean {
    const end = this.stats.steps + budget;
    while (!this.#isComplete && this.stats.steps < end) {
      withoutStacks(() => this.#learn());
      this.#isComplete = !this.#tree.next();
    }
    return this.#isComplete;
  }

  #learn(): void {
    this.#node = this.#learned.root;
    this.#fairNode = this.#learned.root;
    this.#hasProgress = true;
    this.#place = this.#steps = 0;
    this.#path.length = Math.max(0, this.#tree.repeated);
    this.#step = undefined;
    this.#started = 0;
    this.#setUp.clear();
    const ending = this.#run.run(() => 0, {
      isQuiescent: true,
      watcher: this,
      pick: (tasks) => this.#pick(tasks),
    });
    this.stats.executions++;
    this.stats.steps += this.#run.steps;
    if (ending === 'unfinished') this.stats.unfinished++;
    // the same order is found as a violation later
    if (ending === 'uncaught') return;
    this.#finishStep();
    if (ending !== 'stuck') return;
    this.#onStuck();
    if (this.#hasProgress) this.#learned.stuck.add(this.#node);
    this.#fair?.stuck.add(this.#fairNode);
  }

  /** Immediates belong to the current step. */
  #pick(tasks: readonly Task[]): number {
    if (tasks[0].kind === 'immediate') return 0;
    this.#finishStep();
    const isNext = tasks.some((task) => this.#isEnabled(task))
      ? (task: Task) => this.#isEnabled(task)
      : isExhausted;
    const isEnabled = (task: Task): boolean => this.#fair !== undefined || isNext(task);
    const choices = tasks.reduce((bits, task, i) => (isEnabled(task) ? bits | (1 << i) : bits), 0);
    if (choices === 0) return -1;
    const taken = this.#tree.take(this.#place++, choices);
    this.#step = tasks[taken];
    this.#hasProgress &&= isNext(tasks[taken]);
    return taken;
  }

  /** The rule of progress. */
  #isEnabled(task: Task): boolean {
    if (task.kind === 'call') return true;
    const { operation } = task;
    const isOvertaken = this.#setUp.get(task) !== this.#started;
    return !isOvertaken || operation === undefined || this.#run.outcome[operation] !== OPEN;
  }

  #finishStep(): void {
    const step = this.#step;
    const delivered = this.#delivered;
    this.#delivered = new Map();
    if (step === undefined) return;
    this.#step = undefined;
    const taken: RunStep =
      step.kind === 'call'
        ? { operation: step.operation!, event: '', number: 0, delivered }
        : { operation: EXTERNAL, event: step.does, number: step.number!, delivered };
    const known = this.#path[this.#steps++];
    if (known && isSame(known.step, taken)) {
      this.#node = known.node;
      this.#fairNode = known.fairNode;
      return;
    }
    if (this.#hasProgress) this.#node = this.#learned.add(this.#node, taken);
    if (this.#fair) this.#fairNode = this.#fair.add(this.#fairNode, taken);
    this.#path[this.#steps - 1] = { step: taken, node: this.#node, fairNode: this.#fairNode };
  }

  called(operation: number): void {
    if (!this.#omitted.has(operation)) this.#started++;
  }

  ended(operation: number): void {
    const { outcome, standing } = this.#run;
    const counts = standing[operation] === COUNTS;
    this.#delivered.set(operation, counts ? outcome[operation] : standing[operation]);
  }

  onTask(task: Task): void {
    task.operation ??= currentOperation();
    this.#setUp.set(task, this.#started);
  }

  inside(operation: number, run: () => unknown): unknown {
    return inside(operation, run);
  }

  fires(): void {}

  readonly polls = ({ operation }: Task): boolean =>
    operation !== undefined && this.#run.outcome[operation] === OPEN;
}

function isSame(one: RunStep, other: RunStep): boolean {
  if (one.operation !== other.operation || one.event !== other.event || one.number !== other.number)
    return false;
  if (one.delivered.size !== other.delivered.size) return false;
  for (const [operation, outcome] of one.delivered)
    if (other.delivered.get(operation) !== outcome) return false;
  return true;
}

/** The error of an omitted call. */
const OMITTED = new Error('omitted');

/** Thrown if not all runs could be learned: an incomplete set of runs explains nothing. */
export class IncompleteLearning extends Error {
  override readonly name = 'IncompleteLearning';
}

/** Macrotasks between two looks at the limits. */
const STEPS_PER_SLICE = 500;

/** Learns runs in which some calls fail at once and have no effect. */
export function learnWithout(
  omitted: ReadonlySet<number>,
  program: AsyncProgram,
  outcomes: Outcomes,
  hasExpired: () => boolean,
): LearnedRuns {
  const learned = new LearnedRuns(program.calls.length, true);
  const calls = program.calls.map((call, k) => (omitted.has(k) ? { ...call, run: omit } : call));
  const classify: AsyncProgram['classify'] = (error) =>
    error === OMITTED ? 'failed' : program.classify(error);
  const run = new AsyncRun({ ...program, calls, classify }, outcomes);
  const learner = new QuiescentRuns(run, learned, { omitted });
  while (!learner.advance(STEPS_PER_SLICE))
    if (hasExpired()) throw new IncompleteLearning('a limit was reached');
  if (learner.stats.unfinished > 0) throw new IncompleteLearning('a run did not end');
  return learned;
}

function omit(): never {
  throw OMITTED;
}

/** How many threads hold what a call gives, in learned runs: from its return to the call that gives it back. */
export interface Held {
  readonly call: string;
  /** The most threads that hold it at once. */
  readonly most: number;
  /** The fewest that hold it while this call waits for one of them, is blocked forever, or gets nothing. */
  readonly least?: number;
  /** Is the object a lock for one thread, by its name? */
  readonly isLock: boolean;
}

/** Methods without a result, and those that give back what they took. */
const GIVES: ReadonlyMap<string, string> = new Map([
  ['lock', 'unlock'],
  ['acquire', 'release'],
]);

type NamedCall = Pick<NumberedCall, 'method' | 'args' | 'thread'>;

/** Of a test, at most this many runs are looked at. */
const MOST_RUNS = 1_000;

/**
 * What threads hold in the learned runs of a test in which all threads make the same call, and give back what they got before
 * they make it again. Undefined for other tests. Nothing is said of a call that a timer or a stub completes later: it may have
 * waited for that.
 */
export function heldIn(
  learned: LearnedRuns,
  calls: readonly NamedCall[],
  outcomes: Outcomes,
  name: string,
): Held | undefined {
  const pairs = takesAndGives(calls);
  if (pairs === undefined) return undefined;
  const { call, takes, takeOf, isNamed } = pairs;
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  let runs = 0;
  for (const { run, isStuck } of learned.runs()) {
    if (++runs > MOST_RUNS) break;
    /** Those that definitely hold it, and those that may: the call that gives it back has not returned. */
    const holds = new Set<number>();
    const mayHold = new Set<number>();
    const waits = new Set<number>();
    for (const { operation, delivered } of withoutWork(run)) {
      const before = mayHold.size;
      holds.delete(takeOf.get(operation)!);
      if (takes.has(operation)) waits.add(operation);
      for (const [ended, outcome] of delivered) {
        mayHold.delete(takeOf.get(ended)!);
        if (!waits.delete(ended)) continue;
        const isGiven = gives(outcome, outcomes, isNamed);
        if ((!isGiven || ended !== operation) && operation !== EXTERNAL) least = Math.min(least, before);
        if (isGiven) for (const set of [holds, mayHold]) set.add(ended);
      }
      most = Math.max(most, holds.size);
    }
    if (isStuck && waits.size > 0) least = Math.min(least, mayHold.size);
  }
  const names = `${name} ${call}`;
  const isLock = /mutex|lock/i.test(names) && !/read|shared|sema|rw/i.test(names);
  return { call, most, ...(Number.isFinite(least) && { least }), isLock };
}

/** Over all tests: what may be no lock. Either its limit is not the same in all runs, or nothing is ever refused. */
export function doubtful(held: readonly Held[]): Held[] {
  const joined = [...new Set(held.map(({ call }) => call))].map((call): Held => {
    const same = held.filter((one) => one.call === call);
    const least = Math.min(...same.map((one) => one.least ?? Number.POSITIVE_INFINITY));
    return {
      call,
      most: Math.max(...same.map(({ most }) => most)),
      ...(Number.isFinite(least) && { least }),
      isLock: same.some(({ isLock }) => isLock),
    };
  });
  return joined.filter(({ most, least, isLock }) =>
    least === undefined ? isLock && most > 1 : least < most,
  );
}

/** The calls that take, and for each call that gives back: what it gives back. */
function takesAndGives(calls: readonly NamedCall[]):
  | {
      readonly call: string;
      readonly takes: ReadonlySet<number>;
      readonly takeOf: ReadonlyMap<number, number>;
      /** Do only the names of the calls say so? */
      readonly isNamed: boolean;
    }
  | undefined {
  const threads = [...new Set(calls.map(({ thread }) => thread))].map((thread) =>
    [...calls.keys()].filter((k) => calls[k].thread === thread),
  );
  const takeOf = new Map<number, number>();
  const uses = new Set<number>();
  let isNamed = true;
  for (const own of threads)
    for (const [i, sources] of sourcesIn(own.map((k) => [calls[k].method, ...calls[k].args])).entries()) {
      const take =
        sources.length > 0
          ? own[sources[0]]
          : own.slice(0, i).findLast((k) => GIVES.get(calls[k].method) === calls[own[i]].method);
      if (take === undefined) continue;
      isNamed &&= sources.length === 0;
      uses.add(own[i]);
      // the last call that uses it gives it back
      for (const [give, taken] of takeOf) if (taken === take) takeOf.delete(give);
      takeOf.set(own[i], take);
    }
  const takes = new Set(takeOf.values());
  const texts = new Set(Array.from(takes, (k) => textOf(calls[k])));
  const isPaired = threads.every((own) =>
    own.every((k, i) => uses.has(k) || (takes.has(k) && (i === 0 || takeOf.has(own[i - 1])))),
  );
  return texts.size === 1 && isPaired ? { call: [...texts][0], takes, takeOf, isNamed } : undefined;
}

/** Does a call give something to hold? Where no call uses its result, it need not have one. */
function gives(outcome: number, outcomes: Outcomes, isNamed: boolean): boolean {
  const ended = outcome < 0 ? undefined : outcomes.at(outcome);
  if (ended?.kind !== 'returned') return false;
  return ended.value === undefined ? isNamed : ended.value !== null && ended.value !== false;
}
