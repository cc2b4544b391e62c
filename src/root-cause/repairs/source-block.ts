/**
 * The block of source that a segment of a trace was a run of.
 *
 * It lies in the innermost function in which all of the segment happened: from the first place to the
 * last one at which that function made an access, or a call that led to one. If the segment goes on into another
 * round of a loop, or out of it, the block begins where the loop does: only so is it not left in between.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { type Block, comparePoints, roundOf } from '../../execution/atomic-blocks.js';
import type { Level } from '../../execution/memory/call-frames.js';
import type { AccessEvent } from './access-trace.js';

export type PlaceOf = (site: number) => SourcePosition;

export function sourceBlock(events: readonly AccessEvent[], placeOf: PlaceOf): Block {
  const depth = commonDepth(events[0].levels, events[events.length - 1].levels);
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

/** The depth of the innermost frame that two accesses were made in. */
function commonDepth(a: readonly Level[], b: readonly Level[]): number {
  let depth = 0;
  while (depth + 1 < Math.min(a.length, b.length) && a[depth + 1].frame === b[depth + 1].frame) depth++;
  return depth;
}

/** The loops that a frame was not in one round of all the time. */
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
