import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkedLists } from '../../check/search/generic/trail.js';

const ITEMS = 20;
const LISTS = 3;

function itemsOf(links: LinkedLists, list: number): number[] {
  const items: number[] = [];
  for (let item = links.first(list); item < ITEMS; item = links.next[item]) items.push(item);
  return items;
}

test('a removed item is missing from its list, and returns to its position when it is restored', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...Array(ITEMS).keys()]),
      fc.array(fc.nat(LISTS - 1), { minLength: ITEMS, maxLength: ITEMS }),
      fc.shuffledSubarray([...Array(ITEMS).keys()]),
      (added, listOf, taken) => {
        const links = new LinkedLists(ITEMS, LISTS);
        for (const item of added) links.append(listOf[item], item);
        const expectOnly = (isIn: (item: number) => boolean) => {
          for (let list = 0; list < LISTS; list++) {
            const expected = added.filter((item) => listOf[item] === list && isIn(item));
            expect(itemsOf(links, list)).toEqual(expected);
            expect(links.isEmpty(list)).toBe(expected.length === 0);
          }
        };
        for (const [i, item] of taken.entries()) {
          links.remove(item);
          expectOnly((other) => !taken.slice(0, i + 1).includes(other));
        }
        for (const [i, item] of [...taken.entries()].reverse()) {
          links.restore(item);
          expectOnly((other) => !taken.slice(0, i).includes(other));
        }
      },
    ),
  );
});
