/**
 * Built-in functions that call back, as coroutines, so that other threads may run inside the callback: `forEach`, `map`, `sort`, ….
 *
 * They iterate as ECMA-262 says: the length is read once, holes are skipped, each element is read at its turn.
 */

import type { AnyFunction } from '../../base/any-function.js';
import { READ, UPDATE } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { keepsLastIndex } from '../model/effects.js';
import { type Host, invoke, look, readMember, writeMember } from '../model/host.js';
import { isPrimitive, toPrimitive } from './conversions.js';

export type HigherOrder = (host: Host, self: never, args: unknown[], site: number) => Coroutine;

const coroutines = new Map<AnyFunction, HigherOrder>();

export function higherOrder(called: AnyFunction): HigherOrder | undefined {
  return coroutines.get(called);
}

/** Runs a built-in function as a coroutine from now on. */
export function runAs(called: unknown, coroutine: HigherOrder): void {
  coroutines.set(called as AnyFunction, coroutine);
}

type Round = { readonly value: unknown; readonly index: number; readonly answer: unknown };

/** Calls back for each element, from the first or the last on, until `see` says that it is enough. */
function* each(
  host: Host,
  given: readonly unknown[],
  [callback, that]: unknown[],
  site: number,
  see: (round: Round) => boolean | undefined,
  { backwards = false, holes = false, begin = (_length: number): void => {} } = {},
): Coroutine<void> {
  const self = Object(given) as readonly unknown[];
  const length = (yield* readMember(host, self, 'length', site)) as number;
  demandFunction(callback);
  begin(length);
  for (let i = 0; i < length; i++) {
    const index = backwards ? length - 1 - i : i;
    const value = yield* readMember(host, self, index, site);
    if (!holes && isHole(host, self, index, value)) continue;
    const answer = yield* invoke(host, callback, that, [value, index, self], site);
    if (see({ value, index, answer })) return;
  }
}

/** Is there no element, in the step that has read it? */
function isHole(host: Host, list: readonly unknown[], index: number, value: unknown): boolean {
  if (value !== undefined) return false;
  return !host.observeResult(index in list);
}

/** A list of the same class, as `map` and `filter` make it. */
function listLike(self: readonly unknown[], length: number): unknown[] {
  if (!Array.isArray(self)) return new Array(length);
  const { constructor: own } = self as {
    constructor?: { [Symbol.species]?: new (length: number) => unknown[] };
  };
  const made = Object(own) === own ? own![Symbol.species] : undefined;
  return made ? new made(length) : new Array(length);
}

function demandFunction(callback: unknown): void {
  if (typeof callback !== 'function') throw new TypeError(`${String(callback)} is not a function`);
}

function add(name: string, coroutine: HigherOrder, prototype: object = Array.prototype): void {
  const called = (prototype as Record<string, AnyFunction | undefined>)[name];
  if (called !== undefined) runAs(called, coroutine);
}

add('forEach', function* (host, self, args, site) {
  yield* each(host, self, args, site, () => false);
});
add('map', function* (host, self: readonly unknown[], args, site) {
  let mapped: unknown[] = [];
  const see = ({ index, answer }: Round): boolean => {
    mapped[index] = answer;
    return false;
  };
  const begin = (length: number): void => {
    mapped = listLike(self, length);
  };
  yield* each(host, self, args, site, see, { begin });
  return mapped;
});
add('filter', function* (host, self, args, site) {
  const kept = listLike(self, 0);
  yield* each(host, self, args, site, ({ value, answer }) => {
    if (answer) kept.push(value);
    return false;
  });
  return kept;
});
add('flatMap', function* (host, given: readonly unknown[], [callback, that], site) {
  const self = Object(given) as readonly unknown[];
  const length = (yield* readMember(host, self, 'length', site)) as number;
  demandFunction(callback);
  const flat = listLike(self, 0);
  for (let i = 0; i < length; i++) {
    const value = yield* readMember(host, self, i, site);
    if (isHole(host, self, i, value)) continue;
    const part = yield* invoke(host, callback, that, [value, i, self], site);
    if (Array.isArray(part)) flat.push(...(yield* flattened(host, part, 0, site)));
    else flat.push(part);
  }
  return flat;
});
add('flat', function* (host, self, [depth = 1], site) {
  const flat = listLike(self, 0);
  flat.push(...(yield* flattened(host, self, Number(depth), site)));
  return flat;
});

/** Each nested list is read by itself. */
function* flattened(host: Host, list: readonly unknown[], depth: number, site: number): Coroutine<unknown[]> {
  const elements = yield* look(host, READ, list, site, () => Array.prototype.filter.call(list, () => true));
  const flat: unknown[] = [];
  for (const element of elements) {
    if (Array.isArray(element) && depth >= 1)
      flat.push(...(yield* flattened(host, element, depth - 1, site)));
    else flat.push(element);
  }
  return flat;
}

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
  add(name, function* (host, given: readonly unknown[], args, site) {
    const self = Object(given) as readonly unknown[];
    demandFunction(args[0]);
    const length = (yield* readMember(host, self, 'length', site)) as number;
    let result = args[1];
    let isEmpty = args.length < 2;
    for (let i = 0; i < length; i++) {
      const index = backwards ? length - 1 - i : i;
      const value = yield* readMember(host, self, index, site);
      if (isHole(host, self, index, value)) continue;
      result = isEmpty ? value : yield* invoke(host, args[0], undefined, [result, value, index, self], site);
      isEmpty = false;
    }
    if (isEmpty) throw new TypeError('Reduce of empty array with no initial value');
    return result;
  });

type IsBefore = (host: Host, one: unknown, other: unknown, site: number) => Coroutine<boolean>;

/** Without a function that compares them, values are compared as texts. */
const isTextBefore: IsBefore = function* (host, one, other, site) {
  const text = String(yield* toPrimitive(host, one, 'string', site));
  return text < String(yield* toPrimitive(host, other, 'string', site));
};

const isBeforeBy = (compare: unknown): IsBefore =>
  function* (host, one, other, site) {
    const order = yield* invoke(host, compare, undefined, [one, other], site);
    return Number(yield* toPrimitive(host, order, 'number', site)) < 0;
  };

/** A stable sort of a copy by binary insertion: comparing is what takes time here. As V8, it asks whether a value comes before an earlier one. */
function* sorted(
  host: Host,
  values: readonly unknown[],
  compare: unknown,
  site: number,
): Coroutine<unknown[]> {
  const areTexts = compare === undefined && !values.every(isPrimitive);
  // throws if it is no function
  if (typeof compare !== 'function' && !areTexts) return [...values].sort(compare as undefined);
  const isBefore = areTexts ? isTextBefore : isBeforeBy(compare);
  const result: unknown[] = [];
  for (const value of values.filter((candidate) => candidate !== undefined)) {
    let low = 0;
    let high = result.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (yield* isBefore(host, value, result[middle], site)) high = middle;
      else low = middle + 1;
    }
    result.splice(low, 0, value);
  }
  return [...result, ...values.filter((candidate) => candidate === undefined)];
}

add('sort', function* (host, self: unknown[], [compare], site) {
  let length = 0;
  const values = yield* look(host, READ, self, site, () => {
    length = self.length;
    // holes come last
    return Array.from(self, (value, i) => (i in self ? [value] : [])).flat(1);
  });
  const result = yield* sorted(host, values, compare, site);
  for (let i = 0; i < result.length; i++) yield* writeMember(host, self, i, result[i], site);
  for (let i = result.length; i < length; i++) {
    if (host.remove(self, String(i), site)) {
      yield host.p;
      host.widen(self, String(i));
    }
    delete self[i];
  }
  return self;
});
add('toSorted', function* (host, self: unknown[], [compare], site) {
  return yield* sorted(host, yield* look(host, READ, self, site, () => [...self]), compare, site);
});

/** A regular expression that keeps `lastIndex` is changed by its use. */
function using<T>(host: Host, pattern: unknown, site: number, use: () => T): Coroutine<T> {
  return look(host, UPDATE, keepsLastIndex(pattern) ? (pattern as object) : {}, site, use);
}

/** Replacing: what is found does not depend on the callback, which is called in order when all has been found. */
for (const name of ['replace', 'replaceAll'] as const) {
  const replace = String.prototype[name] as (this: unknown, ...args: unknown[]) => string;
  add(
    name,
    function* (host, self, [given, by], site) {
      const pattern = given instanceof RegExp ? given : yield* toPrimitive(host, given, 'string', site);
      if (typeof by !== 'function') {
        const text = yield* toPrimitive(host, by, 'string', site);
        return yield* using(host, pattern, site, () => replace.call(self, pattern, text));
      }
      const found: unknown[][] = [];
      yield* using(host, pattern, site, () =>
        replace.call(self, pattern, (...match: unknown[]) => {
          found.push(match);
          return '';
        }),
      );
      const whole = String(self);
      let [text, end] = ['', 0];
      for (const match of found) {
        const start = match.findLast((part) => typeof part === 'number') as number;
        text += whole.slice(end, start) + String(yield* invoke(host, by, undefined, match, site));
        end = start + String(match[0]).length;
      }
      return text + whole.slice(end);
    },
    String.prototype,
  );
}

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

const TypedArray = Object.getPrototypeOf(Int8Array.prototype) as Record<string, AnyFunction>;
for (const name of 'forEach some every find findIndex findLast findLastIndex reduce reduceRight'.split(' '))
  add(name, coroutines.get(Array.prototype[name as 'some'])!, TypedArray);
for (const name of ['map', 'filter'] as const)
  add(
    name,
    function* (host, self: Int32Array, args, site) {
      const list = (yield* coroutines.get(Array.prototype[name])!(
        host,
        self as never,
        args,
        site,
      )) as unknown[];
      for (let i = 0; i < list.length; i++) list[i] = yield* toPrimitive(host, list[i], 'number', site);
      return Reflect.construct(self.constructor, [list]) as unknown;
    },
    TypedArray,
  );
