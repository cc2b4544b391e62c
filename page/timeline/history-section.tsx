/** The whole history, on demand: filters, and the operations that they select as a timeline or a table. */
import { useMemo, useState } from 'preact/hooks';
import { CopyButtons } from '../shell/copy.js';
import { GROUPINGS, type Grouping, groupClass, groupsOf } from '../shell/groups.js';
import type { Highlight } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { neighbour, shownBy } from './filter.js';
import { Table } from './table.js';
import { Timeline } from './timeline.js';

/** Further groups can be found by a query. */
const MOST_GROUPS = 24;
/** Operations that can be copied at once. */
const MOST_COPIED = 5_000;

interface Props {
  readonly model: Model;
  readonly part: number | undefined;
  readonly highlight: Highlight;
  readonly isOpen: boolean;
}

export function HistorySection(props: Props) {
  const [isOpen, setOpen] = useState(props.isOpen);
  const { length } = props.model.history;
  return (
    <section aria-labelledby="history">
      <h2 id="history">{props.model.data.shows ?? 'The whole history'}</h2>
      {!isOpen && (
        <button type="button" onClick={() => setOpen(true)}>
          Show all {length.toLocaleString('en')} operations
        </button>
      )}
      {isOpen && <Whole {...props} />}
    </section>
  );
}

function Whole({ model, part, highlight }: Props) {
  const [query, setQuery] = useState('');
  const [by, setBy] = useState<Grouping>('method');
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [view, setView] = useState<'timeline' | 'table'>('timeline');
  const groups = useMemo(() => groupsOf(model, by), [model, by]);
  const shown = useMemo(
    () => shownBy(model, { query, part, groups, hidden }),
    [model, query, part, groups, hidden],
  );
  const toggle = (group: number) => {
    const next = new Set(hidden);
    if (!next.delete(group)) next.add(group);
    setHidden(next);
  };
  return (
    <>
      <p class="tools">
        <label>
          Find{' '}
          <input
            type="search"
            value={query}
            placeholder="process:A method:put is:pending"
            size={38}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter')
                highlight.pick(neighbour(model, shown, highlight.picked, event.shiftKey ? -1 : 1));
            }}
          />
        </label>
        <output>
          {shown.list.length.toLocaleString('en')} of {model.history.length.toLocaleString('en')} operations
        </output>
        <button type="button" onClick={() => highlight.pick(neighbour(model, shown, highlight.picked, -1))}>
          Previous
        </button>
        <button type="button" onClick={() => highlight.pick(neighbour(model, shown, highlight.picked, 1))}>
          Next
        </button>
        <span class="tabs">
          {(['timeline', 'table'] as const).map((name) => (
            <button type="button" key={name} aria-pressed={view === name} onClick={() => setView(name)}>
              {name === 'timeline' ? 'Timeline' : 'Table'}
            </button>
          ))}
        </span>
      </p>
      <p class="tools legend">
        <label>
          Colours by{' '}
          <select
            value={by}
            onChange={(event) => {
              setBy(event.currentTarget.value as Grouping);
              setHidden(new Set());
            }}
          >
            {GROUPINGS.filter((name) => name !== 'part' || model.data.parts.length > 1).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {groups.names.slice(0, MOST_GROUPS).map((name, group) => (
          <button
            type="button"
            key={group}
            class={`group ${groupClass(group)}`}
            aria-pressed={!hidden.has(group)}
            title={hidden.has(group) ? 'show' : 'hide'}
            onClick={() => toggle(group)}
          >
            {name.slice(0, 40) || 'no name'}
          </button>
        ))}
        {groups.names.length > MOST_GROUPS && (
          <span class="faint">and {groups.names.length - MOST_GROUPS} more</span>
        )}
      </p>
      {view === 'timeline' ? (
        <Timeline model={model} shown={shown} groups={groups} highlight={highlight} />
      ) : (
        <Table model={model} shown={shown} highlight={highlight} />
      )}
      <p class="tools">
        {shown.list.length <= MOST_COPIED ? (
          <CopyButtons
            model={model}
            ids={Array.from(shown.list, (k) => model.history.columns.id[k])}
            what="what is shown"
          />
        ) : (
          <span class="faint">To copy, show fewer than {MOST_COPIED.toLocaleString('en')} operations.</span>
        )}
      </p>
    </>
  );
}
