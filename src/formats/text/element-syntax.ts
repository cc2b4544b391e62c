/** What each byte does to where an element of EDN or JSON ends. All else is left to who reads the element. */

// up to HASH, a byte inside brackets changes nothing
export const ORDINARY = 0;
export const SPACE = 1;
export const NEWLINE = 2;
export const COMMA = 3;
export const HASH = 4;
export const OPEN = 5;
export const CLOSE = 6;
export const QUOTE = 7;
export const COMMENT = 8;
export const ESCAPE = 9;

export interface ElementSyntax {
  /** Byte to what it does outside strings. */
  readonly kinds: Uint8Array;
  /** Brackets that may stand around all elements, to those that end them. */
  readonly enclosing: ReadonlyMap<number, number>;
}

function syntax(marks: Readonly<Record<string, number>>, enclosing: readonly string[]): ElementSyntax {
  const kinds = new Uint8Array(256);
  for (const [bytes, kind] of Object.entries({ ...marks, '\n': NEWLINE, '"': QUOTE }))
    for (const byte of bytes) kinds[byte.charCodeAt(0)] = kind;
  return {
    kinds,
    enclosing: new Map(enclosing.map(([open, close]) => [open.charCodeAt(0), close.charCodeAt(0)])),
  };
}

export const EDN_ELEMENTS: ElementSyntax = syntax(
  { ' \t\r\v\f,': SPACE, '([{': OPEN, ')]}': CLOSE, '#': HASH, ';': COMMENT, '\\': ESCAPE },
  ['[]', '()'],
);

export const JSON_ELEMENTS: ElementSyntax = syntax({ ' \t\r': SPACE, '[{': OPEN, ']}': CLOSE, ',': COMMA }, [
  '[]',
]);
