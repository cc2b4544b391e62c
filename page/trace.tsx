/** An explored execution: one step at a time, a column for each thread, beside the source that runs. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { printable } from '../src/base/index.js';
import type { StepData, TraceData } from '../src/report/html/page-types.js';
import { type Light, lighting } from './light.js';
import type { Model } from './model.js';
import { Stepper, useArrowKeys } from './stepper.js';

interface Row {
  readonly process: number;
  readonly operation: number;
  readonly text: string;
  /** The step that it belongs to, from 1. */
  readonly step: number;
  readonly kind: 'call' | 'step' | 'end';
}

export function TraceView({ model, trace, light }: { model: Model; trace: TraceData; light: Light }) {
  const { steps } = trace;
  const [taken, setTaken] = useState(1);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(steps.length, to));
    setTaken(next);
    light.turnOn(next === 0 ? [] : [steps[next - 1].operation]);
  };
  useArrowKeys((by) => go(taken + by), true);
  const rows = useMemo(() => rowsOf(model, trace), [model, trace]);
  const processes = [...new Set(rows.map(({ process }) => process))].sort((a, b) => a - b);
  const now = steps[taken - 1];
  const shown = useRef<HTMLTableRowElement>(null);
  useEffect(() => shown.current?.scrollIntoView?.({ block: 'nearest' }), [taken]);
  return (
    <section aria-labelledby="trace">
      <h2 id="trace">How it went, step by step</h2>
      <Stepper taken={taken} last={steps.length} go={go} />
      <p class="state" aria-live="polite">
        {now ? sentenceOf(model, now) : 'Nothing has happened yet.'}
      </p>
      <div class="columns even">
        <div class="scrolls tall" tabIndex={0} role="group" aria-label="Steps, a column for each thread">
          <table class="steps-of-threads">
            <thead>
              <tr>
                {processes.map((process) => (
                  <th scope="col" key={process}>
                    {printable(model.history.tables.processes[process])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const isNow = row.kind === 'step' && row.step === taken;
                return (
                  <tr
                    key={`${row.kind}${row.step}`}
                    ref={isNow ? shown : null}
                    class={isNow ? 'now' : row.step > taken ? 'later' : ''}
                    {...lighting(light, [row.operation])}
                    onClick={() => go(row.step)}
                  >
                    {processes.map((process) => (
                      <td key={process} class={row.kind}>
                        {process === row.process ? row.text : ''}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
        <Source trace={trace} now={now} />
      </div>
      <Values steps={steps.slice(0, taken)} />
    </section>
  );
}

function rowsOf(model: Model, { steps }: TraceData): Row[] {
  const { process } = model.history.columns;
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  steps.forEach(({ operation }, i) => {
    if (!first.has(operation)) first.set(operation, i);
    last.set(operation, i);
  });
  return steps.flatMap((step, i) => {
    const { operation } = step;
    const k = model.position(operation);
    const own = { process: process[k], operation, step: i + 1 };
    const call = model.labels.call(model.history.at(k));
    const outcome = model.label(k).slice(call.length).trim();
    return [
      ...(first.get(operation) === i ? [{ ...own, text: call, kind: 'call' as const }] : []),
      { ...own, text: stepText(step), kind: 'step' as const },
      ...(last.get(operation) === i ? [{ ...own, text: outcome || 'returns', kind: 'end' as const }] : []),
    ];
  });
}

/** `reads taken → 0`, `writes taken = 1`. */
function stepText({ access, name, value, line }: StepData): string {
  const what = name === '' ? (line > 0 ? `at line ${line}` : '') : printable(name);
  const told = value === null || value === 'undefined' ? '' : ` ${access === 'writes' ? '=' : '→'} ${value}`;
  return `${access} ${what}${told}`;
}

function sentenceOf(model: Model, step: StepData): string {
  const k = model.position(step.operation);
  return `${model.process(k)}, in ${model.labels.call(model.history.at(k))}: ${stepText(step)}.`;
}

/** The file that runs, with the line. */
function Source({ trace: { files }, now }: { trace: TraceData; now: StepData | undefined }) {
  const file = files[now?.file ?? 0];
  const shown = useRef<HTMLTableRowElement>(null);
  useEffect(() => shown.current?.scrollIntoView?.({ block: 'nearest' }), [now]);
  if (!file) return <p class="faint">There is no source to show.</p>;
  return (
    <div>
      <p class="faint">{printable(file.name)}</p>
      <div class="scrolls tall source" tabIndex={0} role="group" aria-label="Source">
        <table>
          <tbody>
            {file.lines.map(([number, text], i) => {
              const isNow = number === now?.line && now.file !== null;
              return (
                <tr key={number} class={isNow ? 'now' : ''} ref={isNow ? shown : null}>
                  <td class="faint">{i > 0 && file.lines[i - 1][0] < number - 1 ? `… ${number}` : number}</td>
                  <td>
                    <code>{printable(text.replaceAll('\t', '  '))}</code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** What each name was last seen to hold. */
function Values({ steps }: { steps: readonly StepData[] }) {
  const values = new Map<string, string>();
  for (const { name, value } of steps) if (name !== '' && value !== null) values.set(name, value);
  if (values.size === 0) return null;
  return (
    <p class="tools">
      <span class="faint">Last read or stored:</span>
      {Array.from(values, ([name, value]) => (
        <code key={name} class="value">
          {printable(name)} = {value}
        </code>
      ))}
    </p>
  );
}
