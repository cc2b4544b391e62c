/**
 * Other threads that take part in a check where it takes long.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 6 (competition parallel).
 *
 * A check is synchronous and goes on searching itself; from time to time it looks
 * for what the others have found. Parts are taken one after another from a counter
 * in shared memory. When none is left, members search the part that the check
 * is busy with in other ways; the first answer wins. The history is in shared
 * memory too; specs are functions, so each member loads them from a module.
 *
 * A member that fails is no loss: the check does what it left undone.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ownFile } from '../../base/package-file.js';
import type { History } from '../../history/history.js';
import { share } from '../../history/shared.js';
import type { Part } from '../parts/part.js';
import type { SearchName } from '../search/choose-search.js';
import { Openings } from '../search/generic/open-operations.js';
import type { Finding, Means, PartCheck } from './part-check.js';
import {
  type Assignment,
  CONTROL,
  type Report,
  type ToldCounterexample,
  type ToldFinding,
} from './protocol.js';

export interface CrewOptions {
  /** A module whose export `specs`, given `data`, gives the spec, or a function from objects to specs, or a promise of these. */
  readonly module: string | URL;
  readonly data?: unknown;
  /** How many threads search, with the one that checks. */
  readonly jobs: number;
}

/** Most checks are over before this; to begin costs about as much. */
const PATIENCE = 400;
/** More threads than this help nobody. */
const MOST_MEMBERS = 15;
/** A member that gives no sign for so long is not waited for. */
const SILENCE = 3_000;
/** Bytes an operation of a history, or of all its parts; and bytes that a thread takes before it has anything. */
const BYTES = 50;
const THREAD_BYTES = 40 * 2 ** 20;
const RIVALS: readonly SearchName[] = ['jit-breadth', 'wg-graph', 'jit-tree'];

export class Crew {
  readonly #options: CrewOptions;
  readonly #whole: History;
  readonly #parts: readonly Part[];
  readonly #means: Means;
  readonly #control = new Int32Array(new SharedArrayBuffer(4 * (CONTROL.beats + MOST_MEMBERS)));
  readonly #beginAt: number;
  /** The parts to search, and what came out of all parts. */
  #tasks: readonly number[] = [];
  #findings: (Finding | undefined)[] = [];
  #isViolated = false;
  #members: { worker: Worker; port: MessagePort }[] | undefined;
  #left = 0;

  constructor(options: CrewOptions, whole: History, parts: readonly Part[], means: Means) {
    if (!(Number.isInteger(options.jobs) && options.jobs > 0))
      throw new TypeError(`${options.jobs} as jobs of a crew; expected a whole number from 1`);
    this.#options = options;
    this.#whole = whole;
    this.#parts = parts;
    this.#means = means;
    this.#beginAt = performance.now() + (means.searches.length > 1 ? 0 : PATIENCE);
  }

  /** Goes on with the parts that are paused; gives the findings with theirs. */
  find(findings: (Finding | undefined)[], paused: Map<number, PartCheck>): readonly (Finding | undefined)[] {
    this.#tasks = [...paused.keys()];
    this.#findings = findings;
    for (let number = this.#next(); number >= 0; number = this.#next()) {
      this.#note(number, paused.get(number)?.run({ isOvertaken: () => this.#overtakes(number) }));
      // its tables are in nobody's way any more
      paused.delete(number);
    }
    this.#wait();
    // what a member has left undone
    for (const number of this.#tasks)
      if (!findings[number] && !this.#isViolated) this.#note(number, paused.get(number)?.run());
    return findings;
  }

  dismiss(): void {
    Atomics.store(this.#control, CONTROL.stop, 1);
    for (const { worker, port } of this.#members ?? []) {
      port.close();
      void worker.terminate();
    }
  }

  /** A part that nobody has begun; -1 when there is none, or need be none. */
  #next(): number {
    const task = this.#isViolated ? this.#tasks.length : Atomics.add(this.#control, CONTROL.next, 1);
    const number = this.#tasks[task] ?? -1;
    Atomics.store(this.#control, CONTROL.current, number);
    return number;
  }

  /** Asked while a part is searched here: has somebody found out enough? */
  #overtakes(number: number): boolean {
    if (!this.#members && performance.now() > this.#beginAt) this.#begin();
    this.#hear();
    return this.#findings[number] !== undefined || this.#isViolated;
  }

  #note(number: number, finding: Finding | 'overtaken' | 'paused' | undefined): void {
    if (typeof finding !== 'object' || this.#findings[number]) return;
    this.#findings[number] = finding;
    this.#isViolated ||= finding.kind === 'none';
  }

  /** Until the members have nothing more to tell, a limit is met, or none of them gives a sign any more. */
  #wait(): void {
    const isDone = () =>
      this.#isViolated || this.#means.budget.met || this.#tasks.every((number) => this.#findings[number]);
    let [sign, since] = [-1, performance.now()];
    while (this.#members && this.#left < this.#members.length && !isDone()) {
      Atomics.wait(this.#control, CONTROL.messages, this.#control[CONTROL.messages], 20);
      this.#hear();
      const now = this.#control.subarray(CONTROL.messages).reduce((sum, beats) => sum + beats, 0);
      if (now !== sign) [sign, since] = [now, performance.now()];
      else if (performance.now() - since > SILENCE) return;
    }
  }

  #begin(): void {
    this.#members = [];
    const { searches, budget } = this.#means;
    const rivals = searches.length > 1 ? searches.slice(1) : RIVALS;
    const others = Math.min(this.#options.jobs - 1, MOST_MEMBERS);
    if (!budget.affordsMore(bytesForCrew(this.#whole, others))) return;
    const history = share(this.#whole);
    for (let member = 0; member < others; member++) {
      const { port1, port2 } = new MessageChannel();
      const assignment: Assignment = {
        history,
        module: String(this.#options.module),
        data: this.#options.data,
        control: this.#control,
        member,
        tasks: this.#tasks,
        port: port2,
        monitors: this.#parts.some(({ monitored }) => monitored),
        searches,
        rivals: rivals.filter((_, i) => i % others === member),
        share: budget.shareOf(this.#options.jobs),
      };
      try {
        const worker = new Worker(ownFile('#crew-member'), {
          workerData: assignment,
          transferList: [port2],
        });
        // it says itself that it leaves; if it can not, its part is searched again
        worker.on('error', () => this.#left++);
        worker.unref();
        this.#members.push({ worker, port: port1 });
      } catch (error) {
        // values that no other thread can be given: then there is no crew
        port1.close();
        if (!(error instanceof DOMException)) throw error;
        return;
      }
    }
  }

  #hear(): void {
    for (const { port } of this.#members ?? [])
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const report = got.message as Report;
        if (report.kind === 'left') this.#left++;
        else if (report.kind === 'found') this.#means.onViolation?.(report.found);
        else if (this.#findings[report.part] === undefined) {
          this.#note(report.part, this.#findingOf(report.part, report.finding));
          this.#means.budget.add(report);
        }
      }
  }

  #findingOf(number: number, finding: ToldFinding): Finding {
    if (finding.kind !== 'none') return finding;
    const { history } = this.#parts[number];
    return {
      kind: 'none',
      counterexample: { ...finding.counterexample, core: coreOf(history, finding.counterexample) },
    };
  }
}

/** How much memory a crew takes, estimated: a copy of the history, and for each member its own parts and tables. */
function bytesForCrew({ columns, length }: History, members: number): number {
  return BYTES * length + members * (THREAD_BYTES + BYTES * length + Openings.bytesFor(columns));
}

/** The core of a counterexample, cut from its part again. */
function coreOf(history: History, { core, property, cause }: ToldCounterexample): History {
  const { columns } = history;
  const fault = history.positionsById()[cause.operation];
  const cut = property === 'safety' ? history.prefix(columns.return[fault]) : history;
  const kept = new Set(core);
  return kept.size === cut.length ? cut : cut.select((k) => kept.has(cut.columns.id[k]));
}
