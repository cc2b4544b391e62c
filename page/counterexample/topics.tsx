/** How far a history is from linearizable, or what it tested: a topic and its sentences on each line. */
import type { TopicsData } from '../../src/report/html/page-types.js';
import { operationsIn } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { Phrases } from '../shell/text.js';

interface Props {
  readonly topics: TopicsData;
  readonly highlight: Highlight;
}

/** A topic, and its sentences beside it. */
const LINE = { display: 'grid', gridTemplateColumns: '8em minmax(0, 1fr)', padding: '4px 0' };
const LIST = { margin: 0 };

export const Topics = ({ topics: { title, lines }, highlight }: Props) => (
  <section aria-labelledby="topics">
    <h2 id="topics">{title}</h2>
    <dl style={LIST}>
      {lines.map(({ topic, sentence }, i) => (
        <div key={`${topic}${i}`} style={LINE} {...highlightHandlers(highlight, operationsIn(sentence))}>
          <dt class="faint">{topic}</dt>
          <dd style={LIST}>
            <Phrases sentence={sentence} highlight={highlight} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
