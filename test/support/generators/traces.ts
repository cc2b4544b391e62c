/** Access traces without a program: written as text, or random. */
import type { Random } from '../../../src/base/random.js';
import type { SourcePosition } from '../../../src/base/source-position.js';
import type { Block } from '../../../src/execution/atomic-blocks.js';
import type { AccessEvent, AccessTrace } from '../../../src/root-cause/repairs/access-trace.js';

/**
 * Reads a trace with one event on each line: `A0 w x` is a write of x in operation 0 of thread A. An operation is called
 * at its first event and returns after its last. The events of operation k have the source lines 100k + 1, 100k + 2, …
 */
export function drawnTrace(
  lines: readonly string[],
  { isTimed = true }: { readonly isTimed?: boolean } = {},
): AccessTrace {
  const locations = new Map<string, number>();
  const drawn: number[] = [];
  const events = lines.map((line) => {
    const [, thread, operation, kind, location] = /^(\w)(\d+) ([rw]) (\w+)$/.exec(line)!;
    if (!locations.has(location)) locations.set(location, locations.size);
    drawn[Number(operation)] = (drawn[Number(operation)] ?? 0) + 1;
    const site = 100 * Number(operation) + drawn[Number(operation)];
    return {
      thread: thread.charCodeAt(0) - 65,
      operation: Number(operation),
      location: locations.get(location)!,
      isChange: kind === 'w',
      levels: [{ frame: Number(operation), site, loops: [] }],
    };
  });
  return { events, returnedBefore: isTimed ? orderOf(events) : [] };
}

/** Two or three threads, up to ten events. */
export function randomTrace(random: Random): AccessTrace {
  const threads = 2 + random.below(2);
  let operations = 0;
  const left = Array.from({ length: threads }, () =>
    Array.from({ length: 1 + random.below(2) }, () => ({
      operation: operations++,
      events: 1 + random.below(3),
    })),
  );
  const lines: string[] = [];
  for (let open = left.filter((own) => own.length > 0); open.length > 0 && lines.length < 10; ) {
    const own = random.pick(open);
    const thread = 'ABC'[left.indexOf(own)];
    lines.push(`${thread}${own[0].operation} ${random.pick(['r', 'w'])} ${random.pick(['x', 'y', 'z'])}`);
    if (--own[0].events === 0) own.shift();
    open = left.filter((other) => other.length > 0);
  }
  return drawnTrace(lines, { isTimed: random.below(2) === 0 });
}

function orderOf(events: readonly AccessEvent[]): number[] {
  const returnedBefore: number[] = [];
  let returned = 0;
  events.forEach(({ operation }, i) => {
    returnedBefore[operation] ??= returned;
    if (!events.slice(i + 1).some((later) => later.operation === operation)) returned |= 1 << operation;
  });
  return returnedBefore;
}

/** A source file with one site on each line. */
export const linePlace = (site: number): SourcePosition => ({ file: 'drawn', line: site, column: 1 });

export const lines = (first: number, last: number): Block => ({
  file: 'drawn',
  start: { line: first, column: 1 },
  end: { line: last, column: 1 },
});
