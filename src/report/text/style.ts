/** How a report looks on a terminal: colours, box-drawing or ASCII characters, width, and sentences wrapped to it. */
import { styleText } from 'node:util';
import { ASCII, type Strokes, UNICODE } from '../../history/drawing/layout.js';
import type { Sentence } from '../sentences/words.js';

/* Lines no wider than asked for, where that can be. Colours take no room. */

export function wrapWords(text: string, width: number): string[] {
  return fill(text.split(' '), width);
}

/** Items with commas between them; none is broken. */
export function wrapItems(items: readonly string[], width: number): string[] {
  return fill(
    items.map((item, i) => (i < items.length - 1 ? `${item},` : item)),
    width,
  );
}

const COLOURS = /\u001b\[\d+m/g;

function fill(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (line !== '' && longer.replaceAll(COLOURS, '').length > width) {
      lines.push(line);
      line = piece;
    } else line = longer;
  }
  return [...lines, line];
}

type Paint = (text: string) => string;

/** Colours, characters and width of a text report. */
export interface Style {
  readonly strokes: Strokes;
  readonly width: number;
  readonly good: Paint;
  readonly bad: Paint;
  readonly faint: Paint;
  readonly strong: Paint;
  /** Marks before a verdict and beside the operation at fault. */
  readonly yes: string;
  readonly no: string;
  readonly unsure: string;
  readonly ellipsis: string;
  /** Beside source lines that must be atomic. */
  readonly bar: string;
  /** Between threads and calls: `2×3`. */
  readonly times: string;
}

export function styleOf({
  colour = false,
  ascii = false,
  width = 100,
}: {
  colour?: boolean;
  ascii?: boolean;
  width?: number;
}): Style {
  const paint =
    (...formats: Parameters<typeof styleText>[0][]): Paint =>
    (text) =>
      colour
        ? formats.reduce<string>(
            (painted, format) => styleText(format, painted, { validateStream: false }),
            text,
          )
        : text;
  return {
    strokes: ascii ? ASCII : UNICODE,
    width,
    good: paint('green', 'bold'),
    bad: paint('red', 'bold'),
    faint: paint('dim'),
    strong: paint('bold'),
    yes: ascii ? '+' : '✓',
    no: ascii ? 'x' : '✗',
    unsure: '?',
    ellipsis: ascii ? '...' : '…',
    bar: ascii ? '#' : '▌',
    times: ascii ? 'x' : '×',
  };
}

export const painted = (sentence: Sentence, style: Style): string =>
  sentence.map(({ text, tone }) => (tone ? style[tone](text) : text)).join('');
