/**
 * The repairs of all violations that are known so far.
 *
 * Many traces have equal repairs and count once. A violation without any repair is equivalent to a sequential run, as far as its
 * accesses are recorded: no block helps.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { type Block, comparePoints, roundOf } from '../../execution/atomic-blocks.js';
import type { Level } from '../../execution/memory/call-frames.js';
import { type AccessEvent, type AccessTrace, areOneTurn, conflicts, operationsOf } from './access-trace.js';
import { combine, merged, type Repair, repairKey, SmallestSets } from './repair.js';

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
  /** Is there a trace whose repairs all have a segment without a position in the source? */
  isUnplaced = false;
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
    this.isUnplaced ||= sets.length > 0 && repairs.length === 0;
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

// Eliminators: the smallest sets of segments of a trace such that the trace is impossible if all of them are atomic.
//
// B. Çirisci, C. Enea, A. Farzan, S. Mutluergil. Root causing linearizability violations. CAV 2020, §5.3 and §6.1.
//
// A *path* leads from an event of one operation to a later event of another operation, by a conflict or by real time.
// Consider a cycle of paths through several operations. It enters each operation at one event and leaves it, or a later
// operation of the same thread, at another. If it leaves an operation at an earlier event than it enters it, the events
// from the one to the other are a *critical segment*, unless they are atomic already: asynchronous code runs alone
// between two awaits. If all critical segments of a cycle were atomic, each would have
// to come before itself. So such a set *eliminates* the trace and all equivalent traces. Cycles that visit each thread
// at most once give all smallest sets: a cycle that visits a thread twice contains a cycle that needs fewer segments.
//
// Cost: O(paths ^ threads), because there may be as many results; far less if the segments of a partial cycle already
// contain a known set. The enumeration stops after a limited number of steps (`isCut`).

/**
 * A path from one operation to another, by a conflict or by real time. It leaves one operation at an event (`exit`) and enters another
 * (`entry`). Events are counted inside their operation.
 */
interface Path {
  readonly to: number;
  readonly exit: number;
  readonly entry: number;
}

/**
 * Operation to the paths out of it. A later exit and an earlier entry make the critical segments of both operations shorter. So a path
 * is omitted if another one between the same operations has no earlier exit and no later entry. Of many conflicts, one or two paths
 * usually remain. Cost: O(events²).
 */
function pathsOf(trace: AccessTrace): Path[][] {
  const operations = operationsOf(trace);
  const order = new Map(trace.events.map((event, i) => [event, i]));
  const isBefore = (a: AccessEvent, b: AccessEvent): boolean => order.get(a)! < order.get(b)!;
  return operations.map((own, from) =>
    operations.flatMap((other, to) => {
      if (own.length === 0 || other.length === 0 || own[0].thread === other[0].thread) return [];
      if (trace.returnedBefore[to] & (1 << from)) return [{ to, exit: own.length - 1, entry: 0 }];
      return best(own, other, isBefore).map(([exit, entry]) => ({ to, exit, entry }));
    }),
  );
}

/** The latest exit for each entry that is earlier than those of all later exits. */
function best(
  own: readonly AccessEvent[],
  other: readonly AccessEvent[],
  isBefore: (a: AccessEvent, b: AccessEvent) => boolean,
): [exit: number, entry: number][] {
  const kept: [number, number][] = [];
  let earliest = other.length;
  for (let exit = own.length - 1; exit >= 0 && earliest > 0; exit--)
    for (let entry = 0; entry < earliest; entry++) {
      if (!conflicts(own[exit], other[entry]) || !isBefore(own[exit], other[entry])) continue;
      kept.push([exit, entry]);
      earliest = entry;
    }
  return kept;
}

/** Events of an operation, from one to another. */
export interface Segment {
  readonly operation: number;
  readonly from: number;
  readonly to: number;
}

interface Eliminators {
  readonly sets: readonly (readonly Segment[])[];
  /** Was the enumeration cut off, so that some may be missing? */
  readonly isCut: boolean;
}

const MOST_STEPS = 1_000_000;

export function eliminatorsOf(trace: AccessTrace, mostSteps: number = MOST_STEPS): Eliminators {
  return new Cycles(trace, mostSteps).run();
}

const contains = (segment: Segment, other: Segment): boolean =>
  segment.operation === other.operation && segment.from <= other.from && other.to <= segment.to;

class Cycles {
  readonly #events: readonly (readonly AccessEvent[])[];
  readonly #paths: readonly (readonly Path[])[];
  /** Operation to its thread; thread to its operations, in program order. */
  readonly #threadOf: number[] = [];
  readonly #operations: number[][] = [];
  readonly #found = new SmallestSets<Segment>(contains);
  #stepsLeft: number;
  /** The operation in which the cycle starts, and the event at which it leaves it. */
  #first = 0;
  #exit = 0;

  constructor(trace: AccessTrace, mostSteps: number) {
    this.#events = operationsOf(trace);
    this.#paths = pathsOf(trace);
    this.#stepsLeft = mostSteps;
    for (const { operation, thread } of trace.events) {
      if (this.#threadOf[operation] !== undefined) continue;
      this.#threadOf[operation] = thread;
      this.#operations[thread] ??= [];
      this.#operations[thread].push(operation);
    }
  }

  /** Each cycle starts in the lowest of its threads. */
  run(): Eliminators {
    this.#paths.forEach((paths, operation) => {
      this.#first = operation;
      for (const path of paths) {
        this.#exit = path.exit;
        if (this.#threadOf[path.to] > this.#threadOf[operation]) this.#enter(path, 0, []);
      }
    });
    return { sets: this.#found.sets, isCut: this.#stepsLeft < 0 };
  }

  /** The cycle has reached an operation, and continues from it or from a later one of its thread. */
  #enter({ to, entry }: Path, visited: number, segments: readonly Segment[]): void {
    const thread = this.#threadOf[to];
    for (const operation of this.#operations[thread]) {
      if (operation < to) continue;
      for (const path of this.#paths[operation]) {
        if (--this.#stepsLeft < 0) return;
        const isCritical = operation === to && this.#isCritical(to, path.exit, entry);
        const now = isCritical ? [...segments, { operation, from: path.exit, to: entry }] : segments;
        const next = this.#threadOf[path.to];
        if (next === this.#threadOf[this.#first]) this.#close(path, now);
        else if (next > this.#threadOf[this.#first] && next !== thread && !(visited & (1 << next)))
          if (!this.#found.isCovered(now)) this.#enter(path, visited | (1 << thread), now);
      }
    }
  }

  #close({ to, entry }: Path, segments: readonly Segment[]): void {
    if (to > this.#first) return;
    const isCritical = to === this.#first && this.#isCritical(to, this.#exit, entry);
    const all = isCritical ? [...segments, { operation: to, from: this.#exit, to: entry }] : segments;
    if (all.length > 0) this.#found.add(all);
  }

  #isCritical(operation: number, exit: number, entry: number): boolean {
    const events = this.#events[operation];
    return exit < entry && !areOneTurn(events[exit], events[entry]);
  }
}
