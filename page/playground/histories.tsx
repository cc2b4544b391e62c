/** A history that the user draws or types, an object, and the verdict with its explanation and linearization. */
import { useMemo, useState } from 'preact/hooks';
import { OBJECT_NAMES, RENDEZVOUS_NAMES } from '../../src/objects/names.js';
import { Report } from '../report.js';
import { Model } from '../shell/model.js';
import { useChecked } from './checking.js';
import type { HistoryClassic } from './classics.js';
import { Editor } from './editor.js';
import { About, Pane, ProblemText, useLast } from './pane.js';
import { type Checked, OWN_SPEC, type Question } from './question.js';
import { Sketchpad } from './sketchpad.js';

/** A spec to start from. */
const FIRST_SPEC = `import type { Spec } from 'straightedge';

// Each method maps a state and its arguments to the next state and the result.
const spec: Spec = {
  name: 'counter',
  initial: 0,
  methods: {
    add: (state: number, by: number) => [state + by, state + by],
    get: (state: number) => [state, state],
  },
};
export default spec;
`;

/** Operations that are drawn for the mouse: each costs time at every keystroke. */
const MOST_DRAWN = 500;

export function Histories({ classic }: { classic: HistoryClassic }) {
  const [question, setQuestion] = useState<Question>({
    text: classic.text,
    object: classic.object,
    options: classic.options ?? '',
    spec: classic.spec ?? FIRST_SPEC,
  });
  const change = (part: Partial<Question>) => setQuestion((old) => ({ ...old, ...part }));
  const { reply, isCurrent } = useChecked(question);
  const problem = reply?.kind === 'refused' ? reply : undefined;
  const checked = useLast(reply, (one): one is Checked => one.kind === 'checked');
  const model = useMemo(() => checked && new Model(checked.data), [checked]);
  const isOwn = question.object === OWN_SPEC;
  return (
    <>
      <section class="input" aria-label="Your history">
        <About classic={classic} />
        <p class="tools">
          <label>
            Object{' '}
            <select
              value={question.object}
              onChange={(event) => change({ object: event.currentTarget.value, options: '' })}
            >
              <optgroup label="Objects">
                {OBJECT_NAMES.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </optgroup>
              <optgroup label="Calls that synchronise">
                {RENDEZVOUS_NAMES.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </optgroup>
              <option value={OWN_SPEC}>a spec of your own</option>
            </select>
          </label>
          {!isOwn && (
            <label>
              Options{' '}
              <input
                type="text"
                class={problem?.where === 'options' ? 'code wrong' : 'code'}
                value={question.options}
                placeholder='{"initial": …}'
                size={16}
                spellcheck={false}
                onInput={(event) => change({ options: event.currentTarget.value })}
              />
            </label>
          )}
          <button
            type="button"
            title="Draw the history again, with its columns in line"
            disabled={!isCurrent || reply?.kind !== 'checked'}
            onClick={() => checked && change({ text: `${checked.drawing}\n` })}
          >
            Redraw
          </button>
        </p>
        {checked &&
          (checked.data.history.id.length > MOST_DRAWN ? (
            <p class="faint">
              A history of more than {MOST_DRAWN} operations cannot be drawn with the mouse. The whole history
              on the right shows it.
            </p>
          ) : (
            <Sketchpad
              key={checked.drawing}
              drawing={checked.drawing}
              onChange={(drawing) => change({ text: drawing })}
            />
          ))}
        <Editor
          label="History"
          language="history"
          text={question.text}
          onChange={(text) => change({ text })}
          problem={problem?.where === 'history' ? problem : undefined}
        />
        {isOwn && (
          <Editor
            label="Spec"
            language="typescript"
            text={question.spec}
            onChange={(spec) => change({ spec })}
            problem={problem?.where === 'spec' ? problem : undefined}
          />
        )}
        <ProblemText problem={problem} />
        <Notation />
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

/** What can be typed. */
const Notation = () => (
  <details class="notation">
    <summary>How to write a history</summary>
    <p>
      A line is a process, and columns are time. An operation lasts from <code>|-</code> to <code>-|</code>.
      Two operations overlap if they share a column.
    </p>
    <pre>{`A  |- write(1) -|      |- read() -> 0 -|
B      |- write(2) -?`}</pre>
    <ul>
      <li>
        <code>-&gt; value</code> is the result, as JSON; without it the result is nothing.
      </li>
      <li>
        <code>! Name</code> instead of a result: the call threw this error.
      </li>
      <li>
        <code>-?</code> as the end: the call never returned. <code>-x</code>: it failed, so it did not happen.
      </li>
    </ul>
    <p>
      You can also paste JSON lines, one record per operation or event, as <code>check</code> reads them.
    </p>
  </details>
);
