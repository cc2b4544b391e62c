import { expect, test } from 'vitest';
import { Random } from '../../../base/random.js';
import { Furthest } from './trail.js';

test('a kept linearization does not change when the search backtracks', () => {
  const random = new Random(8);
  for (let round = 0; round < 300; round++) {
    const furthest = new Furthest(30);
    const order = new Int32Array(30);
    let length = 0;
    let position = -1;
    let expected: { state: number; order: Int32Array }[] = [];
    for (let turn = 0; turn < 80; turn++) {
      if (length < 30 && random.withProbability(60)) order[length++] = random.below(1_000);
      else {
        const back = random.below(length + 1);
        furthest.goBack(order, back);
        length = back;
      }
      if (!random.withProbability(50)) continue;
      const [at, state] = [Math.max(0, position + random.below(4) - 2), random.below(4)];
      furthest.note(at, state, order, length);
      if (at > position) expected = [];
      if (at >= position && !expected.some((kept) => kept.state === state))
        expected.push({ state, order: order.slice(0, length) });
      position = Math.max(position, at);
    }
    furthest.goBack(order, 0);
    const { states, longest } = furthest.obstruction(0);
    expect(furthest.position).toBe(position);
    expect(states).toEqual(expected.map(({ state }) => state));
    expect(longest()).toEqual(expected.slice(0, 2));
  }
});
