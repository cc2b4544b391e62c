/** A text that is no history: where, what stands there, what was expected. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The message without the place. */
  readonly detail: string;

  constructor(detail: string, line: number, column = 1) {
    super(`line ${line}, column ${column}: ${detail}`);
    this.detail = detail;
    this.line = line;
    this.column = column;
  }
}
