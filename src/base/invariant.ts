/** A promise that this code makes to itself. A broken one is our fault, and says so. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`[straightedge bug] ${promise}. Please report this.`);
}
