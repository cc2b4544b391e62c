/** Sentences of a report. Phrases that mention operations highlight them, and select one when clicked. */
import { useState } from 'preact/hooks';
import { operationsIn, type Phrase, type Sentence } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from './highlight.js';

export const Phrases = ({ sentence, highlight }: { sentence: Sentence; highlight: Highlight }) => (
  <>
    {sentence.map((phrase, i) =>
      phrase.items ? (
        <Items key={i} items={phrase.items} highlight={highlight} />
      ) : (
        <Piece key={i} phrase={sentence[i - 1]?.items ? withoutStop(phrase) : phrase} highlight={highlight} />
      ),
    )}
  </>
);

/** A list in a sentence, with a line for each item. */
const Items = ({ items, highlight }: { items: readonly Sentence[]; highlight: Highlight }) => (
  <ul class="items">
    {items.map((item, i) => (
      <li key={i} {...highlightHandlers(highlight, operationsIn(item))}>
        <Phrases sentence={item} highlight={highlight} />
      </li>
    ))}
  </ul>
);

/** The text after a list: the list needs no full stop. */
const withoutStop = (phrase: Phrase): Phrase => ({ ...phrase, text: phrase.text.replace(/^\.\s*/, '') });

function Piece({
  phrase: { text, tone, operations = [] },
  highlight,
}: {
  phrase: Phrase;
  highlight: Highlight;
}) {
  if (operations.length === 0)
    return (
      <span class={tone ? `tone ${tone}` : ''}>
        {tone ? <Isolated text={text} /> : <Prose text={text} />}
      </span>
    );
  const isLit = operations.some((id) => highlight.lit.has(id));
  const pick = () => highlight.pick(operations[0]);
  return (
    // not a button element, which cannot be broken into lines
    <span
      role="button"
      tabIndex={0}
      class={`mention ${tone ?? ''} ${isLit ? 'lit' : ''}`}
      {...highlightHandlers(highlight, operations)}
      onClick={pick}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        pick();
      }}
    >
      <Isolated text={text} />
    </span>
  );
}

/** Letters of code that is shown whole. */
const LONG = 60;

/** Code on two lines; what does not fit is cut, and shown whole when it is clicked. */
export function Clipped({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= LONG)
    return (
      <code>
        <Isolated text={text} />
      </code>
    );
  return (
    <button
      type="button"
      class={isWhole ? 'clipped whole' : 'clipped'}
      aria-expanded={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      <code>
        <Isolated text={text} />
      </code>
    </button>
  );
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const QUOTED = /("(?:[^"\\]|\\.)*")/;

/** Text with code between backticks, except in quoted values. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text
      .split(QUOTED)
      .flatMap((piece, i) => (i % 2 === 1 ? [piece] : piece.split(/(`[^`]+`)/)))
      .map((piece, i) =>
        /^`[^`]+`$/.test(piece) ? (
          <code key={i}>{piece.slice(1, -1)}</code>
        ) : (
          <Isolated key={i} text={piece} />
        ),
      )}
  </>
);

/** Text whose quoted values are isolated from each other, so that right-to-left values do not reorder the rest. */
export function Isolated({ text }: { text: string }) {
  if (!RIGHT_TO_LEFT.test(text)) return <>{text}</>;
  return <>{text.split(QUOTED).map((piece, i) => (i % 2 === 0 ? piece : <bdi key={i}>{piece}</bdi>))}</>;
}
