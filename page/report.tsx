/** A report, from the verdict at the top to the details of the selected operation. */
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { Rendezvous } from './counterexample/rendezvous.js';
import { Runs } from './counterexample/runs.js';
import { Linearization } from './counterexample/steps.js';
import { isNarrow, Topics } from './counterexample/topics.js';
import { Why } from './counterexample/why.js';
import { firstTab, How } from './explored/how.js';
import { Details } from './shell/details.js';
import { Header } from './shell/header.js';
import type { Highlight } from './shell/highlight.js';
import type { Model } from './shell/model.js';
import { PartTabs } from './shell/part-tabs.js';
import { Prose } from './shell/text.js';
import { HistorySection } from './timeline/history-section.js';

const NONE: ReadonlySet<number> = new Set();

/** The selection and the chosen tabs belong to one model: another one starts anew. */
export function Report({ model }: { model: Model }) {
  const version = useVersion(model);
  return (
    <>
      <Header data={model.data} />
      <Body key={version} model={model} />
    </>
  );
}

/** A number that changes with the model. */
function useVersion(model: Model): number {
  const last = useRef({ model, version: 0 });
  if (last.current.model !== model) last.current = { model, version: last.current.version + 1 };
  return last.current.version;
}

function Body({ model }: { model: Model }) {
  const { core, consistency, evidence, orders, rendezvous, runs, parts, notes, trace } = model.data;
  const [part, setPart] = useState<number | undefined>(parts.length > 1 ? core?.part : undefined);
  const [tab, setTab] = useState(firstTab(model.data));
  const [lit, setLit] = useState(NONE);
  const [picked, pick] = useState<number | undefined>(undefined);
  const show = useCallback((ids: readonly number[]) => setLit(ids.length === 0 ? NONE : new Set(ids)), []);
  const highlight: Highlight = useMemo(() => ({ lit, show, picked, pick }), [lit, show, picked]);
  const own = orders.filter((order) => parts.length <= 1 || order.part === part);
  const isWalked = !core && own.length > 0 && own[0].order.length > 0;
  const topics = consistency ?? evidence;
  const howFar = topics && topics.lines.length > 0 && <Topics topics={topics} highlight={highlight} />;
  const aside = topics && isNarrow(topics) && howFar;
  // a failure precedes the notes
  const isFailure = core !== undefined || runs !== undefined;
  return (
    <>
      <main>
        {!isFailure && <Notes notes={notes} />}
        {parts.length > 1 && <PartTabs parts={parts} chosen={part} choose={setPart} />}
        {!core && parts.length > 1 && part === undefined && orders.length > 0 && (
          <p class="faint">Each part has a linearization. Choose a part to step through it.</p>
        )}
        {core && (parts.length <= 1 || part === undefined || part === core.part) && (
          <Why model={model} core={core} orders={own} highlight={highlight} hasKeys={!trace || tab === 0}>
            {aside}
          </Why>
        )}
        {isWalked && (
          <Linearization key={part} model={model} orders={own} highlight={highlight}>
            {aside}
          </Linearization>
        )}
        {(core || isWalked) && !aside && howFar}
        {runs && <Runs data={model.data} runs={runs} highlight={highlight} />}
        {!core && rendezvous.length > 0 && (
          <Rendezvous model={model} rendezvous={rendezvous} highlight={highlight} />
        )}
        {!core && !isWalked && howFar}
        {trace && <How model={model} trace={trace} highlight={highlight} tab={tab} setTab={setTab} />}
        {!runs && model.history.length > 0 && (
          <HistorySection model={model} part={part} highlight={highlight} isOpen={core === undefined} />
        )}
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
        <li key={note}>
          <Prose text={note} />
        </li>
      ))}
    </ul>
  );
}
