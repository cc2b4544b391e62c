/** A class and a scenario that the user writes, and the failing interleaving, step by step in the source. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Report } from '../report.js';
import { Model } from '../shell/model.js';
import type { ScheduleClassic } from './classics.js';
import { Editor } from './editor.js';
import { About, Pane, ProblemText, useLast } from './pane.js';
import type { Explored } from './question.js';

/** Milliseconds without a key before a text is explored. */
const PAUSE = 400;

export function Schedules({ classic }: { classic: ScheduleClassic }) {
  const [text, setText] = useState(classic.text);
  const { answer, isCurrent } = useExplored(text);
  const problem = isCurrent && answer?.kind === 'refused' ? answer : undefined;
  const explored = useLast(answer, (one) => one.kind === 'checked');
  const model = useMemo(() => explored && new Model(explored.data), [explored]);
  return (
    <>
      <section class="input" aria-label="Your scenario">
        <About classic={classic} />
        <Editor label="Scenario" language="typescript" text={text} onChange={setText} problem={problem} />
        <ProblemText problem={problem} />
        <p class="faint" role="status">
          {isCurrent
            ? 'The code runs on this machine as your user, in a process of its own with limits of time and memory.'
            : 'Exploring …'}
        </p>
      </section>
      <Pane
        isCurrent={isCurrent && problem === undefined}
        isStale={problem !== undefined && model !== undefined}
      >
        {model ? <Report model={model} /> : <p class="nothing">No verdict yet.</p>}
      </Pane>
    </>
  );
}

/** The answer of the server, some time after the last change. */
function useExplored(text: string): { readonly answer: Explored | undefined; readonly isCurrent: boolean } {
  const [answered, setAnswered] = useState<{ text: string; answer: Explored }>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void ask(text, stop.signal).then((answer) => {
        if (!stop.signal.aborted) setAnswered({ text, answer });
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return { answer: answered?.answer, isCurrent: answered?.text === text };
}

async function ask(text: string, signal: AbortSignal): Promise<Explored> {
  try {
    const response = await fetch(`/explore${location.search}`, { method: 'POST', body: text, signal });
    if (response.ok) return (await response.json()) as Explored;
    return { kind: 'refused', message: await response.text() };
  } catch {
    return { kind: 'refused', message: 'The server does not answer. Is straightedge play still running?' };
  }
}
