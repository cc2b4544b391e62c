/** The shared memory that can be reached from what threads are given. */
export function sharedMemory(value: unknown): SharedArrayBuffer[] {
  const found = new Set<SharedArrayBuffer>();
  const seen = new Set<object>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof SharedArrayBuffer) found.add(part);
    else if (ArrayBuffer.isView(part)) look(part.buffer);
    else if (part instanceof Map || part instanceof Set) for (const own of part.entries()) own.forEach(look);
    else Object.values(part).forEach(look);
  };
  look(value);
  return [...found];
}
