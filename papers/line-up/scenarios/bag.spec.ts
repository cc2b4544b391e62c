/** A bag: `take` returns any item. The state is its content, sorted. */
import { oneOf, type Spec } from 'straightedge';

interface Bag {
  add(value: number): void;
  tryTake(): number | null;
  tryPeek(): number | null;
  isEmpty(): boolean;
  count(): number;
  /** In any order: here the smallest first. */
  toArray(): number[];
}

export const bag: Spec<Bag, readonly number[]> = {
  name: 'bag',
  initial: [],
  methods: {
    add: (items, value) => [[...items, value].sort((a, b) => a - b), undefined],
    tryTake: (items) =>
      items.length === 0
        ? [items, null]
        : oneOf(...items.map((item, i) => [items.toSpliced(i, 1), item] as const)),
    tryPeek: (items) =>
      items.length === 0 ? [items, null] : oneOf(...items.map((item) => [items, item] as const)),
    isEmpty: (items) => [items, items.length === 0],
    count: (items) => [items, items.length],
    toArray: (items) => [items, [...items]],
  },
};
