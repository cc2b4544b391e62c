/** The counterexample: its drawing, the sentences that explain it, and the steps of a linearization of what came before. */
import { useState } from 'preact/hooks';
import type { CoreData, OrderData } from '../../src/report/html/page-types.js';
import { operationsIn, type Sentence } from '../../src/report/sentences/words.js';
import { CopyButtons } from '../shell/copy.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Phrases } from '../shell/text.js';
import { Picture } from './picture.js';
import { Steps, useSteps } from './steps.js';

/** Operations drawn at once. */
const MOST_DRAWN = 300;

interface Props {
  readonly model: Model;
  readonly core: CoreData;
  readonly orders: readonly OrderData[];
  readonly highlight: Highlight;
  /** Do the keys ← and → step through the linearization? A trace on the same page has precedence. */
  readonly hasKeys: boolean;
}

export function Why({ model, core, orders, highlight, hasKeys }: Props) {
  const [isWhole, setWhole] = useState(false);
  const steps = useSteps(orders);
  const all = core.operations.slice(-MOST_DRAWN);
  const ids = isWhole ? [...new Set([...all, ...core.shown])] : core.shown;
  const isCut = core.operations.some((id) => !core.shown.includes(id));
  return (
    <section aria-labelledby="why">
      <h2 id="why">{core.title}</h2>
      <Picture
        model={model}
        ids={ids}
        fault={core.fault}
        highlight={highlight}
        walk={steps.shown}
        rendezvous={model.data.rendezvous}
      />
      <p class="tools">
        {isCut && (
          <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            All {all.length} operations of the core
          </button>
        )}
        <CopyButtons model={model} ids={core.operations} what="the core" />
      </p>
      <div class="columns">
        <ol class="reasons">
          {core.reasons.map(({ sentence, steps: order = [] }, i) => (
            <Reason key={i} sentence={sentence} order={order} highlight={highlight} />
          ))}
        </ol>
        <div>
          <Steps model={model} steps={steps} highlight={highlight} hasKeys={hasKeys} />
        </div>
      </div>
    </section>
  );
}

function Reason({
  sentence,
  order,
  highlight,
}: {
  sentence: Sentence;
  order: readonly Sentence[];
  highlight: Highlight;
}) {
  const ids = [...new Set([sentence, ...order].flatMap(operationsIn))];
  const isLit = ids.some((id) => highlight.lit.has(id));
  return (
    <li class={isLit ? 'lit' : ''} {...highlightHandlers(highlight, ids)}>
      <Phrases sentence={sentence} highlight={highlight} />
      {order.length > 0 && (
        <ol class="order">
          {order.map((step, i) => (
            <li key={i}>
              <Phrases sentence={step} highlight={highlight} />
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
