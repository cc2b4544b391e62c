/** A sentence, of which some pieces point at operations: they light them, and tell all of one when chosen. */
import type { Phrase, Sentence } from '../src/report/sentences/sentence.js';
import { Isolated } from './isolated.js';
import { type Light, lighting } from './light.js';

export const Phrases = ({ sentence, light }: { sentence: Sentence; light: Light }) => (
  <>
    {sentence.map((phrase, i) => (
      <Piece key={i} phrase={phrase} light={light} />
    ))}
  </>
);

function Piece({ phrase: { text, tone, operations = [] }, light }: { phrase: Phrase; light: Light }) {
  if (operations.length === 0)
    return (
      <span class={tone ? `tone ${tone}` : ''}>
        <Isolated text={text} />
      </span>
    );
  const isLit = operations.some((id) => light.lit.has(id));
  return (
    <button
      type="button"
      class={`mention ${tone ?? ''} ${isLit ? 'lit' : ''}`}
      {...lighting(light, operations)}
      onClick={() => light.pick(operations[0])}
    >
      <Isolated text={text} />
    </button>
  );
}
