/**
 * Built-in functions that call functions of the user's back, as coroutines, so that
 * others may run inside of what is called back: `forEach`, `map`, `sort` and the like.
 *
 * They go over an array as the standard tells: its length is looked at once, holes are
 * passed over, elements are read when their turn comes.
 */

import { READ } from '../../access.js';
import type { Coroutine } from '../../program.js';
import { type Host, invoke, look, readMember, writeMember } from './host.js';
import { all } from './iteration.js';
import type { AnyFunction } from './twins.js';

export type HigherOrder = (host: Host, self: never, args: unknown[], site: number) => Coroutine;

const coroutines = new Map<AnyFunction, HigherOrder>();

export function higherOrder(called: AnyFunction): HigherOrder | undefined {
  return coroutines.get(called);
}

type Round = { readonly value: unknown; readonly index: number; readonly answer: unknown };

/** Calls back for each element, from the first or the last on, until `see` says that it is enough. */
function* each(
  host: Host,
  self: readonly unknown[],
  [callback, that]: unknown[],
  site: number,
  see: (round: Round) => boolean | undefined,
  { backwards = false, holes = false } = {},
): Coroutine<void> {
  demandFunction(callback);
  const length = (yield* readMember(host, self, 'length', site)) as number;
  for (let i = 0; i < length; i++) {
    const index = backwards ? length - 1 - i : i;
    if (!holes && !(index in self)) continue;
    const value = yield* readMember(host, self, index, site);
    const answer = yield* invoke(host, callback, that, [value, index, self], site);
    if (see({ value, index, answer })) return;
  }
}

function demandFunction(callback: unknown): void {
  if (typeof callback !== 'function') throw new TypeError(`${String(callback)} is not a function`);
}

function add(name: string, coroutine: HigherOrder, prototype: object = Array.prototype): void {
  const called = (prototype as Record<string, AnyFunction | undefined>)[name];
  if (called !== undefined) coroutines.set(called, coroutine);
}

add('forEach', function* (host, self, args, site) {
  yield* each(host, self, args, site, () => false);
});
add('map', function* (host, self: readonly unknown[], args, site) {
  const mapped: unknown[] = new Array(self.length);
  yield* each(host, self, args, site, ({ index, answer }) => {
    mapped[index] = answer;
    return false;
  });
  return mapped;
});
add('filter', function* (host, self, args, site) {
  const kept: unknown[] = [];
  yield* each(host, self, args, site, ({ value, answer }) => {
    if (answer) kept.push(value);
    return false;
  });
  return kept;
});
add('flatMap', function* (host, self, args, site) {
  const parts: unknown[] = [];
  yield* each(host, self, args, site, ({ answer }) => {
    parts.push(answer);
    return false;
  });
  const flat: unknown[] = [];
  for (const part of parts) {
    if (Array.isArray(part)) flat.push(...(yield* all(host, part, site)));
    else flat.push(part);
  }
  return flat;
});
add('some', function* (host, self, args, site) {
  let found = false;
  yield* each(host, self, args, site, ({ answer }) => {
    found = Boolean(answer);
    return found;
  });
  return found;
});
add('every', function* (host, self, args, site) {
  let holds = true;
  yield* each(host, self, args, site, ({ answer }) => {
    holds = Boolean(answer);
    return !holds;
  });
  return holds;
});

for (const [name, gives, backwards] of [
  ['find', 'value', false],
  ['findIndex', 'index', false],
  ['findLast', 'value', true],
  ['findLastIndex', 'index', true],
] as const)
  add(name, function* (host, self, args, site) {
    let found: unknown = gives === 'index' ? -1 : undefined;
    const see = (round: Round): boolean => {
      if (round.answer) found = round[gives];
      return Boolean(round.answer);
    };
    yield* each(host, self, args, site, see, { backwards, holes: true });
    return found;
  });

for (const [name, backwards] of [
  ['reduce', false],
  ['reduceRight', true],
] as const)
  add(name, function* (host, self: readonly unknown[], args, site) {
    demandFunction(args[0]);
    const length = (yield* readMember(host, self, 'length', site)) as number;
    let result = args[1];
    let isEmpty = args.length < 2;
    for (let i = 0; i < length; i++) {
      const index = backwards ? length - 1 - i : i;
      if (!(index in self)) continue;
      const value = yield* readMember(host, self, index, site);
      result = isEmpty ? value : yield* invoke(host, args[0], undefined, [result, value, index, self], site);
      isEmpty = false;
    }
    if (isEmpty) throw new TypeError('Reduce of empty array with no initial value');
    return result;
  });

/** A stable sort of a copy by binary insertion: comparing is what takes time here. */
function* sorted(
  host: Host,
  values: readonly unknown[],
  compare: unknown,
  site: number,
): Coroutine<unknown[]> {
  if (compare === undefined) return [...values].sort();
  demandFunction(compare);
  const result: unknown[] = [];
  for (const value of values.filter((candidate) => candidate !== undefined)) {
    let low = 0;
    let high = result.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(yield* invoke(host, compare, undefined, [result[middle], value], site)) > 0) high = middle;
      else low = middle + 1;
    }
    result.splice(low, 0, value);
  }
  return [...result, ...values.filter((candidate) => candidate === undefined)];
}

add('sort', function* (host, self: unknown[], [compare], site) {
  const values = yield* look(host, READ, self, site, () => [...self]);
  const result = yield* sorted(host, values, compare, site);
  for (let i = 0; i < result.length; i++) yield* writeMember(host, self, i, result[i], site);
  return self;
});
add('toSorted', function* (host, self: unknown[], [compare], site) {
  return yield* sorted(host, yield* look(host, READ, self, site, () => [...self]), compare, site);
});

for (const prototype of [Map.prototype, Set.prototype])
  add(
    'forEach',
    function* (host, self: Map<unknown, unknown> | Set<unknown>, [callback, that], site) {
      demandFunction(callback);
      const entries = self.entries();
      for (;;) {
        const { done, value } = yield* look(host, READ, self, site, () => entries.next());
        if (done) return;
        yield* invoke(host, callback, that, [value[1], value[0], self], site);
      }
    },
    prototype,
  );
