/** How far a history is from linearizable: a topic and its sentences on each line. */
import type { ConsistencyData } from '../../src/report/html/page-types.js';
import { operationsIn } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { Phrases } from '../shell/text.js';

interface Props {
  readonly consistency: ConsistencyData;
  readonly highlight: Highlight;
}

/** A topic, and its sentences beside it. */
const LINE = { display: 'grid', gridTemplateColumns: '8em minmax(0, 1fr)', padding: '4px 8px' };
const LIST = { margin: 0 };

export const HowFar = ({ consistency: { title, lines }, highlight }: Props) => (
  <section aria-labelledby="how-far">
    <h2 id="how-far">{title}</h2>
    <dl style={LIST}>
      {lines.map(({ topic, sentence }) => (
        <div key={topic} style={LINE} {...highlightHandlers(highlight, operationsIn(sentence))}>
          <dt class="faint">{topic}</dt>
          <dd style={LIST}>
            <Phrases sentence={sentence} highlight={highlight} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
