/**
 * The block of source of a segment of a trace.
 *
 * It lies in the innermost function that contains the whole segment: from the first to the last position at which that function made
 * an access, or a call that led to one. If the segment continues in another iteration of a loop, or after it, the block starts where
 * the loop does; otherwise it would be left in between.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { type Block, comparePoints, roundOf } from '../../execution/atomic-blocks.js';
import type { Level } from '../../execution/memory/call-frames.js';
import type { AccessEvent } from './access-trace.js';

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
