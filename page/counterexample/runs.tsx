/** Nondeterminism: two sequential runs of the same calls with different results. */
import { useMemo, useState } from 'preact/hooks';
import type { HistoryData } from '../../src/report/html/history-data.js';
import type { PageData } from '../../src/report/html/page-types.js';
import { CopyButtons } from '../shell/copy.js';
import { Details } from '../shell/details.js';
import type { Highlight } from '../shell/highlight.js';
import { Model } from '../shell/model.js';
import { Picture } from './picture.js';

const NO_WALK = { order: [], taken: 0, fails: false };

interface Props {
  readonly data: PageData;
  readonly runs: readonly HistoryData[];
  readonly highlight: Highlight;
}

export function Runs({ data, runs, highlight }: Props) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">The same sequential calls gave different results</h2>
      {runs.map((history, i) => (
        <Run
          key={i}
          name={i === 0 ? 'one run' : 'another run'}
          data={{ ...data, history }}
          highlight={highlight}
        />
      ))}
    </section>
  );
}

/** Operations with the same id are highlighted in both runs; each run shows its own details. */
function Run({ name, data, highlight }: { name: string; data: PageData; highlight: Highlight }) {
  const model = useMemo(() => new Model(data), [data.history]);
  const [picked, pick] = useState<number | undefined>(undefined);
  const ids = Array.from(model.history.columns.id);
  const fault = ids[ids.length - 1];
  return (
    <>
      <p class="faint">{name}</p>
      <Picture
        model={model}
        ids={ids}
        fault={fault}
        highlight={{ ...highlight, picked, pick }}
        walk={NO_WALK}
      />
      <p class="tools">
        <CopyButtons model={model} ids={ids} what="this run" />
      </p>
      <Details model={model} picked={picked} close={() => pick(undefined)} />
    </>
  );
}
