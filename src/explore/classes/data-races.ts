/**
 * Data races: two enabled threads have announced plain accesses to one location, and at least one of them is not a read.
 * Accesses by a lock or an atomic are not plain.
 *
 * Every state is checked for such a pair. An exploration of all states finds all races, and each one found is real. Without
 * races, weaker memory models show threads the same behaviour (S. Adve, M. Hill. Weak ordering: a new definition. ISCA
 * 1990). With races, real threads may show behaviour that is not explored.
 *
 * Cost: O(threads²) a state.
 */

import { relative } from 'node:path';
import { lowestBit } from '../../base/collections/ints.js';
import type { SourcePosition } from '../../base/source-position.js';
import type { Execution } from '../../execution/execution.js';
import { kindOf, locationOf, READ, VERBS } from '../../execution/memory/access.js';
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

/** The sites and the kinds of the two accesses. */
interface Race {
  readonly sites: readonly [number, number];
  readonly kinds: readonly [number, number];
}

export class DataRaces {
  readonly #execution: Execution;
  /** By the sites of both. */
  readonly #seen = new Map<string, Race>();

  constructor(execution: Execution) {
    this.#execution = execution;
    execution.onEnabled = (enabled) => this.#look(enabled);
  }

  get all(): Race[] {
    return [...this.#seen.values()];
  }

  #look(enabled: number): void {
    const { announced, isPlain, threads, memory } = this.#execution;
    for (let one = 0; one < threads; one++) {
      if (isPlain[one] === 0 || !(enabled & (1 << one))) continue;
      for (let other = one + 1; other < threads; other++)
        if (
          isPlain[other] === 1 &&
          enabled & (1 << other) &&
          areRacing(memory, announced[one], announced[other])
        )
          this.#add(one, other);
    }
  }

  #add(one: number, other: number): void {
    const { sites, announced } = this.#execution;
    const [a, b] = sites[one] <= sites[other] ? [one, other] : [other, one];
    const key = `${sites[a]} ${sites[b]}`;
    if (this.#seen.has(key)) return;
    this.#seen.set(key, {
      sites: [sites[a], sites[b]],
      kinds: [kindOf(announced[a]), kindOf(announced[b])],
    });
  }
}

function areRacing(memory: Memory, one: number, other: number): boolean {
  if (kindOf(one) === READ && kindOf(other) === READ) return false;
  return memory.overlap(locationOf(one), locationOf(other));
}

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
  return races.map(({ sites: [one, other], kinds }) => ({
    name: runtime.sites.names[one] || (runtime.sites.names[other] ?? ''),
    places: [placeOf(one, kinds[0]), placeOf(other, kinds[1])],
  }));
}

function placeOf(site: number, kind: number): RacePlace {
  const { file, line, column } = runtime.sites.placeOf(site);
  return { file: relative('.', file), line, column, access: VERBS[kind] };
}
