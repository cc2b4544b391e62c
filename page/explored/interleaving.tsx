/** The steps of an execution, one column per thread: each call, its reads and writes, and its result. */
import { useMemo } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { StepData } from '../../src/report/html/page-types.js';
import type { Model } from '../shell/model.js';

export interface Row {
  readonly process: number;
  readonly operation: number;
  readonly text: string;
  /** The step that it belongs to, from 0. */
  readonly step: number;
  readonly kind: 'call' | 'step' | 'end';
  /** Does the row stand for the step? A call without an access does. */
  readonly isStep: boolean;
}

interface Props {
  readonly model: Model;
  readonly steps: readonly StepData[];
  /** Class and event handlers of a row. */
  readonly rowProps: (row: Row) => object;
}

export function Interleaving({ model, steps, rowProps }: Props) {
  const rows = useMemo(() => rowsOf(model, steps), [model, steps]);
  // the order of the rows in the drawing: by the first call
  const processes = [...new Set(model.history.columns.process)];
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
            <tr key={`${row.kind}${row.step} ${row.operation}`} {...rowProps(row)}>
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
  const started = new Set<number>();
  return steps.flatMap((step, i) => {
    const own = rowOf(model, step.operation, i);
    const text = stepText(step);
    const isFirst = !started.has(step.operation);
    started.add(step.operation);
    const rows: readonly (Row | false)[] = [
      isFirst && { ...own, text: callOf(model, step.operation), kind: 'call', isStep: text === '' },
      text !== '' && { ...own, text, kind: 'step', isStep: true },
      ...step.ends.map(
        (end): Row => ({ ...rowOf(model, end.operation, i), text: end.text, kind: 'end', isStep: false }),
      ),
    ];
    return rows.filter((row) => row !== false);
  });
}

const rowOf = (model: Model, operation: number, step: number) => ({
  process: model.history.columns.process[model.position(operation)],
  operation,
  step,
});

const callOf = (model: Model, operation: number): string =>
  model.labels.call(model.history.at(model.position(operation)));

/** `reads taken → 0`, `writes taken = 1`. */
export function stepText({ access, name, value, isStored, line }: StepData): string {
  if (access === '') return '';
  const what = name === '' ? (line > 0 ? `at line ${line}` : '') : printable(name);
  const shown = value === null ? '' : ` ${isStored ? '=' : '→'} ${value}`;
  return `${access} ${what}${shown}`.trim();
}
