/**
 * One execution of each class, by source sets and sleep sets.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas. Source sets: a foundation for
 *   optimal dynamic partial order reduction. JACM 64(4), 2017. Algorithm 1.
 *
 * Two executions of a class give the same outcomes, and which orders of calls and
 * returns they allow is computed from one of them (orders.ts). So only accesses count
 * here; calls and returns do not.
 *
 * A run goes down a path of *nodes*. At each the first choice is whoever ran last.
 * When a step e conflicts with an earlier step x that it could have overtaken, then some
 * thread that can begin "e without x" must be tried at the node of x: that is a race,
 * and `#reverse` adds such a thread unless one is there. A thread that was tried goes to
 * sleep below the node until a step conflicts with what it did.
 *
 *   e waits for a lock        it races with who took the lock last, since who gives it back
 *                             holds it while e has to wait
 *   a thread blocked at the   what it waits for races in the same way, or runs in which it gets
 *   end of a run              the lock first would be missed
 *   a thread that spins       is not enabled, so no race makes it repeat an iteration for ever
 *   a choice                  has a node of its own with all alternatives, of no interest to races
 *
 * Departure: no check for optimality (wakeup trees). Runs in vain were none or few on all named tests.
 */
import { grown, lowest } from '../base/index.js';
import { access, kindOf, LOCK, locationOf } from './access.js';
import {
  type Coverage,
  type Effort,
  type Engine,
  type Finding,
  type Judge,
  MOST_STEPS,
  noEffort,
} from './engine.js';
import type { Execution } from './execution.js';
import type { HappensBefore } from './happens-before.js';
import { ProgramError } from './program-error.js';

const bitOf = (thread: number): number => 1 << thread;

export class Dpor implements Engine {
  readonly name: string = 'partial-order reduction';
  readonly effort: Effort = noEffort();
  /** Runs that led nowhere: everybody who could go on was asleep. */
  inVain = 0;

  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #judge: Judge;
  readonly #mostSteps: number;
  readonly #threads: number;

  /** Node to the threads that are enabled, to be tried, tried, and asleep, as bits; and what is being tried. */
  #enabled: Int32Array = new Int32Array(64);
  #toTry: Int32Array = new Int32Array(64);
  #tried: Int32Array = new Int32Array(64);
  #asleep: Int32Array = new Int32Array(64);
  #chosen: Int32Array = new Int32Array(64);
  /** Node to how many alternatives there are to choose from; 0 where a thread takes a step. */
  #alternatives: Int32Array = new Int32Array(64);
  /** `node * threads + thread` to what a sleeping thread did, as an access. */
  #didAsleep: Int32Array;
  #nodes = 0;
  /** Nodes before this one are as in the run before. */
  #from = 0;
  #isOver = false;
  /** Location to the steps that took permits there, in order. */
  readonly #taken: number[][] = [];

  constructor(
    execution: Execution,
    steps: HappensBefore,
    judge: Judge,
    { mostSteps = MOST_STEPS }: { mostSteps?: number } = {},
  ) {
    this.#execution = execution;
    this.#steps = steps;
    this.#judge = judge;
    this.#mostSteps = mostSteps;
    this.#threads = execution.threads;
    this.#didAsleep = new Int32Array(64 * this.#threads);
  }

  get coverage(): Coverage | undefined {
    return this.#isOver && this.effort.unfinished === 0 ? { kind: 'all' } : undefined;
  }

  advance(fuel: number): Finding | 'done' | undefined {
    const end = this.effort.steps + fuel;
    while (!this.#isOver && this.effort.steps < end) {
      const isWhole = this.#run();
      const finding = isWhole ? this.#judge.judge() : undefined;
      this.#isOver = !this.#backtrack();
      if (finding) return finding;
    }
    return this.#isOver ? 'done' : undefined;
  }

  /** One run: as the nodes say, and then on to the end. Tells whether it got there. */
  #run(): boolean {
    const execution = this.#execution;
    const steps = this.#steps;
    this.effort.executions++;
    execution.reset();
    steps.cut(this.#from);
    this.#forgetTaken();
    let last = -1;
    for (let node = 0; ; node++) {
      const isChoice = execution.choosing >= 0;
      const enabled = isChoice || node < this.#from ? -1 : execution.enabled();
      if (enabled === 0) {
        this.blockedRaces();
        return true;
      }
      if (node >= this.#mostSteps) {
        this.effort.unfinished++;
        return false;
      }
      if (node === this.#nodes && !this.#addNode(enabled, last)) {
        this.inVain++;
        return false;
      }
      this.effort.steps++;
      this.effort.depth = Math.max(this.effort.depth, node + 1);
      last = isChoice ? execution.choosing : this.#chosen[node];
      if (node < this.#from) this.#repeat(node, last);
      else {
        const announced = execution.announced[last];
        if (isChoice) execution.choose(this.#chosen[node]);
        else execution.step(last);
        const step = steps.add(last);
        if (!isChoice) this.#races(step, kindOf(announced) === LOCK);
        this.#keepTaken(step);
      }
    }
  }

  /** A step as in the run before. */
  #repeat(node: number, thread: number): void {
    const execution = this.#execution;
    if (execution.choosing >= 0) execution.choose(this.#chosen[node]);
    else execution.step(thread);
    const steps = this.#steps;
    if (execution.location !== steps.location[node] || execution.kind !== steps.kind[node])
      throw new ProgramError(
        `${execution.calls[execution.stepped].method} did something else when it was run again under the same schedule; does it depend on the time, on chance, or on what an earlier run has left behind?`,
      );
    this.#keepTaken(node);
  }

  /** A node at the end of the path. Tells false if all who could go on are asleep. */
  #addNode(enabled: number, last: number): boolean {
    const node = this.#nodes;
    if (node === this.#enabled.length) this.#grow();
    const { choosing, alternatives } = choiceOf(this.#execution);
    const asleep = node === 0 ? 0 : this.#stillAsleep(node);
    const awake = enabled & ~asleep;
    if (choosing < 0 && awake === 0) return false;
    this.#enabled[node] = enabled;
    this.#asleep[node] = asleep;
    this.#tried[node] = 0;
    this.#alternatives[node] = alternatives;
    this.#chosen[node] = choosing >= 0 ? 0 : last >= 0 && awake & bitOf(last) ? last : lowest(awake);
    this.#toTry[node] = choosing >= 0 ? 0 : bitOf(this.#chosen[node]);
    this.#nodes++;
    return true;
  }

  /** Those asleep at the node before whom its step did not wake. */
  #stillAsleep(node: number): number {
    const steps = this.#steps;
    const before = node - 1;
    const kind = steps.kind[before];
    const location = steps.location[before];
    let asleep = this.#asleep[before] & ~bitOf(steps.thread[before]);
    for (let rest = asleep; rest !== 0; rest &= rest - 1) {
      const thread = lowest(rest);
      const did = this.#didAsleep[before * this.#threads + thread];
      const wakes = location >= 0 && locationOf(did) === location + 1 && steps.conflict(kind, kindOf(did));
      if (wakes) asleep &= ~bitOf(thread);
      else this.#didAsleep[node * this.#threads + thread] = did;
    }
    return asleep;
  }

  /** Goes back to the last node where something is left to try. Tells false if there is none. */
  #backtrack(): boolean {
    const steps = this.#steps;
    for (let node = this.#nodes - 1; node >= 0; node--) {
      this.#nodes = node + 1;
      this.#from = node;
      if (this.#alternatives[node] > 0) {
        if (++this.#chosen[node] < this.#alternatives[node]) return true;
        continue;
      }
      const thread = this.#chosen[node];
      this.#tried[node] |= bitOf(thread);
      this.#asleep[node] |= bitOf(thread);
      // one more, so that a step without location is at none
      this.#didAsleep[node * this.#threads + thread] = access(steps.kind[node], steps.location[node] + 1);
      const left = this.#toTry[node] & ~this.#tried[node] & ~this.#asleep[node];
      if (left !== 0) {
        this.#chosen[node] = lowest(left);
        return true;
      }
    }
    return false;
  }

  /** The races of the step added last. */
  #races(e: number, hadToWait: boolean): void {
    const steps = this.#steps;
    const { before, conflicting } = steps;
    for (const x of conflicting) {
      if (steps.index[x] <= before[steps.thread[x]]) continue;
      if (this.#isIndirect(x, conflicting)) continue;
      if (hadToWait && !this.#couldOvertake(x, steps.thread[e], before)) continue;
      this.#reverse(x, e, steps.thread[e]);
    }
    if (hadToWait) this.lockRaces(steps.location[e], steps.thread[e], e);
  }

  /** Did x happen before another of these? Then that one races. */
  #isIndirect(x: number, conflicting: readonly number[]): boolean {
    for (const y of conflicting) if (y !== x && this.#steps.precedes(x, y)) return true;
    return false;
  }

  /** At the end of a run: what a blocked thread waits for races, too. */
  protected blockedRaces(): void {
    const { announced, memory } = this.#execution;
    for (let thread = 0; thread < this.#threads; thread++) {
      if (announced[thread] < 0 || kindOf(announced[thread]) !== LOCK) continue;
      if (memory.isAsleep(thread) || memory.isSpinning(thread)) continue;
      this.#steps.standAt(thread);
      this.lockRaces(locationOf(announced[thread]), thread, this.#steps.length);
    }
  }

  /** A thread waits, or had to be able to wait, for permits: it races with who took some last while it could have. */
  protected lockRaces(location: number, thread: number, e: number): void {
    const steps = this.#steps;
    const taken = this.#taken[location] ?? [];
    for (let i = taken.length - 1; i >= 0; i--) {
      const x = taken[i];
      const other = steps.thread[x];
      if (other === thread || steps.index[x] <= steps.before[other]) continue;
      if (!this.#couldOvertake(x, thread, steps.before)) continue;
      this.#reverse(x, e, thread);
      return;
    }
  }

  /** Might a thread have gone on where step x was taken? Not if it stood there as it stands now, and was not enabled. */
  #couldOvertake(x: number, thread: number, before: Int32Array): boolean {
    if (this.#enabled[x] & bitOf(thread)) return true;
    const { thread: threadOf, index, length } = this.#steps;
    for (let step = x + 1; step < length; step++)
      if (threadOf[step] === thread && index[step] <= before[thread]) return true;
    return false;
  }

  /** Sees to it that a thread that can begin "e without x" is tried where x was. */
  #reverse(x: number, e: number, thread: number): void {
    const steps = this.#steps;
    let begun = 0;
    let initials = 0;
    // the steps after x that did not need it; of each thread the first that did not need another of these
    for (let step = x + 1; step < e; step++) {
      if (steps.precedes(x, step)) continue;
      const bit = bitOf(steps.thread[step]);
      if (begun & bit) continue;
      begun |= bit;
      if (!this.#needs(step, x)) initials |= bit;
    }
    if (!(begun & bitOf(thread)) && !this.#pendingNeeds(e, thread, x)) initials |= bitOf(thread);
    initials &= this.#enabled[x];
    if (initials === 0 || initials & this.#toTry[x]) return;
    this.#toTry[x] |= initials & bitOf(thread) ? bitOf(thread) : bitOf(lowest(initials));
  }

  /** Did a step after x that x did not precede happen before this one? */
  #needs(step: number, x: number): boolean {
    const steps = this.#steps;
    for (let other = x + 1; other < step; other++)
      if (!steps.precedes(x, other) && steps.precedes(other, step)) return true;
    return false;
  }

  /** The same of the last access of a thread, done or waited for. */
  #pendingNeeds(e: number, thread: number, x: number): boolean {
    const steps = this.#steps;
    const { before } = steps;
    const isDone = e < steps.length;
    const announced = this.#execution.announced[thread];
    const location = isDone ? steps.location[e] : locationOf(announced);
    const kind = isDone ? steps.kind[e] : kindOf(announced);
    for (let other = x + 1; other < e; other++) {
      if (steps.precedes(x, other)) continue;
      if (steps.index[other] <= before[steps.thread[other]]) return true;
      if (steps.location[other] === location && steps.conflict(kind, steps.kind[other])) return true;
    }
    return false;
  }

  #keepTaken(step: number): void {
    if (this.#steps.kind[step] !== LOCK) return;
    this.#taken[this.#steps.location[step]] ??= [];
    this.#taken[this.#steps.location[step]].push(step);
  }

  #forgetTaken(): void {
    for (const list of this.#taken) if (list) list.length = 0;
  }

  #grow(): void {
    this.#enabled = grown(this.#enabled, 0);
    this.#toTry = grown(this.#toTry, 0);
    this.#tried = grown(this.#tried, 0);
    this.#asleep = grown(this.#asleep, 0);
    this.#chosen = grown(this.#chosen, 0);
    this.#alternatives = grown(this.#alternatives, 0);
    this.#didAsleep = grown(this.#didAsleep, this.#enabled.length * this.#threads);
  }
}

function choiceOf(execution: Execution): { choosing: number; alternatives: number } {
  const { choosing } = execution;
  return { choosing, alternatives: choosing >= 0 ? execution.alternatives : 0 };
}
