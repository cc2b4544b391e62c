/** A map whose updates and deletes tell nothing. */
import type { Spec } from 'straightedge';

interface MapObject {
  update(key: number, value: number): void;
  delete(key: number): void;
  get(key: number): number | null;
}

type Entries = ReadonlyMap<number, number>;

export const map: Spec<MapObject, Entries> = {
  name: 'map',
  initial: new Map(),
  methods: {
    update: (entries, key, value) => [new Map(entries).set(key, value), undefined],
    delete: (entries, key) => [new Map([...entries].filter(([other]) => other !== key)), undefined],
    get: (entries, key) => [entries, entries.get(key) ?? null],
  },
};
