/** How an explored failure happened: its root cause, if it was asked for, and its steps. */
import { useId, useRef } from 'preact/hooks';
import type { PageData, TraceData } from '../../src/report/html/page-types.js';
import type { Highlight } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { CauseView } from './cause.js';
import { TraceView } from './trace.js';

const TABS = ['Root cause', 'Step by step'] as const;

interface Props {
  readonly model: Model;
  readonly trace: TraceData;
  readonly highlight: Highlight;
  readonly tab: number;
  readonly setTab: (tab: number) => void;
}

/** The first tab to show: the root cause, if there is one. */
export const firstTab = ({ cause }: PageData): number => (cause ? 0 : 1);

export function How({ model, trace, highlight, tab, setTab }: Props) {
  const { cause } = model.data;
  const id = useId();
  const buttons = useRef<HTMLDivElement>(null);
  const move = (by: number) => {
    const next = (tab + by + TABS.length) % TABS.length;
    setTab(next);
    (buttons.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <section aria-labelledby="trace">
      <h2 id="trace">{cause ? 'What happened, and why' : 'What happened, step by step'}</h2>
      {cause && (
        <div class="tabs" role="tablist" ref={buttons}>
          {TABS.map((name, i) => (
            <button
              type="button"
              role="tab"
              key={name}
              id={`${id}${i}`}
              aria-selected={i === tab}
              aria-controls={`${id}panel`}
              tabIndex={i === tab ? 0 : -1}
              onClick={() => setTab(i)}
              onKeyDown={(event) => {
                const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
                if (by === undefined) return;
                event.preventDefault();
                event.stopPropagation();
                move(by);
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <div {...(cause && { id: `${id}panel`, role: 'tabpanel', 'aria-labelledby': `${id}${tab}` })}>
        {cause && tab === 0 ? (
          <CauseView model={model} trace={trace} cause={cause} highlight={highlight} />
        ) : (
          <TraceView model={model} trace={trace} highlight={highlight} />
        )}
      </div>
    </section>
  );
}
