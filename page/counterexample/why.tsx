/**
 * The counterexample: the sentences that explain it beside its drawing, then the steps of a linearization of what came
 * before. A drawing that needs the whole width stands below the sentences.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CoreData, OrderData } from '../../src/report/html/page-types.js';
import { operationsIn, type Reason as ReasonData, type Sentence } from '../../src/report/sentences/words.js';
import { CopyButtons } from '../shell/copy.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Phrases } from '../shell/text.js';
import { Compared } from './compared.js';
import { leastWidth, Picture, SHORTER_LABELS } from './picture.js';
import { Steps, useSteps } from './steps.js';

/** Operations drawn at once. */
const MOST_DRAWN = 300;
/** The width of a drawing that fits beside the sentences, in pixels. */
const MOST_BESIDE = 760;

interface Props {
  readonly model: Model;
  readonly core: CoreData;
  readonly orders: readonly OrderData[];
  readonly highlight: Highlight;
  /** Do the keys ← and → step through the linearization? A trace on the same page has precedence. */
  readonly hasKeys: boolean;
  /** Stands beside the steps. */
  readonly children: ComponentChildren;
}

export function Why({ model, core, orders, highlight, hasKeys, children }: Props) {
  const [isWhole, setWhole] = useState(false);
  const steps = useSteps(orders);
  const all = core.operations.slice(-MOST_DRAWN);
  const ids = isWhole ? [...new Set([...all, ...core.shown])] : core.shown;
  const isCut = core.operations.some((id) => !core.shown.includes(id));
  const longest = useMemo(
    () => SHORTER_LABELS.find((length) => leastWidth(model, ids, core.fault, length) <= MOST_BESIDE),
    [model, ids.join()],
  );
  return (
    <>
      <section aria-labelledby="why" class={longest === undefined ? 'story' : 'story beside'}>
        <div>
          <h2 id="why">{core.title}</h2>
          {core.meanwhile !== undefined && <p class="hidden">{core.meanwhile}</p>}
          <ol class="reasons">
            {core.reasons.map((reason, i) => (
              <Reason key={i} {...reason} highlight={highlight}>
                {i === 0 && core.compared && <Compared {...core.compared} />}
              </Reason>
            ))}
          </ol>
        </div>
        <figure>
          <Picture
            model={model}
            ids={ids}
            fault={core.fault}
            longest={longest}
            highlight={highlight}
            walk={steps.shown}
            rendezvous={model.data.rendezvous}
          />
          <figcaption class="tools">
            {isCut && (
              <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
                All {all.length} operations of the core
              </button>
            )}
            <CopyButtons model={model} ids={core.operations} what="the core" />
          </figcaption>
        </figure>
      </section>
      <div class="columns with-aside">
        {steps.order.order.length > 0 && (
          <section aria-labelledby="steps">
            <h2 id="steps">Step by step in a sequential order</h2>
            <Steps model={model} steps={steps} highlight={highlight} hasKeys={hasKeys} />
          </section>
        )}
        {children}
      </div>
    </>
  );
}

/** A sentence, and the order of operations that it gives. */
function Reason({
  sentence,
  steps: order = [],
  skipped = 0,
  highlight,
  children,
}: ReasonData & { readonly highlight: Highlight; readonly children: ComponentChildren }) {
  const ids = [...new Set([sentence, ...order].flatMap(operationsIn))];
  const [more, listed] = skipped > 0 ? [order[0], order.slice(1)] : [undefined, order];
  const isLit = ids.some((id) => highlight.lit.has(id));
  const steps = (
    <>
      {more && (
        <p class="order-start faint">
          <Phrases sentence={more} highlight={highlight} />
        </p>
      )}
      <ol class="order" start={skipped + 1}>
        {listed.map((step, i) => (
          <li key={i}>
            <Phrases sentence={step} highlight={highlight} />
          </li>
        ))}
      </ol>
    </>
  );
  return (
    <li
      class={`${isLit ? 'lit' : ''} ${isLong([sentence]) ? 'long' : ''}`}
      {...highlightHandlers(highlight, ids)}
    >
      <Phrases sentence={sentence} highlight={highlight} />
      {order.length > 0 &&
        (isLong(order) ? (
          <details>
            <summary>Show the order</summary>
            {steps}
          </details>
        ) : (
          steps
        ))}
      {children}
    </li>
  );
}

/** Letters of a text that reads at a glance. A longer order is shown on demand: the steps below show it too. */
const GLANCE = 300;

const isLong = (texts: readonly Sentence[]): boolean =>
  texts.flat().reduce((sum, { text }) => sum + text.length, 0) > GLANCE;
