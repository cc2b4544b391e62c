/** A command that can not be carried out as it was typed: exit code 2, and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
