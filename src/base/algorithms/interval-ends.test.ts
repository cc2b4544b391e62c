import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Spans } from './interval-ends.js';

test('intervals of a stretch that end behind a point are found, once each', () => {
  const question = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1, max: 20 }), { minLength: 1, maxLength: 20 }),
      fc.array(question, { maxLength: 20 }),
      (ends, questions) => {
        const plain = [...ends];
        const spans = new Spans(Int32Array.from(ends));
        for (const [begin, end, point] of questions) {
          spans.take(begin, end, point);
          const expected = plain.flatMap((own, i) => (i >= begin && i < end && own > point ? [i] : []));
          expect([...spans.found.subarray(0, spans.count)]).toEqual(expected);
          for (const i of expected) plain[i] = -1;
        }
      },
    ),
  );
});
