/** An order, step by step: the state of the spec after each, and what the spec allows there. ← and → go through it. */
import { useState } from 'preact/hooks';
import { printable } from '../src/base/values/show.js';
import type { OrderData } from '../src/report/html/page-types.js';
import { Isolated } from './isolated.js';
import { type Light, lighting } from './light.js';
import type { Model } from './model.js';
import { Stepper, useArrowKeys } from './stepper.js';

/** How many steps are listed at once. */
export const WINDOW = 14;

export interface StepsState {
  readonly orders: readonly OrderData[];
  readonly order: OrderData;
  /** How many operations have taken effect. */
  readonly taken: number;
  /** The first that is listed. */
  readonly from: number;
  readonly go: (taken: number) => void;
  readonly choose: (order: number) => void;
  /** What a picture draws of it. */
  readonly shown: { readonly order: readonly number[]; readonly taken: number; readonly fails: boolean };
}

const EMPTY: OrderData = { part: 0, title: '', order: [], start: '', steps: [] };

/** `first`: how many have taken effect at first; all, if not told. */
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
  readonly light: Light;
  readonly hasKeys: boolean;
}

export function Steps({ model, steps, light, hasKeys }: StepsProps) {
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
      <Stepper taken={taken} last={order.order.length} go={go} />
      <p class="state" aria-live="polite">
        <Isolated text={sentenceAt(model, order, taken)} />
      </p>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">operation</th>
              <th scope="col">the spec allows</th>
              <th scope="col">state after it</th>
            </tr>
          </thead>
          <tbody>
            {from === 0 && (
              <tr class={taken === 0 ? 'now' : ''}>
                <td>0</td>
                <td class="faint">at first</td>
                <td />
                <td>
                  <code>{printable(order.start)}</code>
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
                light={light}
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
  readonly light: Light;
  readonly taken: number;
  readonly go: (taken: number) => void;
}

function Row({ model, order, number, id, light, taken, go }: RowProps) {
  const step = order.steps[number];
  const k = model.position(id);
  const when = number + 1 === taken ? 'now' : number + 1 > taken ? 'later' : '';
  return (
    <tr class={`${when} ${step?.state === null ? 'fails' : ''}`} {...lighting(light, [id])}>
      <td>
        <button type="button" onClick={() => go(number + 1)}>
          {number + 1}
        </button>
      </td>
      <td>
        <Isolated text={nameOf(model, id, step?.state === null)} />
        {k >= 0 && (
          <>
            {' '}
            (<bdi>{model.process(k)}</bdi>)
          </>
        )}
        {step?.state === null && <b class="bad"> ✗</b>}
      </td>
      <td>
        <Isolated text={step ? step.allowed.join(', ') || 'nothing' : ''} />
      </td>
      <td>
        {step ? step.state === null ? <b class="bad">none</b> : <code>{printable(step.state)}</code> : ''}
      </td>
    </tr>
  );
}

function sentenceAt(model: Model, { order, steps, start }: OrderData, taken: number): string {
  if (taken === 0) return `At first the object is ${printable(start)}.`;
  const step = steps[taken - 1];
  const label = nameOf(model, order[taken - 1], step?.state === null);
  if (!step) return `${label} takes effect. States are told only for the first steps.`;
  const allowed = step.allowed.join(', ') || 'nothing';
  return step.state === null
    ? `${label} does not fit here: the spec allows ${allowed}.`
    : `${label} takes effect. After it the object is ${printable(step.state)}.`;
}

function nameOf(model: Model, id: number, isWrong: boolean): string {
  const k = model.position(id);
  return k < 0 ? `operation ${id}` : model.labels.operation(k, isWrong);
}
