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
import type { SourcePosition } from '../../base/source-position.js';
import type { Execution } from '../../execution/execution.js';
import { kindOf, locationOf, READ, VERBS } from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import { runtime } from '../../instrument/runtime/runtime.js';

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
