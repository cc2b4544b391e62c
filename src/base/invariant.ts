/** Asserts an internal invariant. A violation is a bug of straightedge, not of the user. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`[straightedge bug] ${claim}. Please report this.`);
}
