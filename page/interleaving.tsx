/** The steps of an execution, a column for each thread: each call, what it read and stored, and its end. */
import { useMemo } from 'preact/hooks';
import { printable } from '../src/base/index.js';
import type { StepData } from '../src/report/html/page-types.js';
import type { Model } from './model.js';

export interface Row {
  readonly process: number;
  readonly operation: number;
  readonly text: string;
  /** The step that it belongs to, from 0. */
  readonly step: number;
  readonly kind: 'call' | 'step' | 'end';
  /** Does it stand for the step? A call that only begins does. */
  readonly isStep: boolean;
}

interface Props {
  readonly model: Model;
  readonly steps: readonly StepData[];
  /** What each row is given: its class, and what happens when somebody points at it. */
  readonly rowProps: (row: Row) => object;
}

export function Interleaving({ model, steps, rowProps }: Props) {
  const rows = useMemo(() => rowsOf(model, steps), [model, steps]);
  const processes = [...new Set(rows.map(({ process }) => process))].sort((a, b) => a - b);
  return (
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
          {rows.map((row) => (
            <tr key={`${row.kind}${row.step}`} {...rowProps(row)}>
              {processes.map((process) => (
                <td key={process} class={process === row.process ? row.kind : ''}>
                  {process === row.process ? row.text : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowsOf(model: Model, steps: readonly StepData[]): Row[] {
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
    const own = { process: process[k], operation, step: i };
    const call = model.labels.call(model.history.at(k));
    const outcome = model
      .label(k, operation === model.data.core?.fault)
      .slice(call.length)
      .trim();
    const text = stepText(step);
    const rows: readonly (Row | false)[] = [
      first.get(operation) === i && { ...own, text: call, kind: 'call', isStep: text === '' },
      text !== '' && { ...own, text, kind: 'step', isStep: true },
      last.get(operation) === i && { ...own, text: outcome || 'returns', kind: 'end', isStep: false },
    ];
    return rows.filter((row) => row !== false);
  });
}

/** `reads taken → 0`, `writes taken = 1`. */
export function stepText({ access, name, value, line }: StepData): string {
  if (access === '') return '';
  const what = name === '' ? (line > 0 ? `at line ${line}` : '') : printable(name);
  const told = value === null || value === 'undefined' ? '' : ` ${access === 'writes' ? '=' : '→'} ${value}`;
  return `${access} ${what}${told}`.trim();
}
