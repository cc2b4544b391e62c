/** Methods of typed arrays keep their results, and the gate sees each access to an element. */
import { expect, test } from 'vitest';
import { READ } from '../../execution/memory/access.js';
import { Elements } from './elements.js';
import type { Access, Gate, View } from './gate.js';

/** A gate that grants every access, and a log of the accesses. */
function gated(): { elements: Elements; came: string[] } {
  const came: string[] = [];
  const gate = {
    spotOf: (view: View, index: number) =>
      ArrayBuffer.isView(view) && index >= 0 && index < view.length ? [0, index, 4] : undefined,
    come: ({ kind, index }: Access) => came.push(`${kind === READ ? 'r' : 'w'}${index}`),
    did: () => {},
  };
  return { elements: new Elements(gate as unknown as Gate), came };
}

test.each([
  ['fill', [7], 'w0 w1 w2 w3'],
  ['fill', [7, 1, -1], 'w1 w2'],
  ['set', [[8, 9], 1], 'w1 w2'],
  ['copyWithin', [0, 2], 'r0 r1 r2 r3 w0 w1'],
  ['copyWithin', [1, 0, 2], 'r0 r1 r2 r3 w1 w2'],
  ['reverse', [], 'r0 r1 r2 r3 w0 w1 w2 w3'],
  ['sort', [], 'r0 r1 r2 r3 w0 w1 w2 w3'],
  ['slice', [1, 3], 'r0 r1 r2 r3'],
  ['at', [-1], 'r3'],
  ['indexOf', [3], 'r0 r1 r2 r3'],
  ['map', [(x: number) => 2 * x], 'r0 r1 r2 r3'],
  ['join', ['-'], 'r0 r1 r2 r3'],
])('%s(%j) comes to the gate as %s', (name, args, expected) => {
  const make = () => Int32Array.of(4, 2, 3, 1);
  const [one, other] = [make(), make()];
  const { elements, came } = gated();
  const result = elements.call(one as never, name, 0, [...args]);
  const known = (other as never as Record<string, (...args: unknown[]) => unknown>)[name](...args);
  expect([...one]).toEqual([...other]);
  expect(result === one ? 'itself' : result).toEqual(known === other ? 'itself' : known);
  expect(came.join(' ')).toBe(expected);
});

test('a method of that name on another object is called unchanged', () => {
  const { elements, came } = gated();
  const map = new Map<string, number>();
  expect(elements.call(map as never, 'set', 0, ['a', 1])).toBe(map);
  expect([map.get('a'), came.length]).toEqual([1, 0]);
});
