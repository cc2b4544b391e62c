/** A file that is no history: where, what stands there, what was expected. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** From 1; a binary file has no lines, and neither has its error. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message without line and column. */
  readonly detail: string;

  constructor(detail: string, line?: number, column = 1) {
    super(line === undefined ? detail : `line ${line}, column ${column}: ${detail}`);
    this.detail = detail;
    this.line = line;
    this.column = line === undefined ? undefined : column;
  }
}
