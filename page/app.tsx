/** The page, from top to bottom: the verdict, the parts, the reason or the order, the history, the operation picked out. */
import { useCallback, useMemo, useState } from 'preact/hooks';
import { Details } from './details.js';
import { Header } from './header.js';
import { HistorySection } from './history-section.js';
import { firstTab, How } from './how.js';
import type { Light } from './light.js';
import { Meetings } from './meetings.js';
import type { Model } from './model.js';
import { PartTabs } from './part-tabs.js';
import { Runs } from './runs.js';
import { Walk } from './walk.js';
import { Why } from './why.js';

const NONE: ReadonlySet<number> = new Set();

export function App({ model }: { model: Model }) {
  const { core, orders, meetings, runs, parts, notes, trace } = model.data;
  const [part, setPart] = useState<number | undefined>(parts.length > 1 ? core?.part : undefined);
  const [tab, setTab] = useState(firstTab(model.data));
  const [lit, setLit] = useState(NONE);
  const [picked, pick] = useState<number | undefined>(undefined);
  const turnOn = useCallback((ids: readonly number[]) => setLit(ids.length === 0 ? NONE : new Set(ids)), []);
  const light: Light = useMemo(() => ({ lit, turnOn, picked, pick }), [lit, turnOn, picked]);
  const own = orders.filter((order) => parts.length <= 1 || order.part === part);
  // what is wrong comes before all else
  const isFailure = core !== undefined || runs !== undefined;
  return (
    <>
      <Header data={model.data} />
      <main>
        {!isFailure && <Notes notes={notes} />}
        {parts.length > 1 && <PartTabs parts={parts} chosen={part} choose={setPart} />}
        {!core && parts.length > 1 && part === undefined && orders.length > 0 && (
          <p class="faint">Each part has a linearization. Choose a part to step through it.</p>
        )}
        {core && (parts.length <= 1 || part === undefined || part === core.part) && (
          <Why model={model} core={core} orders={own} light={light} hasKeys={!trace || tab === 0} />
        )}
        {!core && own.length > 0 && own[0].order.length > 0 && (
          <Walk key={part} model={model} orders={own} light={light} />
        )}
        {runs && <Runs data={model.data} runs={runs} light={light} />}
        {!core && meetings.length > 0 && <Meetings model={model} meetings={meetings} light={light} />}
        {trace && <How model={model} trace={trace} light={light} tab={tab} setTab={setTab} />}
        {!runs && <HistorySection model={model} part={part} light={light} isOpen={core === undefined} />}
        {isFailure && <Notes notes={notes} />}
      </main>
      <Details model={model} picked={picked} close={() => pick(undefined)} />
    </>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
