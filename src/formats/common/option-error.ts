/** An option that does not fit the file it is for: why, and what would do. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}
