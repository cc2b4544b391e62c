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
import { type History, share } from '../../history/index.js';
import type { SearchName } from '../algorithms.js';
import type { Budget } from '../budget.js';
import type { Finding } from '../part-check.js';
import type { Part } from '../parts.js';
import { Openings } from '../searches/openings.js';
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

/** What there is to do. */
interface Work {
  readonly whole: History;
  readonly parts: readonly Part[];
  readonly algorithm: readonly SearchName[];
  readonly budget: Budget;
}

/** Most checks are over before this; to begin costs about as much. */
const PATIENCE = 400;
/** Bytes an operation of a history, or of all its parts. */
const BYTES = 50;
const RIVALS: readonly SearchName[] = ['jit-breadth', 'wg-graph', 'jit-tree'];

export class Crew {
  readonly findings: (Finding | undefined)[];
  readonly #options: CrewOptions;
  readonly #work: Work;
  readonly #control = new Int32Array(new SharedArrayBuffer(16));
  readonly #beginAt: number;
  #members: { worker: Worker; port: MessagePort }[] | undefined;
  #left = 0;
  #isViolated = false;

  constructor(options: CrewOptions, work: Work) {
    this.#options = options;
    this.#work = work;
    this.#beginAt = performance.now() + (work.algorithm.length > 1 ? 0 : PATIENCE);
    this.findings = work.parts.map(() => undefined);
    this.#control[CONTROL.current] = -1;
  }

  /** A part that nobody has begun; -1 when there is none, or need be none. */
  next(): number {
    if (this.#isViolated) return -1;
    const number = Atomics.add(this.#control, CONTROL.next, 1);
    const isOne = number < this.#work.parts.length;
    Atomics.store(this.#control, CONTROL.current, isOne ? number : -1);
    return isOne ? number : -1;
  }

  /** Asked while the check searches a part: has somebody found out enough? */
  overtakes(number: number): boolean {
    if (!this.#members && performance.now() > this.#beginAt) this.#begin();
    this.#hear();
    return this.findings[number] !== undefined || this.#isViolated;
  }

  note(number: number, finding: Finding | 'overtaken'): void {
    if (finding === 'overtaken' || this.findings[number]) return;
    this.findings[number] = finding;
    this.#isViolated ||= finding.kind === 'none';
  }

  /** Waits for the members; then, the parts that still need a finding. */
  rest(): number[] {
    while (this.#members && this.#left < this.#members.length && !this.#isViolated) {
      if (!this.findings.includes(undefined)) break;
      Atomics.wait(this.#control, CONTROL.messages, this.#control[CONTROL.messages], 20);
      this.#hear();
    }
    if (this.#isViolated) return [];
    return this.findings.flatMap((finding, number) => (finding === undefined ? [number] : []));
  }

  dismiss(): void {
    Atomics.store(this.#control, CONTROL.stop, 1);
    for (const { worker, port } of this.#members ?? []) {
      port.close();
      void worker.terminate();
    }
  }

  #begin(): void {
    this.#members = [];
    const { whole, algorithm, budget } = this.#work;
    const rivals = algorithm.length > 1 ? algorithm.slice(1) : RIVALS;
    const others = this.#options.jobs - 1;
    if (!budget.affordsMore(bytesForCrew(whole, others))) return;
    const history = share(whole);
    for (let member = 0; member < others; member++) {
      const { port1, port2 } = new MessageChannel();
      const assignment: Assignment = {
        history,
        module: String(this.#options.module),
        data: this.#options.data,
        control: this.#control,
        port: port2,
        algorithm,
        rivals: rivals.filter((_, i) => i % others === member),
        share: budget.shareOf(this.#options.jobs),
      };
      try {
        const worker = new Worker(new URL('./member.js', import.meta.url), {
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
        else if (this.findings[report.part] === undefined) {
          this.note(report.part, this.#findingOf(report.part, report.finding));
          this.#work.budget.add(report);
        }
      }
  }

  #findingOf(number: number, finding: ToldFinding): Finding {
    if (finding.kind !== 'none') return finding;
    const { history } = this.#work.parts[number];
    return {
      kind: 'none',
      counterexample: { ...finding.counterexample, core: coreOf(history, finding.counterexample) },
    };
  }
}

/** How much memory a crew takes, estimated: a copy of the history, and for each member its own parts and tables. */
function bytesForCrew({ columns, length }: History, members: number): number {
  return BYTES * length + members * (BYTES * length + Openings.bytesFor(columns));
}

/** The core of a counterexample, cut from its part again. */
function coreOf(history: History, { core, property, cause }: ToldCounterexample): History {
  const { columns } = history;
  const fault = history.positionsById()[cause.operation];
  const cut = property === 'safety' ? history.prefix(columns.return[fault]) : history;
  const kept = new Set(core);
  return kept.size === cut.length ? cut : cut.select((k) => kept.has(cut.columns.id[k]));
}
