/** The counterexample: its drawing, as wide as the page; below it the sentences that point at what is drawn, and the steps. */
import { useState } from 'preact/hooks';
import type { CoreData, OrderData } from '../src/report/html/page-types.js';
import { operationsIn, type Sentence } from '../src/report/sentences/sentence.js';
import { CopyButtons } from './copy.js';
import { type Light, lighting } from './light.js';
import type { Model } from './model.js';
import { Phrases } from './phrases.js';
import { Picture } from './picture.js';
import { Steps, useSteps } from './steps.js';

/** More are not drawn big. */
const MOST_DRAWN = 300;

interface Props {
  readonly model: Model;
  readonly core: CoreData;
  readonly orders: readonly OrderData[];
  readonly light: Light;
  /** Do ← and → go through the order? An execution that is gone through has them. */
  readonly hasKeys: boolean;
}

export function Why({ model, core, orders, light, hasKeys }: Props) {
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
        light={light}
        walk={steps.shown}
        meetings={model.data.meetings}
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
            <Told key={i} sentence={sentence} order={order} light={light} />
          ))}
        </ol>
        <div>
          <Steps model={model} steps={steps} light={light} hasKeys={hasKeys} />
        </div>
      </div>
    </section>
  );
}

function Told({ sentence, order, light }: { sentence: Sentence; order: readonly Sentence[]; light: Light }) {
  const ids = [...new Set([sentence, ...order].flatMap(operationsIn))];
  const isLit = ids.some((id) => light.lit.has(id));
  return (
    <li class={isLit ? 'lit' : ''} {...lighting(light, ids)}>
      <Phrases sentence={sentence} light={light} />
      {order.length > 0 && (
        <ol class="order">
          {order.map((step, i) => (
            <li key={i}>
              <Phrases sentence={step} light={light} />
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
