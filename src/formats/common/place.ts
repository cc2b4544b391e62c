/** Where in a file something stands, told by line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of a position, in characters from 0, of a text that itself starts at a place. */
export function placeIn(text: string, position: number, start: Place): Place {
  let { line, column } = start;
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', from)) {
    line++;
    column = 1;
    from = at + 1;
  }
  return { line, column: column + position - from };
}
