/** The same calls, one after another, that have ended in two ways: both runs, drawn one above the other. */
import { useMemo } from 'preact/hooks';
import type { HistoryData } from '../src/report/html/history-data.js';
import type { PageData } from '../src/report/html/page-types.js';
import type { Light } from './light.js';
import { Model } from './model.js';
import { Picture } from './picture.js';

const NO_WALK = { order: [], taken: 0, fails: false };

interface Props {
  readonly data: PageData;
  readonly runs: readonly HistoryData[];
  readonly light: Light;
}

export function Runs({ data, runs, light }: Props) {
  const models = useMemo(() => runs.map((history) => new Model({ ...data, history })), [data, runs]);
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">The same calls, one after another, have ended in two ways</h2>
      {models.map((model, i) => {
        const ids = Array.from(model.history.columns.id);
        return (
          <div key={i}>
            <p class="faint">{i === 0 ? 'one run' : 'another run'}</p>
            <Picture model={model} ids={ids} fault={ids[ids.length - 1]} light={light} walk={NO_WALK} />
          </div>
        );
      })}
    </section>
  );
}
