/** A history that has an order: the operations around the step that is looked at, with the points at which they take effect. */
import type { OrderData } from '../src/report/html/page-types.js';
import { CopyButtons } from './copy.js';
import type { Light } from './light.js';
import type { Model } from './model.js';
import { Picture } from './picture.js';
import { Steps, useSteps, WINDOW } from './steps.js';

interface Props {
  readonly model: Model;
  readonly orders: readonly OrderData[];
  readonly light: Light;
}

export function Walk({ model, orders, light }: Props) {
  const steps = useSteps(orders, WINDOW - 2);
  const ids = steps.order.order.slice(steps.from, steps.from + WINDOW);
  return (
    <section aria-labelledby="walk">
      <h2 id="walk">{steps.order.title}</h2>
      <Picture model={model} ids={ids} light={light} walk={steps.shown} />
      <Steps model={model} steps={steps} light={light} hasKeys />
      <p class="tools">
        <CopyButtons model={model} ids={ids} what="what is drawn" />
      </p>
    </section>
  );
}
