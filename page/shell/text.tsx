/** Sentences of a report. Phrases that mention operations highlight them, and select one when clicked. */
import { useState } from 'preact/hooks';
import type { Phrase, Sentence } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from './highlight.js';

export const Phrases = ({ sentence, highlight }: { sentence: Sentence; highlight: Highlight }) => (
  <>
    {sentence.map((phrase, i) => (
      <Piece key={i} phrase={phrase} highlight={highlight} />
    ))}
  </>
);

function Piece({
  phrase: { text, tone, operations = [] },
  highlight,
}: {
  phrase: Phrase;
  highlight: Highlight;
}) {
  const isLong = text.length > LONG;
  if (operations.length === 0)
    return (
      <span
        class={tone ? `tone ${tone} ${isLong ? 'long' : ''}` : ''}
        title={tone && isLong ? text : undefined}
      >
        <Isolated text={text} />
      </span>
    );
  const isLit = operations.some((id) => highlight.lit.has(id));
  return (
    <button
      type="button"
      class={`mention ${tone ?? ''} ${isLit ? 'lit' : ''} ${isLong ? 'long' : ''}`}
      title={isLong ? text : undefined}
      {...highlightHandlers(highlight, operations)}
      onClick={() => highlight.pick(operations[0])}
    >
      <Isolated text={text} />
    </button>
  );
}

/** Letters of a phrase that is shown whole. */
const LONG = 60;

/** Code on one line; what does not fit is cut, and shown whole when it is clicked. */
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

/** Text whose quoted values are isolated from each other, so that right-to-left values do not reorder the rest. */
export function Isolated({ text }: { text: string }) {
  if (!RIGHT_TO_LEFT.test(text)) return <>{text}</>;
  return <>{text.split(QUOTED).map((piece, i) => (i % 2 === 0 ? piece : <bdi key={i}>{piece}</bdi>))}</>;
}
