/**
 * A map from keys to values. Keys do not affect each other.
 *
 * An absent key has a value too, for `get` and `cas`: null unless told. To put
 * that very value makes the key present all the same, and `remove` tells so.
 */
import { jepsenAdapter, type Phrase } from '../../formats/common/adapter.js';
import type { Outcome } from '../../history/model/operation.js';
import { blocked, returns, type Spec, type Step } from '../../spec/spec.js';
import {
  demand,
  given,
  partByKey,
  sameInFiles,
  sameValue,
  standIn,
  text,
  withEntry,
  withoutEntry,
} from '../common/parameters.js';

export interface MapObject<K, V, A = null> {
  put(key: K, value: V): void;
  get(key: K): V | A;
  /** Was it there? */
  remove(key: K): boolean;
  cas(key: K, old: V | A, next: V): boolean;
  /** The value there, or this one, which is then put there. */
  getOrElseUpdate(key: K, value: V): V;
  /** Puts the text behind the text there; null counts as no text. */
  append(key: K, text: string): void;
}

export interface MapOptions<A = null> {
  /** The value of an absent key; null unless told. */
  readonly initial?: A;
}

export function map<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<MapObject<K, V, A>, ReadonlyMap<K, V>> {
  const absent = given<A>(options, 'initial');
  const has = (entries: ReadonlyMap<K, V>, key: K): boolean => entries.has(standIn(entries, key));
  const get = (entries: ReadonlyMap<K, V>, key: K): V | A =>
    has(entries, key) ? (entries.get(standIn(entries, key)) as V) : absent;
  return {
    name: 'map',
    initial: new Map(),
    methods: {
      put: (entries, key, value) => [withEntry(entries, key, value), undefined],
      get: (entries, key) => [entries, get(entries, key)],
      remove: (entries, key) => (has(entries, key) ? [withoutEntry(entries, key), true] : [entries, false]),
      cas: (entries, key, old, next) =>
        sameValue(get(entries, key), old) ? [withEntry(entries, key, next), true] : [entries, false],
      getOrElseUpdate: (entries, key, value) =>
        has(entries, key) ? [entries, get(entries, key) as V] : [withEntry(entries, key, value), value],
      append: (entries, key, more) => {
        const longer = appended(get(entries, key), more);
        return longer === undefined ? blocked : [withEntry(entries, key, longer as V), undefined];
      },
    },
    part: partByKey(),
    readOnly: (method, args, outcome) => method === 'get' || changesNothing(method, args, outcome, absent),
    family: {
      kind: 'map',
      roles: {
        put: 'put',
        get: 'get',
        remove: 'remove',
        cas: 'cas',
        getOrElseUpdate: 'getOrElseUpdate',
        append: 'append',
      },
      initial: absent,
    },
    jepsen: jepsenAdapter([
      { f: 'put', key: 'field', takes: 'value', answers: 'nothing' },
      { f: 'append', key: 'field', takes: 'value', answers: 'nothing' },
      { f: 'remove', key: 'field', takes: 'nothing', answers: 'truth' },
      ...SHARED_PHRASES,
      { f: 'read', method: 'get', key: 'pair', takes: 'nothing', answers: 'value' },
      { f: 'write', method: 'put', key: 'pair', takes: 'value', answers: 'nothing' },
    ]),
  };
}

/** How Jepsen's workloads spell what answers alike in all maps. */
const SHARED_PHRASES: readonly Phrase[] = [
  { f: 'get', key: 'field', takes: 'nothing', answers: 'value' },
  { f: 'cas', key: 'pair', takes: 'pair', answers: 'success' },
  { f: 'getOrElseUpdate', key: 'field', takes: 'value', answers: 'value' },
];

/** Did a mutator leave the map alone, whatever was in it? */
function changesNothing(
  method: string,
  args: readonly unknown[],
  outcome: Outcome,
  absent: unknown,
): boolean {
  switch (method) {
    case 'remove':
      return returns(outcome, false);
    // to swap a value for itself changes nothing, unless it makes an absent key present
    case 'cas':
      return returns(outcome, false) || (sameValue(args[1], args[2]) && !sameValue(args[1], absent));
    case 'getOrElseUpdate':
      return outcome.kind === 'returned' && !sameInFiles(outcome.value, args[1]);
    default:
      return false;
  }
}

/** There is nothing to append to where the value is no text; in another order of calls it may be. */
function appended(value: unknown, more: string): string | undefined {
  demand('text of append(key, text)', more, text);
  if (typeof value !== 'string' && value !== null && value !== undefined) return undefined;
  return (value ?? '') + more;
}

/*
 * A map whose mutators tell the previous value: `put`, `remove` and `append`
 * answer what `get` would have answered just before. (`cas` and
 * `getOrElseUpdate` have answers of their own, and keep them.)
 */

export interface MapPrevious<K, V, A = null> extends Omit<MapObject<K, V, A>, 'put' | 'remove' | 'append'> {
  put(key: K, value: V): V | A;
  remove(key: K): V | A;
  append(key: K, text: string): V | A;
}

export function mapPrevious<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<MapPrevious<K, V, A>, ReadonlyMap<K, V>> {
  type Entries = ReadonlyMap<K, V>;
  const plain = map<K, V, A>(options);
  const { put, get, remove, append } = plain.methods;
  /** Where a step of the plain map leads, and what was there before it. */
  const previous = (entries: Entries, key: K, step: unknown): Step<Entries, V | A> | typeof blocked => {
    if (step === blocked) return blocked;
    const [next] = step as Step<Entries, unknown>;
    const [, before] = get(entries, key) as Step<Entries, V | A>;
    return [next, before];
  };
  return {
    ...plain,
    name: 'map-previous',
    methods: {
      ...plain.methods,
      put: (entries, key, value) => previous(entries, key, put(entries, key, value)),
      remove: (entries, key) => previous(entries, key, remove(entries, key)),
      append: (entries, key, text) => previous(entries, key, append(entries, key, text)),
    },
    // here `remove` → false took out the value false; and it may have found the absent key's value as a present one's
    readOnly: (method, args, outcome, called) =>
      method !== 'remove' && plain.readOnly?.(method, args, outcome, called) === true,
    family: { roles: {}, ...plain.family, kind: 'map-previous' },
    jepsen: jepsenAdapter([
      { f: 'put', key: 'field', takes: 'value', answers: 'value' },
      { f: 'append', key: 'field', takes: 'value', answers: 'value' },
      { f: 'remove', key: 'field', takes: 'nothing', answers: 'value' },
      ...SHARED_PHRASES,
    ]),
  };
}
