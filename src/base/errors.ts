/** Who has to act on an error: the user, or the maintainers of straightedge. */

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

/** Asserts an internal invariant. A violation is a bug of straightedge, not of the user. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`[straightedge bug] ${claim}. Please report this.`);
}
