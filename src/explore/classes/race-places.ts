/** Races by their places in the source. */

import { relative } from 'node:path';
import type { Place } from '../../base/source-position.js';
import { VERBS } from '../../execution/memory/access.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { Race } from './data-races.js';

export interface RacePlace extends Place {
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
