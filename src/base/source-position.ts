/** Positions in texts and source files, counted as editors do: lines and columns from 1. */

export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset in a text that itself starts at a position. */
export function positionIn(text: string, offset: number, start: LinePosition): LinePosition {
  let { line, column } = start;
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
    line++;
    column = 1;
    from = at + 1;
  }
  return { line, column: column + offset - from };
}

/** A position in a source file. */
export interface SourcePosition extends LinePosition {
  readonly file: string;
}

/** A position, and what is there. */
export interface NamedPlace extends SourcePosition {
  readonly name: string;
}

/** In the place of a name: an access that the instrumentation missed. */
export const MISSED_ACCESS = 'an access that was not announced';
export const isMissed = ({ name }: NamedPlace): boolean => name === MISSED_ACCESS;

/** `file:line:column`, as editors and terminals link it. */
export function formatPosition({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}
