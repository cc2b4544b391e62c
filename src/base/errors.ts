/** Errors by who has to act, the user or the maintainers of straightedge, and the name that a user meant. */

/**
 * An error that the user can fix: in a file, a spec, a scenario, an option or a command. Its message is complete, so it is
 * reported without a stack. Errors of other classes are ours, or come from the user's code.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}

/** An option that does not exist, or does not suit the input. */
export class OptionError extends InputError {
  override readonly name: string = 'OptionError';
}

/** What user code has thrown, as text. It may be anything, such as a proxy: reading it never throws. */
export function thrownText(
  thrown: unknown,
  field: 'message' | 'name' | 'stack' | 'both' = 'message',
): string {
  try {
    return String(thrown instanceof Error && field !== 'both' ? thrown[field] : thrown);
  } catch {
    return 'an error whose text cannot be read';
  }
}

/** Is what was thrown an error whose texts can be read? Users may throw anything. */
export function isReadableError(thrown: unknown): thrown is Error {
  try {
    if (!(thrown instanceof Error)) return false;
    const { name, message, stack = '' } = thrown;
    return [name, message, stack].every((text) => typeof text === 'string');
  } catch {
    return false;
  }
}

/** `instanceof` for what user code has thrown. */
export function isInstance<T>(thrown: unknown, of: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof of;
  } catch {
    // a proxy
    return false;
  }
}

/** Asserts an internal invariant. A violation is a bug of straightedge, not of the user. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`[straightedge bug] ${claim}. Please report this.`);
}

/**
 * Finds the name that a user meant: the one with the smallest edit distance.
 *
 *   F. Damerau. A technique for computer detection and correction of spelling errors. 1964.
 *
 * An edit inserts, deletes or replaces a letter, or swaps two adjacent ones; case is ignored. If no
 * name is close, the first one that starts with the typed text is returned.
 */
export function closestName(typed: string, words: readonly string[]): string | undefined {
  const small = typed.toLowerCase();
  const found = words.map((word) => [editDistance(small, word.toLowerCase()), word] as const);
  const [least] = found.sort(([a], [b]) => a - b);
  // more edits than a third of the name make it another name
  if (least !== undefined && least[0] <= Math.max(1, least[1].length / 3)) return least[1];
  return small.length > 1 ? words.find((word) => word.toLowerCase().startsWith(small)) : undefined;
}

/** Entry (i, j) of the table is the distance between the first i letters of `a` and the first j of `b`. */
function editDistance(a: string, b: string): number {
  const table: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    table.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i][j] = Math.min(
        table[i - 1][j] + 1,
        table[i][j - 1] + 1,
        table[i - 1][j - 1] + (isSame ? 0 : 1),
        isSwap ? table[i - 2][j - 2] + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return table[a.length][b.length];
}
