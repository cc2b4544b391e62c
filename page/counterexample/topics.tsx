/** How far a history is from linearizable, or what it tested: a topic and its sentences on each line. */
import type { TopicData, TopicsData } from '../../src/report/html/page-types.js';
import { operationsIn, type Sentence } from '../../src/report/sentences/words.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { Phrases } from '../shell/text.js';

interface Props {
  readonly topics: TopicsData;
  readonly highlight: Highlight;
}

/** More lines than these take the whole width, in columns. */
const FEW = 3;

/** Do they fit beside something else? */
export const isNarrow = ({ lines }: TopicsData): boolean => lines.length <= FEW;

export const Topics = ({ topics, highlight }: Props) => (
  <section aria-labelledby="topics">
    <h2 id="topics">{topics.title}</h2>
    <dl class={isNarrow(topics) ? 'topics' : 'topics wide'}>
      {topics.lines.map((line, i) => (
        <div key={`${line.topic}${i}`} {...highlightHandlers(highlight, operationsIn(line.sentence))}>
          <dt class="faint">{line.topic}</dt>
          <dd>
            <Topic {...line} highlight={highlight} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

function Topic({ sentence, bars, table, highlight }: TopicData & { readonly highlight: Highlight }) {
  const items = sentence.find((phrase) => phrase.items)?.items;
  if (table) return <Rows table={table} />;
  if (!bars || !items) return <Phrases sentence={sentence} highlight={highlight} />;
  if (bars.kind === 'over time') return <OverTime sentence={sentence} amounts={bars.amounts} />;
  const most = Math.max(1, ...bars.amounts);
  const rest = sentence.slice(sentence.findIndex((phrase) => phrase.items) + 1);
  return (
    <>
      <ul class="by-name">
        {items.map((item, i) => (
          <li key={i}>
            <Phrases sentence={item} highlight={highlight} />
            <span class="amount" style={{ width: `${(100 * (bars.amounts[i] ?? 0)) / most}%` }} />
          </li>
        ))}
      </ul>
      {rest.some(({ text }) => text !== '.') && <Phrases sentence={rest} highlight={highlight} />}
    </>
  );
}

/** An amount for each of some equal spans of time, as columns. */
function OverTime({ sentence, amounts }: { sentence: Sentence; amounts: readonly number[] }) {
  const most = Math.max(1, ...amounts);
  const caption = sentence
    .filter(({ items }) => !items)
    .map(({ text }) => text)
    .join('')
    .replace(/[().]/g, '')
    .trim();
  return (
    <>
      <div class="over-time" role="img" aria-label={sentence.map(({ text }) => text).join('')}>
        {amounts.map((amount, i) => (
          <span key={i} class={amount === 0 ? 'none' : ''}>
            {amount.toLocaleString('en')}
            <i style={{ height: `${(32 * amount) / most}px` }} />
          </span>
        ))}
      </div>
      <span class="faint" aria-hidden="true">
        {caption}
      </span>
    </>
  );
}

const Rows = ({ table: [head, ...rows] }: { table: readonly (readonly string[])[] }) => (
  <table>
    <thead>
      <tr>
        {head.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, i) => (
        <tr key={i}>
          {row.map((text, j) => (
            <td key={head[j]}>{text}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
