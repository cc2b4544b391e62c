/**
 * Histories as a simulated concurrent system would record them.
 *
 * Each of 8 processes calls, takes effect at a later tick, and returns at a later
 * one still; which process goes next is drawn from a seed. So the history is
 * linearizable. The violating variant changes the result of one late read to a
 * value that was never written.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A map by its number of keys; a `register` is written a new value each time, without cas. */
export type ObjectName = 'register' | 'cas-register' | 'map-100' | 'map-1000';

export interface Line {
  process: string;
  method: string;
  args: unknown[];
  result: unknown;
  call: number;
  return: number;
}

/** An operation, when it is called and again when it returns. */
export interface Moment {
  readonly isCall: boolean;
  readonly line: Line;
}

const PROCESSES = 8;
const VALUES = 5;

/** In our format: a line for each operation, as they return. */
export function* workload(object: ObjectName, operations: number, violating: boolean): Generator<string> {
  for (const { isCall, line } of simulate(object, operations, violating))
    if (!isCall) yield `${JSON.stringify(line)}\n`;
}

export function* simulate(
  object: ObjectName,
  operations: number,
  violating: boolean,
  seed = 1,
): Generator<Moment> {
  const generator = xoroshiro128plus(seed);
  const below = (n: number) => (generator.next() >>> 0) % n;
  const cells = new Map<number, number>();
  const running: ({ line: Line; key: number; done: boolean } | undefined)[] = Array.from({
    length: PROCESSES,
  });
  let time = 0;
  let called = 0;
  let broken = !violating;
  for (let returned = 0; returned < operations; time++) {
    const p = below(PROCESSES);
    const own = running[p];
    if (!own) {
      if (called === operations) continue;
      called++;
      const keys = keysOf(object);
      const key = keys > 0 ? below(keys) : 0;
      const line = drawCall(object, key, below, `p${p}`, time);
      running[p] = { line, key, done: false };
      yield { isCall: true, line };
    } else if (!own.done) {
      own.line.result = takeEffect(own.line, own.key, cells);
      own.done = true;
    } else {
      own.line.return = time;
      if (!broken && returned > 0.9 * operations && /read|get/.test(own.line.method)) {
        own.line.result = VALUES;
        broken = true;
      }
      running[p] = undefined;
      returned++;
      yield { isCall: false, line: own.line };
    }
  }
}

/** How many keys an object has; none for a register. */
export const keysOf = (object: ObjectName): number =>
  object.startsWith('map-') ? Number(object.slice(4)) : 0;

function drawCall(
  object: ObjectName,
  key: number,
  below: (n: number) => number,
  process: string,
  call: number,
): Line {
  const [method, args] = [
    [keysOf(object) > 0 ? 'get' : 'read', []] as const,
    [keysOf(object) > 0 ? 'put' : 'write', [below(VALUES)]] as const,
    ['cas', [below(VALUES), below(VALUES)]] as const,
  ][below(3)];
  if (object === 'register' && method !== 'read')
    return { process, method: 'write', args: [call], result: null, call, return: 0 };
  return {
    process,
    method,
    args: keysOf(object) > 0 ? [`k${key}`, ...args] : [...args],
    result: null,
    call,
    return: 0,
  };
}

function takeEffect({ method, args }: Line, key: number, cells: Map<number, number>): unknown {
  const values = args.filter((value) => typeof value === 'number');
  const now = cells.get(key) ?? null;
  if (method === 'read' || method === 'get') return now;
  if (method === 'write' || method === 'put') cells.set(key, values[0]);
  else {
    if (now !== values[0]) return false;
    cells.set(key, values[1]);
    return true;
  }
  return null;
}
