/** Lists of 32-bit integers, by plain loops: the built-in `from` and `map` call back for each entry and are many times slower. */

/** 0, 1, … length - 1. */
export function range(length: number): Int32Array {
  const items = new Int32Array(length);
  for (let i = 0; i < length; i++) items[i] = i;
  return items;
}

/** The entries at the given positions, in that order. */
export function pick(items: Int32Array, positions: Int32Array): Int32Array {
  const picked = new Int32Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = items[positions[i]];
  return picked;
}

/** The same entries in an array with room for at least `capacity`, which is at least twice as large. */
export function grown(items: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(Math.max(capacity, 2 * items.length));
  larger.set(items);
  return larger;
}
