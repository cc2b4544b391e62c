/**
 * Methods of typed arrays that others can see. Each element is a location of its own, so a method is a read of each element that it needs and, if it
 * changes some, a write of each: no engine does them in one step, and the memory may be shared for real.
 */
import type { Coroutine } from '../../execution/program.js';
import { effectOf } from '../model/effects.js';
import { type Host, readMember, writeMember } from '../model/host.js';
import type { AnyFunction } from '../model/twins.js';
import { listOf } from './argument-readers.js';
import { type HigherOrder, higherOrder } from './higher-order.js';

type View = Int32Array;

/** Undefined: a method that touches no element, or calls back, or is none of a typed array. */
export function elementwise(called: AnyFunction): HigherOrder | undefined {
  const effect = effectOf(called);
  if (higherOrder(called) !== undefined || (effect !== 'looks' && effect !== 'changes')) return undefined;
  return (host, self: View, args, site) => onCopy(host, called, self, args, site, effect === 'changes');
}

/** Reads all, does it to a copy, and writes what is different then. */
function* onCopy(
  host: Host,
  called: AnyFunction,
  view: View,
  args: readonly unknown[],
  site: number,
  isChange: boolean,
): Coroutine {
  const copy = view.slice();
  const isFill = called === (copy.fill as AnyFunction) || called === (copy.set as AnyFunction);
  if (!isFill)
    for (let i = 0; i < view.length; i++) copy[i] = (yield* readMember(host, view, i, site)) as number;
  const given: unknown[] = [];
  for (const arg of args) given.push(yield* listOf(host, arg, site));
  if (!isChange) return Reflect.apply(called, copy, given);
  const touched = isFill ? marksOf(called, view, given) : undefined;
  const result: unknown = Reflect.apply(called, copy, given);
  for (let i = 0; i < view.length; i++)
    if (touched === undefined || touched[i]) yield* writeMember(host, view, i, copy[i], site);
  return result === copy ? view : result;
}

/** Which elements `fill` or `set` writes, whatever they hold. */
function marksOf(called: AnyFunction, view: View, args: readonly unknown[]): readonly boolean[] {
  const marks = new Array<boolean>(view.length).fill(false);
  if (called === (view.fill as AnyFunction)) return marks.fill(true, args[1] as number, args[2] as number);
  const from = Number(args[1] ?? 0);
  return marks.fill(true, from, from + (args[0] as ArrayLike<number>).length);
}
