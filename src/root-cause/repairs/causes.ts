/**
 * The repairs of all violations that are known so far.
 *
 * Many traces have equal repairs and count once. A violation without any repair is equivalent to a sequential run: the object is
 * incorrect without concurrency, and no block helps.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { type Block, comparePoints, roundOf } from '../../execution/atomic-blocks.js';
import type { Level } from '../../execution/memory/call-frames.js';
import { type AccessEvent, type AccessTrace, operationsOf } from './access-trace.js';
import { eliminatorsOf } from './eliminators.js';
import { combine, merged, type Repair, repairKey } from './repair.js';

/*
 * The block of source of a segment of a trace.
 *
 * It lies in the innermost function that contains the whole segment: from the first to the last position at which that function made
 * an access, or a call that led to one. If the segment continues in another iteration of a loop, or after it, the block starts where
 * the loop does; otherwise it would be left in between.
 */

export type PlaceOf = (site: number) => SourcePosition;

/** Events without a position do not count: the start of an asynchronous call has none. Undefined if no event has one. */
export function sourceBlock(segment: readonly AccessEvent[], placeOf: PlaceOf): Block | undefined {
  const events = segment.filter(({ levels }) => levels.length > 0);
  if (events.length === 0) return undefined;
  const depth = commonDepth(events);
  const levels = events.map((event) => event.levels[depth]);
  const sites = new Set(levels.map(({ site }) => site));
  for (const loop of crossedLoops(levels, placeOf)) sites.add(loop);
  const places = Array.from(sites, placeOf).sort(comparePoints);
  const { line, column } = places[places.length - 1];
  return {
    file: places[0].file,
    start: { line: places[0].line, column: places[0].column },
    end: { line, column },
  };
}

/** The depth of the innermost frame that all events were made in. */
function commonDepth([{ levels: first }, ...others]: readonly AccessEvent[]): number {
  let depth = 0;
  const isCommon = ({ levels }: AccessEvent): boolean =>
    levels.at(depth + 1)?.frame === first[depth + 1].frame;
  while (depth + 1 < first.length && others.every(isCommon)) depth++;
  return depth;
}

/** The loops of which the frame ran more than one iteration. */
function crossedLoops(levels: readonly Level[], placeOf: PlaceOf): number[] {
  const last = levels[levels.length - 1];
  const roundAt = ({ loops, site }: Level, loop: number, body: number): number => {
    const count = loops.find((one) => one.loop === loop) ?? { loop, body, rounds: 0 };
    return roundOf(count, site, placeOf);
  };
  return last.loops
    .filter(({ loop, body }) => {
      const end = roundAt(last, loop, body);
      return levels.some((level) => roundAt(level, loop, body) !== end);
    })
    .map(({ loop }) => loop);
}

export class Causes {
  /** Was an enumeration cut off? */
  isCut = false;
  /** Is there a trace that no repair eliminates? */
  isBeyondRepair = false;
  readonly #placeOf: PlaceOf;
  /** The repairs of each trace, by their keys. */
  readonly #repairs = new Map<string, readonly Repair[]>();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** The number of traces with different repairs. */
  get different(): number {
    return this.#repairs.size;
  }

  /** Adds a trace. Does it have other repairs than those before, the same, or none? */
  add(trace: AccessTrace): 'new' | 'known' | 'none' {
    const { sets, isCut } = eliminatorsOf(trace);
    const operations = operationsOf(trace);
    const repairs = sets.flatMap((segments) => {
      const blocks = segments.map(({ operation, from, to }) =>
        sourceBlock(operations[operation].slice(from, to + 1), this.#placeOf),
      );
      return blocks.every((block) => block !== undefined) ? [merged(blocks)] : [];
    });
    this.isCut ||= isCut;
    this.isBeyondRepair ||= sets.length === 0 && !isCut;
    const key = [...new Set(repairs.map(repairKey))].sort().join('\n');
    if (repairs.length === 0) return 'none';
    if (this.#repairs.has(key)) return 'known';
    this.#repairs.set(key, repairs);
    return 'new';
  }

  /** Repairs of all traces. */
  combined(): readonly Repair[] {
    if (this.#repairs.size === 0) return [];
    const { repairs, isCut } = combine([...this.#repairs.values()]);
    this.isCut ||= isCut;
    return repairs;
  }

  /** Repairs of single traces. */
  single(): Repair[] {
    return [...new Map([...this.#repairs.values()].flat().map((one) => [repairKey(one), one])).values()];
  }
}
