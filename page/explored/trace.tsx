/** An explored execution, step by step, beside its source. */
import { useState } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { StepData, TraceData } from '../../src/report/html/page-types.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Stepper, useArrowKeys } from '../shell/stepper.js';
import { Interleaving, stepText } from './interleaving.js';
import { Source, useVisibleRow } from './source.js';

export function TraceView({
  model,
  trace,
  highlight,
}: {
  model: Model;
  trace: TraceData;
  highlight: Highlight;
}) {
  const { steps, files } = trace;
  const [taken, setTaken] = useState(1);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(steps.length, to));
    setTaken(next);
    highlight.show(next === 0 ? [] : [steps[next - 1].operation]);
  };
  useArrowKeys((by) => go(taken + by), true);
  const now = taken === 0 ? undefined : steps[taken - 1];
  const shown = useVisibleRow(taken);
  const file = files[now?.file ?? 0];
  return (
    <>
      <Stepper taken={taken} last={steps.length} go={go} />
      <p class="state" aria-live="polite">
        {now ? sentenceOf(model, now) : 'Not started.'}
      </p>
      <div class="columns">
        <Interleaving
          model={model}
          steps={steps}
          rowProps={({ step, isStep, operation }) => {
            const isNow = isStep && step + 1 === taken;
            return {
              ref: isNow ? shown : null,
              class: isNow ? 'now' : step >= taken ? 'later' : '',
              onClick: () => go(step + 1),
              ...highlightHandlers(highlight, [operation]),
            };
          }}
        />
        {file ? (
          <Source file={file} now={now?.file == null ? undefined : now.line} />
        ) : (
          <p class="faint">There is no source to show.</p>
        )}
      </div>
      <Values steps={steps.slice(0, taken)} />
    </>
  );
}

function sentenceOf(model: Model, step: StepData): string {
  const k = model.position(step.operation);
  const call = model.labels.call(model.history.at(k));
  const text = stepText(step);
  return `${model.process(k)}${text === '' ? ` calls ${call}` : `, in ${call}: ${text}`}.`;
}

/** The last value that was read or written, by name. */
function Values({ steps }: { steps: readonly StepData[] }) {
  const values = new Map<string, string>();
  for (const { name, value } of steps) if (name !== '' && value !== null) values.set(name, value);
  if (values.size === 0) return null;
  return (
    <p class="tools">
      <span class="faint">Last read or written:</span>
      {Array.from(values, ([name, value]) => (
        <code key={name} class="value">
          {printable(name)} = {value}
        </code>
      ))}
    </p>
  );
}
