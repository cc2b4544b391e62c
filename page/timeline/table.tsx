/** The operations shown, as a table in pages. */
import { useEffect, useState } from 'preact/hooks';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import type { Shown } from './filter.js';

const PAGE = 100;

export function Table({ model, shown, highlight }: { model: Model; shown: Shown; highlight: Highlight }) {
  const [page, setPage] = useState(0);
  const { list } = shown;
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const { id } = model.history.columns;
  // a new filter starts at the first page; an operation that was selected elsewhere is brought into view
  useEffect(() => setPage(0), [shown]);
  useEffect(() => {
    const at = highlight.picked === undefined ? -1 : list.indexOf(model.position(highlight.picked));
    if (at >= 0) setPage(Math.floor(at / PAGE));
  }, [highlight.picked]);
  const rows = Array.from(list.subarray(page * PAGE, (page + 1) * PAGE));
  return (
    <div>
      <div class="scrolls">
        <table class="operations">
          <thead>
            <tr>
              {['operation', 'process', 'call and outcome', 'called', 'returned', 'duration'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((k) => (
              <tr
                key={k}
                class={`${model.data.core?.fault === id[k] ? 'fails' : model.core.has(id[k]) ? 'core' : ''} ${highlight.picked === id[k] ? 'now' : ''}`}
                {...highlightHandlers(highlight, [id[k]])}
              >
                <td>
                  <button type="button" onClick={() => highlight.pick(id[k])}>
                    {id[k]}
                  </button>
                </td>
                <td>{model.process(k).slice(0, 60)}</td>
                <td>{model.label(k).slice(0, 200)}</td>
                <td>{model.when(k, 'call') ?? `event ${model.history.columns.call[k]}`}</td>
                <td>{returned(model, k)}</td>
                <td>{model.duration(k) ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <p class="tools">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Earlier page
          </button>
          <output>
            page {page + 1} of {pages.toLocaleString('en')}
          </output>
          <button type="button" disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
            Later page
          </button>
        </p>
      )}
    </div>
  );
}

function returned(model: Model, k: number): string {
  const [, end] = model.span(k, 'rank');
  return Number.isFinite(end) ? (model.when(k, 'return') ?? `event ${end}`) : 'never';
}
