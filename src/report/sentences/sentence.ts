/**
 * A sentence as data: pieces of text, some with a tone, some pointing at operations.
 *
 * One sentence serves all reports. The terminal paints the tones; the page also links the pieces with the
 * operations drawn beside them.
 */

/** Operations are named by id. */
export interface Phrase {
  readonly text: string;
  readonly tone?: 'strong' | 'good' | 'bad';
  readonly operations?: readonly number[];
}

export type Sentence = readonly Phrase[];

/** One of the reasons that make up an explanation; where it introduces an order, the steps of that follow it. */
export interface Reason {
  readonly sentence: Sentence;
  readonly steps?: readonly Sentence[];
}

type Piece = string | Phrase | Sentence;

/** A template whose holes are texts, phrases or whole sentences. */
export function say(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Sentence {
  return join([texts[0], ...pieces.flatMap((piece, i): Piece[] => [piece, texts[i + 1]])]);
}

/** Concatenates pieces, with the same text between each two. */
export function join(pieces: readonly Piece[], between = ''): Sentence {
  return pieces
    .flatMap((piece, i): readonly Piece[] => (i === 0 ? [piece] : [between, piece]))
    .flatMap((piece): readonly Phrase[] => {
      if (typeof piece === 'string') return piece === '' ? [] : [{ text: piece }];
      return 'text' in piece ? [piece] : piece;
    });
}

/** The operations that a sentence speaks of, each once. */
export const operationsIn = (sentence: Sentence): number[] => [
  ...new Set(sentence.flatMap(({ operations = [] }) => operations)),
];
