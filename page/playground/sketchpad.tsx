/**
 * Draws a history with the mouse: a drag along the row of a process makes an operation, a click on one changes it. The
 * result is a drawing in text, like one that was typed; the keyboard has the editor for that.
 *
 * Only the order of calls and returns counts, so a place between two events is all that a position means.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { HistoryBuilder, type TimedOperation } from '../../src/history/builder/builder.js';
import { layOut } from '../../src/history/drawing/layout.js';
import { draw, labelOf, sketch } from '../../src/history/drawing/sketch.js';
import type { History } from '../../src/history/history.js';

const LETTER = 7.8;
const ROW = 34;
const BAR = 24;
const TOP = 6;
/** Columns after the last event. */
const FREE = 24;
/** A shorter movement of the mouse is a click. */
const LEAST_DRAG = 2;

interface Props {
  /** The history as a drawing that can be read. */
  readonly drawing: string;
  readonly onChange: (drawing: string) => void;
}

/** A new operation between two columns of a row, or one that exists. */
type Chosen =
  | { readonly kind: 'new'; readonly row: number; readonly from: number; readonly to: number }
  | { readonly kind: 'old'; readonly k: number };

export function Sketchpad({ drawing, onChange }: Props) {
  const grid = useMemo(() => new Grid(sketch(drawing) as unknown as History), [drawing]);
  const [chosen, choose] = useState<Chosen>();
  const [drag, setDrag] = useState<{ row: number; from: number; to: number }>();
  const surface = useRef<SVGSVGElement>(null);
  const { rows, bars, margin } = grid;
  const width = margin + (grid.columns + FREE) * LETTER;
  const placeOf = (event: PointerEvent) => {
    const box = (surface.current as SVGSVGElement).getBoundingClientRect();
    return {
      row: Math.max(0, Math.min(rows.length - 1, Math.floor((event.clientY - box.top - TOP) / ROW))),
      column: Math.max(0, (event.clientX - box.left - margin) / LETTER),
    };
  };
  const finish = () => {
    setDrag(undefined);
    if (!drag) return;
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    choose(to - from < LEAST_DRAG ? undefined : { kind: 'new', row: drag.row, from, to });
  };
  const ghost = drag ?? (chosen?.kind === 'new' ? chosen : undefined);
  return (
    <div class="sketchpad" role="group" aria-label="Draw with the mouse">
      <div class="scrolls" role="group" tabIndex={0} aria-label="Rows of the processes">
        <svg
          ref={surface}
          width={width}
          height={TOP + rows.length * ROW}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            const { row, column } = placeOf(event);
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ row, from: column, to: column });
          }}
          onPointerMove={(event) => drag && setDrag({ ...drag, to: placeOf(event).column })}
          onPointerUp={finish}
          onPointerCancel={() => setDrag(undefined)}
        >
          {rows.map((name, row) => (
            <g key={row}>
              <text x={4} y={TOP + row * ROW + BAR / 2 + 4}>
                {name}
              </text>
              <line x1={margin} x2={width} y1={TOP + row * ROW + BAR / 2} y2={TOP + row * ROW + BAR / 2} />
            </g>
          ))}
          {ghost && (
            <rect
              class="ghost"
              x={margin + Math.min(ghost.from, ghost.to) * LETTER}
              y={TOP + ghost.row * ROW}
              width={Math.abs(ghost.to - ghost.from) * LETTER}
              height={BAR}
              rx={4}
            />
          )}
          {bars.map(({ k, row, from, to, label }) => (
            <g
              key={k}
              class={chosen?.kind === 'old' && chosen.k === k ? 'now' : ''}
              role="button"
              tabindex={0}
              aria-label={`Change ${label} of ${rows[row]}`}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                choose({ kind: 'old', k });
              }}
              // the drag of a new operation does not begin here
              onPointerDown={(event) => event.stopPropagation()}
              onClick={() => choose({ kind: 'old', k })}
            >
              <rect
                x={margin + from * LETTER}
                y={TOP + row * ROW}
                width={(to - from + 1) * LETTER}
                height={BAR}
                rx={4}
              />
              <text x={margin + (from + 1) * LETTER} y={TOP + row * ROW + BAR / 2 + 4}>
                {label}
              </text>
            </g>
          ))}
        </svg>
      </div>
      {chosen ? (
        <CallForm
          key={JSON.stringify(chosen)}
          text={grid.textOf(chosen)}
          canDelete={chosen.kind === 'old' && bars.length > 1}
          onDelete={() => onChange(grid.without(chosen))}
          onCancel={() => choose(undefined)}
          onDone={(text) => onChange(grid.with(chosen, text))}
        />
      ) : (
        <p class="faint">Drag along a row to add an operation; click one to change it.</p>
      )}
    </div>
  );
}

interface FormProps {
  readonly text: string;
  readonly canDelete: boolean;
  readonly onDone: (text: string) => void;
  readonly onDelete: () => void;
  readonly onCancel: () => void;
}

/** Asks for a call and its result. */
function CallForm({ text, canDelete, onDone, onDelete, onCancel }: FormProps) {
  const [fault, setFault] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <form
      class="tools"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          onDone(input.current?.value ?? '');
        } catch (error) {
          setFault((error as Error).message.replace(/^sketch, line \d+, column \d+: /, ''));
        }
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label>
        Call{' '}
        <input
          ref={input}
          type="text"
          class={fault === '' ? 'code' : 'code wrong'}
          defaultValue={text}
          size={28}
        />
      </label>
      <button type="submit">{canDelete ? 'Change' : 'Add'}</button>
      {canDelete && (
        <button type="button" onClick={onDelete}>
          Delete
        </button>
      )}
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <span role="status">{fault}</span>
    </form>
  );
}

/** Between two events there is room for a call and a return. */
const STEP = 4;

/** A history on columns, and the histories that differ from it in one operation. */
class Grid {
  readonly bars;
  /** Processes; an operation may be the first of the last one. */
  readonly rows: readonly string[];
  readonly margin: number;
  readonly columns: number;
  readonly #history: History;

  constructor(history: History) {
    const { rows, bars } = layOut(history, (k) => labelOf(history, k));
    this.#history = history;
    this.bars = bars;
    this.rows = [...rows, freshName(rows)];
    this.margin = Math.max(...this.rows.map((name) => name.length)) * LETTER + 16;
    this.columns = Math.max(0, ...bars.map(({ to }) => to));
  }

  /** What the form starts with; for a new operation, the last call of the history. */
  textOf(chosen: Chosen): string {
    const k = chosen.kind === 'old' ? chosen.k : this.#history.length - 1;
    const { outcome } = this.#history.at(k);
    const end =
      chosen.kind === 'new' ? '' : { pending: ' -?', failed: ' -x', returned: '', threw: '' }[outcome.kind];
    return `${labelOf(this.#history, k)}${end}`;
  }

  without(chosen: Chosen): string {
    return this.#drawn((k) => (chosen.kind === 'old' && chosen.k === k ? [] : [this.#operation(k)]));
  }

  /** `text`: the call, its result, and perhaps `-?` or `-x` as its end. */
  with(chosen: Chosen, text: string): string {
    const bar = /-[?x✗]\s*$/.test(text) ? text : `${text} -|`;
    const { method, args, object, outcome } = (sketch(`A |- ${bar}`) as unknown as History).at(0);
    const given = { method, args, object, outcome };
    if (chosen.kind === 'old')
      return this.#drawn((k) => [{ ...this.#operation(k), ...(chosen.k === k && given) }]);
    const added: TimedOperation = {
      ...given,
      process: this.rows[chosen.row],
      overlapping: true,
      call: STEP * this.#eventsBefore(chosen.from) - 2,
      return: STEP * this.#eventsBefore(chosen.to) - 1,
    };
    return this.#drawn((k) => [this.#operation(k)], [added]);
  }

  #operation(k: number): TimedOperation {
    const { process, method, args, object, outcome, call, return: end } = this.#history.at(k);
    const returned = Number.isFinite(end) ? { return: STEP * end } : {};
    return { process, method, args, object, outcome, overlapping: true, call: STEP * call, ...returned };
  }

  #drawn(
    operations: (k: number) => readonly TimedOperation[],
    added: readonly TimedOperation[] = [],
  ): string {
    const builder = new HistoryBuilder();
    for (const { k } of this.bars) for (const own of operations(k)) builder.operation(own);
    for (const own of added) builder.operation(own);
    return `${draw(builder.finish())}\n`;
  }

  #eventsBefore(column: number): number {
    return this.#history.columns.events.reduce((sum, event) => {
      const { from, to } = this.bars[event >= 0 ? event : ~event];
      return sum + ((event >= 0 ? from : to) < column ? 1 : 0);
    }, 0);
  }
}

/** A name that no process has. */
function freshName(rows: readonly string[]): string {
  for (let code = 65; ; code++) {
    const name = code <= 90 ? String.fromCharCode(code) : `P${code - 90}`;
    if (!rows.includes(name)) return name;
  }
}
