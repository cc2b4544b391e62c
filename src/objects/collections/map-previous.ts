/**
 * A map whose mutators tell the previous value: `put`, `remove` and `append`
 * answer what `get` would have answered just before. (`cas` and
 * `getOrElseUpdate` have answers of their own, and keep them.)
 */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import { blocked, type Spec, type Step } from '../../spec/spec.js';
import { type MapObject, type MapOptions, map, SHARED_PHRASES } from './map.js';

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
