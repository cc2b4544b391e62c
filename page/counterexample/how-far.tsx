/** How far a history is from linearizable: a topic and its sentences on each line. */
import type { ConsistencyData } from '../../src/report/html/page-types.js';
import { operationsIn } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { Phrases } from '../shell/text.js';

interface Props {
  readonly consistency: ConsistencyData;
  readonly highlight: Highlight;
}

export const HowFar = ({ consistency: { title, lines }, highlight }: Props) => (
  <section aria-labelledby="how-far">
    <h2 id="how-far">{title}</h2>
    <dl class="how-far">
      {lines.map(({ topic, sentence }) => (
        <div key={topic} {...highlightHandlers(highlight, operationsIn(sentence))}>
          <dt>{topic}</dt>
          <dd>
            <Phrases sentence={sentence} highlight={highlight} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
