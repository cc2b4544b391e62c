/**
 * The calls and returns that tell of single values of a container, looked up plainly: for those who check a cause.
 * Cost: O(n) for all that are sought together.
 */
import type { History } from '../../../history/history.js';
import { NEVER, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { type Played, playedAt } from './operation-role.js';
import { initialMoment } from './same-values.js';

export interface Life {
  /** How often it was put in, what was there at first included. */
  readonly puts: number;
  /** The first of them was called, and the value was surely inside; before all moments if it was there at first. */
  readonly put: number;
  readonly inside: number;
  /** Who gave it: the first return, the last call; NEVER and -1 if nobody did. */
  readonly seen: number;
  readonly asked: number;
  readonly removals: number;
}

export function livesOf(history: History, spec: Spec, sought: readonly unknown[]): Life[] {
  const byNumber = new Map<number, Mutable<Life>>();
  const lives = sought.map((value) => {
    const before = initialMoment(history, spec, value);
    const puts = before === NEVER ? 0 : 1;
    const life = { puts, put: before, inside: before, seen: NEVER, asked: -1, removals: 0 };
    const number = history.tables.values.find(value);
    if (number !== undefined) byNumber.set(number, life);
    return life;
  });
  for (const [k, number] of touching(history, byNumber))
    look(playedAt(history, spec, k), byNumber.get(number) as Mutable<Life>);
  return lives;
}

function look({ role, call, return: returned }: Played, life: Mutable<Life>): void {
  if (role === 'add') {
    life.puts++;
    life.put = Math.min(life.put, call);
  } else {
    life.seen = Math.min(life.seen, returned);
    life.asked = Math.max(life.asked, call);
    if (role === 'remove') life.removals++;
  }
  life.inside = Math.min(life.inside, returned);
}

/** The operations that put one of these values in or gave it, each with the number of the value. */
function* touching(
  { columns, length }: History,
  numbers: ReadonlyMap<number, unknown>,
): Generator<readonly [operation: number, number: number]> {
  const { status, result, argument, argumentStart } = columns;
  for (let k = 0; k < length; k++) {
    const isCalledWith = argumentStart[k] < argumentStart[k + 1];
    if (!isCalledWith && status[k] !== RETURNED) continue;
    const number = isCalledWith ? argument[argumentStart[k]] : result[k];
    if (numbers.has(number)) yield [k, number];
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
