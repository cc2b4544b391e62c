/** A place in a file as editors count: lines and columns from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`, as editors and terminals link it. */
export function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
