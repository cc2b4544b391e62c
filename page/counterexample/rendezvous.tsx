/** Rendezvous that explain a history, step by step: which calls synchronised, and when. The keys ← and → step through them. */
import { useState } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { RendezvousData } from '../../src/report/html/page-types.js';
import { CopyButtons } from '../shell/copy.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Stepper, useArrowKeys } from '../shell/stepper.js';
import { Picture } from './picture.js';

/** Rendezvous drawn at once. */
const WINDOW = 8;
const NO_WALK = { order: [], taken: 0, fails: false };

interface Props {
  readonly model: Model;
  readonly rendezvous: readonly RendezvousData[];
  readonly highlight: Highlight;
}

export function Rendezvous({ model, rendezvous, highlight }: Props) {
  const [taken, setTaken] = useState(Math.min(WINDOW, rendezvous.length));
  const go = (to: number) => setTaken(Math.max(0, Math.min(rendezvous.length, to)));
  useArrowKeys((by) => go(taken + by), true);
  const from = Math.max(0, Math.floor((taken - 1) / WINDOW) * WINDOW);
  const listed = rendezvous.slice(from, from + WINDOW);
  const ids = listed.flatMap(({ members }) => members);
  // a stateless object has one state only
  const hasStates = new Set(rendezvous.map(({ state }) => state).filter((state) => state !== '')).size > 1;
  const nameOf = (id: number): string => {
    const k = model.position(id);
    return k < 0 ? `operation ${id}` : `${model.labels.operation(k)} (${model.process(k)})`;
  };
  return (
    <section aria-labelledby="rendezvous">
      <h2 id="rendezvous">Rendezvous</h2>
      <Picture
        model={model}
        ids={ids}
        highlight={highlight}
        walk={NO_WALK}
        rendezvous={listed}
        linked={taken - from}
      />
      <Stepper taken={taken} last={rendezvous.length} go={go} />
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">calls</th>
              {hasStates && <th scope="col">state after it</th>}
            </tr>
          </thead>
          <tbody>
            {listed.map(({ members, state }, i) => (
              <tr
                key={from + i}
                class={from + i + 1 === taken ? 'now' : from + i >= taken ? 'later' : ''}
                {...highlightHandlers(highlight, members)}
              >
                <td>
                  <button type="button" onClick={() => go(from + i + 1)}>
                    {from + i + 1}
                  </button>
                </td>
                <td>{members.map(nameOf).join(' ⇄ ')}</td>
                {hasStates && (
                  <td>
                    <code>{printable(state)}</code>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="tools">
        <CopyButtons model={model} ids={ids} what="what is drawn" />
      </p>
    </section>
  );
}
