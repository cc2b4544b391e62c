/**
 * Data races: two threads are about to access one location, at least one of them writes, and at least one access is plain,
 * that is not atomic. So an atomic store races with a plain read (ECMA-262, 29.10: data races). Locks touch no data.
 *
 * Each step is compared with what the other threads have announced. Whether an access writes is known only when it is done: a
 * failed compare-and-set reads, and so does, here, each update that changes nothing. So if a read comes first, it is kept until the other access is done, or another
 * step writes the location. An exploration of all schedules finds all races, also with one schedule of each equivalence class,
 * and each one found is real.
 *
 * Without such races, weaker memory models show threads the same behaviour (S. Adve, M. Hill. Weak ordering: a new definition.
 * ISCA 1990). With races, real threads may show behaviour that is not explored.
 *
 * Cost: O(threads) a step. A proof takes all steps of each state, and compares them: O(threads² calls²) a state.
 */

import { relative } from 'node:path';
import { lowestBit } from '../../base/collections/ints.js';
import type { SourcePosition } from '../../base/source-position.js';
import type { Execution } from '../../execution/execution.js';
import {
  type Access,
  kindOf,
  locationOf,
  NO_DATA,
  PLAIN_DATA,
  UPDATE,
  VERBS,
  WRITE,
} from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { HappensBefore } from './happens-before.js';

/*
 * Checks executions for conflict serializability: is there a sequential execution of the operations in which all
 * conflicting accesses keep their order?
 *
 * Atomicity checkers ask this question (A. Farzan, P. Madhusudan. Monitoring atomicity in concurrent programs. CAV
 * 2008), and Line-Up compares itself with them (PLDI 2010, section 5.6). An object may be linearizable although few of
 * its executions are serializable in this sense. So these are warnings, not violations.
 *
 * Operations are nodes. An edge leads from one to another if a step of the first conflicts with a later step of the
 * second, or if both belong to one thread. A cycle gives a warning. Cost: O(steps²) an execution.
 */

export interface Warnings {
  /** Executions that were checked, and those that are not serializable. */
  readonly executions: number;
  readonly unserializable: number;
  /** Pairs of methods that are on a cycle, as texts. */
  readonly pairs: readonly string[];
}

/** The warnings of several tests in one. */
export function allWarnings(list: readonly Warnings[]): Warnings | undefined {
  if (list.length === 0) return undefined;
  const sum = (of: 'executions' | 'unserializable') => list.reduce((total, one) => total + one[of], 0);
  return {
    executions: sum('executions'),
    unserializable: sum('unserializable'),
    pairs: [...new Set(list.flatMap(({ pairs }) => pairs))].sort(),
  };
}

export class Atomicity {
  #executions = 0;
  #unserializable = 0;
  readonly #pairs = new Set<string>();

  get warnings(): Warnings {
    return {
      executions: this.#executions,
      unserializable: this.#unserializable,
      pairs: [...this.#pairs].sort(),
    };
  }

  /** Checks an execution that has finished. */
  look({ calls, memory }: Execution, steps: HappensBefore): void {
    this.#executions++;
    const after = edgesOf(calls.length, steps, memory);
    const cyclic = onCycles(after);
    if (cyclic !== 0) this.#unserializable++;
    for (let rest = cyclic; rest !== 0; rest &= rest - 1)
      for (let next = after[lowestBit(rest)] & cyclic; next !== 0; next &= next - 1)
        this.#pairs.add([calls[lowestBit(rest)].method, calls[lowestBit(next)].method].sort().join(' and '));
  }
}

/** Operation to the operations that must come after it, as bits. */
function edgesOf(operations: number, steps: HappensBefore, memory: Memory): Int32Array {
  const { operation, thread, location, kind, length } = steps;
  const after = new Int32Array(operations);
  for (let e = 0; e < length; e++)
    for (let x = 0; x < e; x++) {
      if (operation[x] === operation[e]) continue;
      const areSome = location[e] >= 0 && location[x] >= 0 && memory.overlap(location[x], location[e]);
      const conflict = areSome && steps.conflict(kind[x], kind[e]);
      if (conflict || thread[x] === thread[e]) after[operation[x]] |= 1 << operation[e];
    }
  return after;
}

/** The nodes on cycles, or between two cycles: nodes without a successor or a predecessor are removed repeatedly. */
function onCycles(after: Int32Array): number {
  let left = 2 ** after.length - 1;
  for (let before = 0; before !== left; ) {
    before = left;
    let reached = 0;
    for (let rest = left; rest !== 0; rest &= rest - 1) {
      const k = lowestBit(rest);
      if ((after[k] & left) === 0) left &= ~(1 << k);
      else reached |= after[k];
    }
    left &= reached;
  }
  return left;
}

/** An access to data that a thread has announced or done. */
export interface DataAccess {
  readonly site: number;
  readonly kind: number;
  readonly data: number;
  readonly location: number;
}

type Race = readonly [DataAccess, DataAccess];

/** The races that were found, by the sites of both accesses. */
class RaceSet {
  readonly #seen = new Map<string, Race>();

  get all(): Race[] {
    return [...this.#seen.values()];
  }

  add(one: DataAccess, other: DataAccess): void {
    const [a, b] = one.site <= other.site ? [one, other] : [other, one];
    const key = `${a.site} ${b.site}`;
    if (!this.#seen.has(key)) this.#seen.set(key, [a, b]);
  }
}

/** Compares the steps that different threads take from one state, for searches that take all of them. */
export class StateRaces extends RaceSet {
  readonly #steps: { readonly thread: number; readonly access: DataAccess }[] = [];

  /** The next steps start in another state. */
  begin(): void {
    this.#steps.length = 0;
  }

  did(thread: number, access: DataAccess, memory: Memory): void {
    if (access.data === NO_DATA) return;
    for (const other of this.#steps)
      if (other.thread !== thread && areRacing(access, other.access, memory)) this.add(access, other.access);
    this.#steps.push({ thread, access });
  }
}

function areRacing(one: DataAccess, other: DataAccess, memory: Memory): boolean {
  if (!hasPlain(one, other) || !(writes(one.kind) || writes(other.kind))) return false;
  return memory.overlap(one.location, other.location);
}

/** Looks at each step of an execution. */
export class DataRaces extends RaceSet {
  readonly #execution: Execution;
  /** Thread to what was read at the location of its announced write, since that was written last. */
  readonly #reads: DataAccess[][];
  /** The number of the execution. */
  #current = -1;

  constructor(execution: Execution) {
    super();
    this.#execution = execution;
    this.#reads = Array.from({ length: execution.threads }, () => []);
    execution.onStep = (thread, announced, site, data) => this.#look(thread, announced, site, data);
  }

  #look(thread: number, announced: Access, site: number, data: number): void {
    if (data === NO_DATA) return;
    const { kind, threads } = this.#execution;
    this.#forgetEarlier();
    const own = { site, kind, data, location: locationOf(announced) };
    const reads = this.#reads[thread];
    if (writes(kind)) for (const read of reads) this.add(own, read);
    reads.length = 0;
    for (let other = 0; other < threads; other++) if (other !== thread) this.#compare(own, other);
  }

  /** Reads of earlier executions do not count. */
  #forgetEarlier(): void {
    const { execution } = this.#execution.memory;
    if (execution === this.#current) return;
    this.#current = execution;
    for (const reads of this.#reads) reads.length = 0;
  }

  /** Compares what a thread has done with what another could have done instead. */
  #compare(own: DataAccess, thread: number): void {
    const { announced, sites, data, memory } = this.#execution;
    if (data[thread] === NO_DATA || !memory.overlap(own.location, locationOf(announced[thread]))) return;
    const other = { site: sites[thread], kind: kindOf(announced[thread]), data: data[thread], location: -1 };
    const isOpen = hasPlain(own, other) && !this.#execution.isHeldBack(thread);
    if (!writes(own.kind)) {
      if (isOpen && writes(other.kind)) this.#reads[thread].push(own);
      return;
    }
    if (isOpen) this.add(own, other);
    this.#reads[thread].length = 0;
  }
}

const writes = (kind: number): boolean => kind === WRITE || kind === UPDATE;

const hasPlain = (one: DataAccess, other: DataAccess): boolean =>
  one.data === PLAIN_DATA || other.data === PLAIN_DATA;

/* Races with their positions in the source. */

interface RacePlace extends SourcePosition {
  /** `reads`, `writes`, `updates` … */
  readonly access: string;
}

export interface RacePlaces {
  /** The field, variable or method; empty where it is computed. */
  readonly name: string;
  readonly places: readonly [RacePlace, RacePlace];
}

export function placesOf(races: readonly Race[]): RacePlaces[] {
  return races.map(([one, other]) => ({
    name: runtime.sites.names[one.site] || (runtime.sites.names[other.site] ?? ''),
    places: [placeOf(one), placeOf(other)],
  }));
}

function placeOf({ site, kind }: DataAccess): RacePlace {
  const { file, line, column } = runtime.sites.placeOf(site);
  return { file: relative('.', file), line, column, access: VERBS[kind] };
}
