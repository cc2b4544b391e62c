/** The same calls, one after another, that have ended in two ways: both runs, drawn one above the other. */
import { useMemo, useState } from 'preact/hooks';
import type { HistoryData } from '../src/report/html/history-data.js';
import type { PageData } from '../src/report/html/page-types.js';
import { CopyButtons } from './copy.js';
import { Details } from './details.js';
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
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">The same calls, one after another, have ended in two ways</h2>
      {runs.map((history, i) => (
        <Run key={i} name={i === 0 ? 'one run' : 'another run'} data={{ ...data, history }} light={light} />
      ))}
    </section>
  );
}

/** Its operations light those of the other, which have the same ids; but each tells all of its own. */
function Run({ name, data, light }: { name: string; data: PageData; light: Light }) {
  const model = useMemo(() => new Model(data), [data.history]);
  const [picked, pick] = useState<number | undefined>(undefined);
  const ids = Array.from(model.history.columns.id);
  const fault = ids[ids.length - 1];
  return (
    <>
      <p class="faint">{name}</p>
      <Picture model={model} ids={ids} fault={fault} light={{ ...light, picked, pick }} walk={NO_WALK} />
      <p class="tools">
        <CopyButtons model={model} ids={ids} what="this run" />
      </p>
      <Details model={model} picked={picked} close={() => pick(undefined)} />
    </>
  );
}
