/** A linearization, step by step: the state of the spec, and the results that it allows. The keys ← and → step through it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { OrderData } from '../../src/report/html/page-types.js';
import { CopyButtons } from '../shell/copy.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Stepper, useArrowKeys } from '../shell/stepper.js';
import { Clipped, Isolated } from '../shell/text.js';
import { Picture } from './picture.js';

/** Steps listed at once. */
const WINDOW = 14;

export interface StepsState {
  readonly orders: readonly OrderData[];
  readonly order: OrderData;
  /** Number of operations that have taken effect. */
  readonly taken: number;
  /** The first step that is listed. */
  readonly from: number;
  readonly go: (taken: number) => void;
  readonly choose: (order: number) => void;
  /** What the picture shows. */
  readonly shown: { readonly order: readonly number[]; readonly taken: number; readonly fails: boolean };
}

const EMPTY: OrderData = { part: 0, title: '', isPartial: false, order: [], start: '', steps: [] };

/** `first`: the initial number of operations that have taken effect; all by default. */
export function useSteps(orders: readonly OrderData[], first?: number): StepsState {
  const [number, setNumber] = useState(0);
  const order = orders[Math.min(number, orders.length - 1)] ?? EMPTY;
  const [wanted, go] = useState(first ?? Number.POSITIVE_INFINITY);
  const taken = Math.min(wanted, order.order.length);
  const from = Math.max(0, Math.floor((taken - 1) / (WINDOW - 2)) * (WINDOW - 2) - 1);
  return {
    orders,
    order,
    taken,
    from,
    go: (to) => go(Math.max(0, Math.min(order.order.length, to))),
    choose: (other) => {
      setNumber(other);
      go(Number.POSITIVE_INFINITY);
    },
    shown: { order: order.order, taken, fails: order.steps[taken - 1]?.state === null },
  };
}

interface StepsProps {
  readonly model: Model;
  readonly steps: StepsState;
  readonly highlight: Highlight;
  readonly hasKeys: boolean;
}

export function Steps({ model, steps, highlight, hasKeys }: StepsProps) {
  const { orders, order, taken, go, choose, from } = steps;
  useArrowKeys((by) => go(taken + by), order.order.length > 0 && hasKeys);
  if (order.order.length === 0) return null;
  return (
    <div class="steps">
      {orders.length > 1 && (
        <p class="tabs">
          {orders.map(({ title }, i) => (
            <button type="button" key={title} aria-pressed={order === orders[i]} onClick={() => choose(i)}>
              {title}
            </button>
          ))}
        </p>
      )}
      {order.isPartial && (
        <p class="faint">
          Only some of the earlier operations are run here. After all of them, the spec may allow other
          results.
        </p>
      )}
      <Stepper taken={taken} last={order.order.length} go={go} />
      <p class="state" aria-live="polite">
        <Isolated text={sentenceAt(model, order, taken)} />
      </p>
      <div class="scrolls table">
        <table class="of-steps">
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">operation</th>
              <th scope="col">process</th>
              <th scope="col">the spec allows</th>
              <th scope="col">state after it</th>
            </tr>
          </thead>
          <tbody>
            {from === 0 && (
              <tr class={taken === 0 ? 'now' : ''}>
                <td>0</td>
                <td class="faint">initially</td>
                <td />
                <td />
                <td>
                  <Clipped text={printable(order.start)} />
                </td>
              </tr>
            )}
            {order.order.slice(from, from + WINDOW).map((id, i) => (
              <Row
                key={id}
                model={model}
                order={order}
                number={from + i}
                id={id}
                highlight={highlight}
                taken={taken}
                go={go}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface RowProps {
  readonly model: Model;
  readonly order: OrderData;
  readonly number: number;
  readonly id: number;
  readonly highlight: Highlight;
  readonly taken: number;
  readonly go: (taken: number) => void;
}

function Row({ model, order, number, id, highlight, taken, go }: RowProps) {
  const step = order.steps[number];
  const k = model.position(id);
  const isReturnOnly = step && step.state !== null && step.allowed.length === 0;
  const when = number + 1 === taken ? 'now' : number + 1 > taken ? 'later' : '';
  return (
    <tr class={`${when} ${step?.state === null ? 'fails' : ''}`} {...highlightHandlers(highlight, [id])}>
      <td>
        <button type="button" onClick={() => go(number + 1)}>
          {number + 1}
        </button>
      </td>
      <td>
        <Clipped text={`${nameOf(model, id, step?.state === null)}${step?.state === null ? ' ✗' : ''}`} />
      </td>
      <td>{k >= 0 && <bdi>{model.process(k)}</bdi>}</td>
      <td>
        {isReturnOnly ? (
          <span class="faint">no result</span>
        ) : (
          <Clipped text={step ? step.allowed.join(', ') || 'nothing' : ''} />
        )}
      </td>
      <td>
        {step ? step.state === null ? <b class="bad">none</b> : <Clipped text={printable(step.state)} /> : ''}
      </td>
    </tr>
  );
}

function sentenceAt(model: Model, { order, steps, start, isPartial }: OrderData, taken: number): string {
  if (taken === 0) return `Initially the object is ${printable(start)}.`;
  const step = steps[taken - 1];
  const label = nameOf(model, order[taken - 1], step?.state === null);
  if (!step) return `${label} takes effect. States are recorded for the first steps only.`;
  const allowed = step.allowed.join(', ') || 'nothing';
  return step.state === null
    ? `${label} does not fit here: ${isPartial ? 'after only these operations, ' : ''}the spec allows ${allowed}.`
    : `${label} takes effect. After it the object is ${printable(step.state)}.`;
}

function nameOf(model: Model, id: number, isWrong: boolean): string {
  const k = model.position(id);
  return k < 0 ? `operation ${id}` : model.labels.operation(k, isWrong);
}

interface LinearizationProps {
  readonly model: Model;
  readonly orders: readonly OrderData[];
  readonly highlight: Highlight;
  /** Stands beside the steps. */
  readonly children: ComponentChildren;
}

/** A linearization: the operations around the current step, with the points at which they take effect. */
export function Linearization({ model, orders, highlight, children }: LinearizationProps) {
  const steps = useSteps(orders, WINDOW - 2);
  const ids = steps.order.order.slice(steps.from, steps.from + WINDOW);
  return (
    <>
      <section aria-labelledby="walk">
        <h2 id="walk">
          {steps.order.title}
          {model.data.shows === undefined ? '' : ` of ${model.data.shows.toLowerCase()}`}
        </h2>
        <Picture model={model} ids={ids} highlight={highlight} walk={steps.shown} />
      </section>
      <div class="columns with-aside">
        <div>
          <Steps model={model} steps={steps} highlight={highlight} hasKeys />
          <p class="tools">
            <CopyButtons model={model} ids={ids} what="what is drawn" />
          </p>
        </div>
        {children}
      </div>
    </>
  );
}
