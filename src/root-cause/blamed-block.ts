/**
 * What reports say about a block: the methods that run it, whether it is all that they do, and the accesses of other threads between
 * its first and its last access. And what ran after its call had returned, which belongs to no block.
 *
 * The `levels` of an access are the positions of the functions that were making it, the outermost first. A *pass* is one time that a
 * call runs a block (`Blocks.runOf`); in a loop, there is one for each iteration.
 */
import type { SourcePosition } from '../base/source-position.js';
import { type Block, Blocks, NO_RUN } from '../execution/atomic-blocks.js';
import { READ } from '../execution/memory/access.js';
import type { LocationName } from '../execution/memory/locations.js';
import type { Trace, TraceStep } from '../explore/model/trace-types.js';
import { type AccessTrace, accessesOf, operationsOf } from './repairs/access-trace.js';
import type { PlaceOf } from './repairs/causes.js';
import type { Repair } from './repairs/repair.js';

/** Accesses of other threads inside a pass of a block. */
export interface Interruption {
  /** The steps of the block around them; if possible, two that they conflict with. */
  readonly first: TraceStep;
  readonly last: TraceStep;
  /** Steps of other threads that conflict with one of the block: those that change something, if any do. */
  readonly by: readonly TraceStep[];
}

export function interruptions(trace: Trace, repair: Repair, placeOf: PlaceOf): Interruption[] {
  const blocks = new Blocks(repair, placeOf);
  const all = accessesOf(trace);
  const passes = new Map<string, number[]>();
  all.forEach(({ levels }, i) => {
    const pass = blocks.runOf(levels);
    if (pass !== NO_RUN) passes.set(pass, [...(passes.get(pass) ?? []), i]);
  });
  return [...passes.values()]
    .map((places) => {
      const own = places.map((place) => all[place]);
      const between = range(places[0], places[places.length - 1]).filter((place) =>
        own.some((other) => conflict(all[place], other)),
      );
      const changes = between.filter((place) => all[place].kind !== READ);
      return { places, by: changes.length > 0 ? changes : between };
    })
    .filter(({ by }) => by.length > 0)
    .map(({ places, by }) => {
      const isTouched = (place: number) => by.some((other) => conflict(all[other], all[place]));
      const before = places.filter((place) => place < by[0]);
      const after = places.filter((place) => place > by[by.length - 1]);
      return {
        first: all[before.findLast(isTouched) ?? before[before.length - 1]],
        last: all[after.find(isTouched) ?? after[0]],
        by: by.map((place) => all[place]),
      };
    });
}

function conflict(a: TraceStep, b: TraceStep): boolean {
  const [one, other] = [a.location, b.location];
  return (
    a.thread !== b.thread &&
    one !== undefined &&
    other !== undefined &&
    areOverlapping(one, other) &&
    !(a.kind === READ && b.kind === READ)
  );
}

function areOverlapping(one: LocationName, other: LocationName): boolean {
  if (one.extent === 'everything' || other.extent === 'everything') return true;
  if (one.thread !== other.thread || one.number !== other.number) return false;
  return one.field === other.field || one.extent === 'whole' || other.extent === 'whole';
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

export interface BlamedBlock extends Block {
  readonly methods: readonly string[];
  /** Does it contain every access of each call of these methods? */
  readonly isWhole: boolean;
  /** If the file belongs to a package: where the user's own files call it. */
  readonly calledAt?: SourcePosition | undefined;
}

/** Traces of a test, and its calls. */
export interface TracedTest {
  readonly traces: readonly AccessTrace[];
  readonly calls: readonly { readonly method: string }[];
}

export function blamed(block: Block, tests: readonly TracedTest[], placeOf: PlaceOf): BlamedBlock {
  const blocks = new Blocks([block], placeOf);
  const methods = new Set<string>();
  let isWhole = true;
  let calledAt: SourcePosition | undefined;
  for (const { traces, calls } of tests)
    for (const trace of traces)
      operationsOf(trace).forEach((events, operation) => {
        const passes = events.map(({ levels }) => blocks.runOf(levels));
        const inside = events.find((_, i) => passes[i] !== NO_RUN);
        if (inside === undefined) return;
        methods.add(calls[operation].method);
        if (passes.some((pass) => pass !== passes[0])) isWhole = false;
        calledAt ??= inside.levels
          .map(({ site }) => placeOf(site))
          .findLast(({ file }) => !isOfPackage(file));
      });
  return {
    ...block,
    methods: [...methods].sort(),
    isWhole: isWhole && methods.size > 0,
    ...(isOfPackage(block.file) && { calledAt }),
  };
}

export const isOfPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file);

/** What ran after the call that had set it up, such as a timer, and where that was set up. */
export interface LeftBehind {
  readonly operation: number;
  readonly task: { readonly does: string; readonly place: string };
}

/** Async: the first task of a call that had returned before it ran. */
export function leftBehind({ steps, endOf }: Trace): LeftBehind | undefined {
  const step = steps.find(
    ({ task, operation }, i) => task !== undefined && task.place !== '' && (endOf[operation] ?? i) < i,
  );
  return step?.task && { operation: step.operation, task: step.task };
}
