/** The whole history, on demand: filters, and below them the timeline or the table of what they let through. */
import { useMemo, useState } from 'preact/hooks';
import { CopyButtons } from './copy.js';
import { type Shown, shownBy } from './filter.js';
import { GROUPINGS, type Grouping, groupClass, groupsOf } from './groups.js';
import type { Light } from './light.js';
import type { Model } from './model.js';
import { Table } from './table.js';
import { Timeline } from './timeline.js';

/** Of more groups, the others can be found by a query. */
const MOST_GROUPS = 24;
/** More are too many to copy. */
const MOST_COPIED = 5_000;

interface Props {
  readonly model: Model;
  readonly part: number | undefined;
  readonly light: Light;
  readonly isOpen: boolean;
}

export function HistorySection(props: Props) {
  const [isOpen, setOpen] = useState(props.isOpen);
  const { length } = props.model.history;
  return (
    <section aria-labelledby="history">
      <h2 id="history">The whole history</h2>
      {length === 0 && <p>Nothing was recorded.</p>}
      {length > 0 && !isOpen && (
        <button type="button" onClick={() => setOpen(true)}>
          Show all {length.toLocaleString('en')} operations
        </button>
      )}
      {length > 0 && isOpen && <Whole {...props} />}
    </section>
  );
}

function Whole({ model, part, light }: Props) {
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
            placeholder="process:A method:enqueue value:5 is:pending"
            size={38}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter')
                light.pick(neighbour(model, shown, light.picked, event.shiftKey ? -1 : 1));
            }}
          />
        </label>
        <output>
          {shown.list.length.toLocaleString('en')} of {model.history.length.toLocaleString('en')} operations
        </output>
        <button type="button" onClick={() => light.pick(neighbour(model, shown, light.picked, -1))}>
          Previous
        </button>
        <button type="button" onClick={() => light.pick(neighbour(model, shown, light.picked, 1))}>
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
            title={hidden.has(group) ? 'show these' : 'hide these'}
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
        <Timeline model={model} shown={shown} groups={groups} light={light} />
      ) : (
        <Table model={model} shown={shown} light={light} />
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

/** The next or the previous one shown, round about. */
export function neighbour(
  model: Model,
  { list }: Shown,
  picked: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (list.length === 0) return undefined;
  const { id } = model.history.columns;
  const k = picked === undefined ? -1 : model.position(picked);
  const at = list.indexOf(k);
  if (at >= 0) return id[list[(at + by + list.length) % list.length]];
  const after = list.findIndex((other) => other > k);
  const next = after < 0 ? list.length : after;
  return id[list[by > 0 ? next % list.length : (next - 1 + list.length) % list.length]];
}
