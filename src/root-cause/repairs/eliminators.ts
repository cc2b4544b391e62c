/**
 * The smallest sets of segments of a trace that can not all be run without interruption.
 *
 *   B. Çirisci, C. Enea, A. Farzan, S. Mutluergil. Root causing linearizability violations. CAV 2020, §5.3 and §6.1.
 *
 * Let each operation be entered and left anywhere, against its own order too: a cycle of ways (conflict-paths.ts)
 * then says that what it enters before it leaves has come after what it leaves by. Where an
 * operation is left earlier than it was entered, the events from there to there are a *critical
 * segment*: if all critical segments of a cycle were uninterrupted, each would have to come before itself. So
 * such a set *eliminates* the trace and all that are equivalent to it. Cycles that visit
 * each thread at most once give all smallest sets: of those that visit one twice a part is a cycle that needs less.
 *
 * Cost: O(ways ^ threads), as many as there may be results; far less where a set that is known
 * is covered already half-way. Cut off after so many steps, and says so.
 */
import { type AccessEvent, type AccessTrace, conflicts, operationsOf } from './access-trace.js';
import { SmallestSets } from './repair.js';

/*
 * The ways from one operation of a trace to another by a conflict, or because it had returned before.
 *
 * A way leaves at an event and enters at one. To leave later and to enter earlier leaves less of both
 * operations between entering and leaving, so of the ways between two operations only those are
 * kept than which none is better in both: seldom more than one or two of many conflicts.
 *
 * Cost: O(events²).
 */

/** Events are counted inside of their operation. */
interface Way {
  readonly to: number;
  readonly exit: number;
  readonly entry: number;
}

/** Operation to the ways out of it. */
function waysOf(trace: AccessTrace): Way[][] {
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
  readonly #ways: readonly (readonly Way[])[];
  /** Operation to its thread; thread to its operations, in program order. */
  readonly #threadOf: number[] = [];
  readonly #operations: number[][] = [];
  readonly #found = new SmallestSets<Segment>(contains);
  #stepsLeft: number;
  /** The way by which the cycle left the operation that it began in. */
  #first = 0;
  #exit = 0;

  constructor(trace: AccessTrace, mostSteps: number) {
    this.#ways = waysOf(trace);
    this.#stepsLeft = mostSteps;
    for (const { operation, thread } of trace.events) {
      if (this.#threadOf[operation] !== undefined) continue;
      this.#threadOf[operation] = thread;
      this.#operations[thread] ??= [];
      this.#operations[thread].push(operation);
    }
  }

  /** Each cycle is begun in the lowest of its threads. */
  run(): Eliminators {
    this.#ways.forEach((ways, operation) => {
      this.#first = operation;
      for (const way of ways) {
        this.#exit = way.exit;
        if (this.#threadOf[way.to] > this.#threadOf[operation]) this.#enter(way, 0, []);
      }
    });
    return { sets: this.#found.sets, isCut: this.#stepsLeft < 0 };
  }

  /** The cycle has come to an operation, and goes on from there or from a later one of its thread. */
  #enter({ to, entry }: Way, visited: number, segments: readonly Segment[]): void {
    const thread = this.#threadOf[to];
    for (const operation of this.#operations[thread]) {
      if (operation < to) continue;
      for (const way of this.#ways[operation]) {
        if (--this.#stepsLeft < 0) return;
        const isCritical = operation === to && way.exit < entry;
        const now = isCritical ? [...segments, { operation, from: way.exit, to: entry }] : segments;
        const next = this.#threadOf[way.to];
        if (next === this.#threadOf[this.#first]) this.#close(way, now);
        else if (next > this.#threadOf[this.#first] && next !== thread && !(visited & (1 << next)))
          if (!this.#found.isCovered(now)) this.#enter(way, visited | (1 << thread), now);
      }
    }
  }

  #close({ to, entry }: Way, segments: readonly Segment[]): void {
    if (to > this.#first) return;
    const isCritical = to === this.#first && this.#exit < entry;
    this.#found.add(isCritical ? [...segments, { operation: to, from: this.#exit, to: entry }] : segments);
  }
}
