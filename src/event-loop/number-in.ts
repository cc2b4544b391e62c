/** Numbers for things, from 0: what is seen for the first time gets the next one. */
export function numberIn<T>(numbers: Map<T, number>, item: T): number {
  const known = numbers.get(item);
  if (known === undefined) numbers.set(item, numbers.size);
  return known ?? numbers.size - 1;
}
