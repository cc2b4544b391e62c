import { expect, test } from 'vitest';
import { subjects } from '../../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../../test/support/generators/random-history.js';
import { hasBit } from '../../../base/collections/ints.js';
import { Random } from '../../../base/random.js';
import { NEVER } from '../../../history/model/columns.js';
import { PrefixSet, Slots } from './slots.js';

test('position and mask represent the set while operations are added and taken back', () => {
  const random = new Random(4);
  for (let round = 0; round < 100; round++) {
    const { columns, length } = randomHistory(subjects.register, random, 20).withoutFailed();
    const slots = new Slots(columns, new Int32Array(length));
    const returns = columns.events.filter((event) => event < 0).map((event) => ~event);
    const set = new PrefixSet(returns, slots);
    const stack: number[] = [];
    for (let turn = 0; turn < 60; turn++) {
      // as in a search: only operations called before the first return that remains
      const first = set.position < returns.length ? columns.return[returns[set.position]] : NEVER;
      const open = [...Array(length).keys()].filter((k) => set.has[k] === 0 && columns.call[k] < first);
      if (open.length > 0 && random.withProbability(60)) {
        stack.push(random.pick(open));
        set.add(stack[stack.length - 1]);
      } else if (stack.length > 0) set.takeBack(stack.pop() ?? -1);

      const prefix = returns.findIndex((k) => !stack.includes(k));
      expect(set.position).toBe(prefix < 0 ? returns.length : prefix);
      const passed = returns.subarray(0, set.position);
      const beyond = stack.filter((k) => !passed.includes(k)).map((k) => slots.bitOf[k]);
      const bits = [...Array(32 * slots.maskWords).keys()].filter((bit) => hasBit(set.mask, 0, bit));
      expect(bits).toEqual(beyond.sort((a, b) => a - b));
      expect([...Array(length).keys()].filter((k) => set.has[k] === 1)).toEqual(
        stack.toSorted((a, b) => a - b),
      );
    }
  }
});
