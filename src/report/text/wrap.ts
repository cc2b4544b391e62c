/** Lines no wider than asked for, where that can be. Colours take no room. */
import { stripVTControlCharacters } from 'node:util';

export function wrapWords(text: string, width: number): string[] {
  return fill(text.split(BETWEEN_WORDS), width);
}

/** A space, but for one between the digits of a number. */
const BETWEEN_WORDS = / (?!(?<=\d )\d{3}(?!\d))/;

/** Items with commas between them; none is broken. */
export function wrapItems(items: readonly string[], width: number): string[] {
  return fill(
    items.map((item, i) => (i < items.length - 1 ? `${item},` : item)),
    width,
  );
}

function fill(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (line !== '' && stripVTControlCharacters(longer).length > width) {
      lines.push(line);
      line = piece;
    } else line = longer;
  }
  return [...lines, line];
}
