/**
 * A few operations as a drawing: one row per process, time from left to right, one column per event, as in the terminal.
 * Each bar can be focused. A linearization is shown as numbered points; calls of a rendezvous are linked across rows.
 *
 * Columns are as wide as the box allows, and never narrower than a letter: a drawing that does not fit scrolls, and opens
 * at the faulty operation.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { layOut } from '../../src/history/drawing/layout.js';
import type { History } from '../../src/history/history.js';
import { FAILED, NEVER } from '../../src/history/model/columns.js';
import { layOutRendezvous, type ReportedRendezvous } from '../../src/report/common/choose-operations.js';
import { groupClass } from '../shell/groups.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { type Model, tooltip } from '../shell/model.js';
import { pointsOf } from '../shell/places.js';
import { type Band, Bands, bandsHeight, bandsOf, LETTER } from './bands.js';

/** Beyond this width, a column looks empty. */
const WIDEST_COLUMN = 26;
const ROW = 48;
const BAR = 30;
const TOP = 10;
/** The room after the last bar. */
const END = 28;
/** Letters of a label that a bar always has room for; a wider bar shows more. */
const LONGEST = 36;
/** The same for a drawing that has to be narrow, the best first. */
export const SHORTER_LABELS: readonly number[] = [LONGEST, 26, 20, 14];
/** Between the ends of a bar and its label. */
const PADDING = 9;
/** Letters of the name of a process. */
const LONGEST_NAME = 18;

interface Props {
  readonly model: Model;
  /** Operations, by id. */
  readonly ids: readonly number[];
  readonly fault?: number;
  /** Letters of a label that a bar always has room for. */
  readonly longest?: number | undefined;
  readonly highlight: Highlight;
  readonly rendezvous?: readonly ReportedRendezvous[];
  /** The number of them that are linked; all by default. */
  readonly linked?: number;
  readonly walk: { readonly order: readonly number[]; readonly taken: number; readonly fails: boolean };
}

interface Drawn {
  readonly cut: History;
  readonly rows: readonly string[];
  readonly bars: readonly {
    readonly label: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
  }[];
  readonly bands: readonly Band[];
  readonly margin: number;
  /** Where the first row starts. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Moment to x. */
  readonly xOf: (moment: number) => number;
  /** Where calls synchronise: a point on each bar, from top to bottom. */
  readonly links: readonly {
    readonly x: number;
    readonly ys: readonly number[];
    readonly isMissed: boolean;
  }[];
}

const NO_RENDEZVOUS: readonly ReportedRendezvous[] = [];

export function Picture(props: Props) {
  const {
    model,
    ids,
    fault,
    longest = LONGEST,
    highlight,
    walk,
    rendezvous = NO_RENDEZVOUS,
    linked = rendezvous.length,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const room = useWidth(box);
  const drawn = useMemo(
    () => draw(model, ids, fault, rendezvous, room, longest),
    [model, ids.join(), fault, rendezvous, room, longest],
  );
  const { cut, rows, bars, bands, margin, top, width, height, links } = drawn;
  const places = placesOf(drawn, walk);
  // the faulty operation is in view when the page opens, and so are the names of the processes where there is room for both
  useEffect(() => {
    const bar = bars[fault === undefined ? -1 : (cut.positionsById()[fault] ?? -1)];
    if (!bar || !box.current) return;
    const { clientWidth } = box.current;
    box.current.scrollLeft = bar.x + bar.width <= clientWidth ? 0 : bar.x + bar.width / 2 - clientWidth / 2;
  }, [drawn]);
  return (
    <div
      class="scrolls picture"
      ref={box}
      role="group"
      tabIndex={0}
      aria-label="Drawing of the operations, a row for each process"
    >
      <svg width={width} height={height}>
        <Bands bands={bands} height={height} />
        {rows.map((name, row) => (
          <text key={`${name}${row}`} class="process" x={12} y={top + row * ROW + BAR / 2 + 4}>
            {rows[row - 1] === name ? '' : clipped(name, LONGEST_NAME)}
          </text>
        ))}
        {rows.map((name, row) => (
          <line
            key={`${name}${row}`}
            class="lane"
            x1={margin - 8}
            x2={width}
            y1={top + row * ROW + BAR / 2}
            y2={top + row * ROW + BAR / 2}
          />
        ))}
        <polyline class="path" points={places.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {bars.map((bar, k) => {
          const id = cut.columns.id[k];
          return (
            <Bar
              key={id}
              model={model}
              id={id}
              k={k}
              cut={cut}
              bar={bar}
              isFault={id === fault}
              highlight={highlight}
            />
          );
        })}
        <Points places={places} walk={walk} />
        <g class="links" aria-hidden="true">
          {links.slice(0, linked).map(({ x, ys, isMissed }, i) => (
            <g key={i} class={isMissed ? 'missed' : ''}>
              <line x1={x} x2={x} y1={ys[0]} y2={ys[ys.length - 1]} />
              {ys.map((y) => (
                <circle key={y} cx={x} cy={y} r={5} />
              ))}
            </g>
          ))}
        </g>
      </svg>
    </div>
  );
}

/** The width of an element; it follows the size of the window. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const own = element.current as HTMLElement;
    const measure = () => setWidth(own.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(own);
    return () => watch.disconnect();
  }, []);
  return width;
}

/** The width that a drawing needs. */
export const leastWidth = (model: Model, ids: readonly number[], fault: number, longest: number): number =>
  draw(model, ids, fault, NO_RENDEZVOUS, 0, longest).width;

/** The drawing of operations in a box of a given width. */
function draw(
  model: Model,
  ids: readonly number[],
  fault: number | undefined,
  rendezvous: readonly ReportedRendezvous[],
  room: number,
  most: number,
): Drawn {
  const wanted = new Set(ids);
  const { history } = model;
  const cut = history.select((k) => wanted.has(history.columns.id[k]));
  const idOf = (k: number) => cut.columns.id[k];
  const own = rendezvous.filter(({ members }) => members.some((id) => wanted.has(id)));
  const placed = layOutRendezvous(
    cut,
    own.map(({ members }) => members),
  );
  const labelOf = (k: number, letters: number) => {
    const isFault = idOf(k) === fault;
    const label = clipped(model.labels.operation(model.position(idOf(k)), isFault), letters);
    return isFault ? `${label} ✗` : label;
  };
  const layout = layOut(cut, (k) => labelOf(k, most), placed);
  const longest = Math.max(0, ...layout.rows.map((name) => clipped(name, LONGEST_NAME).length));
  const margin = longest * LETTER + 28;
  const columns = Math.max(1, ...layout.bars.map(({ to }) => to + 1));
  const column = Math.max(LETTER, Math.min(WIDEST_COLUMN, (room - margin - END) / columns));
  const boxes = layout.bars.map(({ from, to }) => ({
    x: margin + from * column,
    width: (to - from + 1) * column,
  }));
  const xs = Array.from(cut.columns.events, (event) =>
    event >= 0 ? boxes[event].x : boxes[~event].x + boxes[~event].width,
  );
  const right = Math.max(margin, ...boxes.map(({ x, width }) => x + width));
  const bands = bandsOf(model, cut, xs, {
    left: margin - 8,
    right: Math.max(right + END, room) - 8,
    room: Math.max(room / 2, 160),
  });
  const top = TOP + bandsHeight(bands);
  const bars = boxes.map(({ x, width }, k) => {
    // a mark may follow the label
    const letters = Math.floor((width - 2 * PADDING) / LETTER) - 2;
    return { label: labelOf(k, Math.max(most, letters)), x, y: top + layout.bars[k].row * ROW, width };
  });
  return {
    bands,
    top,
    cut,
    rows: layout.rows,
    bars,
    margin,
    width: Math.max(right + END, room),
    height: top + layout.rows.length * ROW,
    links: placed.map(({ members }, i) => ({
      x: margin + (layout.points[i] + 0.5) * column,
      ys: members.map((k) => bars[k].y + BAR / 2).sort((a, b) => a - b),
      isMissed: own[i].isMissed,
    })),
    xOf: (moment) => {
      const before = xs[Math.floor(moment)] ?? right;
      const after = xs[Math.floor(moment) + 1] ?? right + 20;
      return before + (moment - Math.floor(moment)) * (after - before);
    },
  };
}

interface BarProps {
  readonly model: Model;
  readonly id: number;
  readonly k: number;
  readonly cut: History;
  readonly bar: Drawn['bars'][number];
  readonly isFault: boolean;
  readonly highlight: Highlight;
}

function Bar({ model, id, k, cut, bar: { x, y, width, label }, isFault, highlight }: BarProps) {
  const { status, return: returned, method } = cut.columns;
  const position = model.position(id);
  const isPending = returned[k] === NEVER;
  const classes = [
    'bar',
    groupClass(method[k]),
    isFault && 'fault',
    isPending && 'pending',
    status[k] === FAILED && 'failed',
    highlight.lit.has(id) ? 'lit' : highlight.lit.size > 0 && 'dim',
    highlight.picked === id && 'picked',
  ];
  // pending: open at its end
  const outline = isPending
    ? `M${x + width + 18} ${y} H${x + 5} a5 5 0 0 0 -5 5 v${BAR - 10} a5 5 0 0 0 5 5 H${x + width + 18}`
    : `M${x + 5} ${y} h${width - 10} a5 5 0 0 1 5 5 v${BAR - 10} a5 5 0 0 1 -5 5 h${10 - width} a5 5 0 0 1 -5 -5 v${10 - BAR} a5 5 0 0 1 5 -5 z`;
  const choose = () => highlight.pick(id);
  const name = `${model.process(position)}: ${model.label(position)}`;
  const shown = label.replace(/ ✗$/, '');
  return (
    <g
      class={classes.filter(Boolean).join(' ')}
      role="button"
      tabindex={0}
      data-operation={id}
      // what is shown is part of the name, also where it was cut
      aria-label={`${name.includes(shown) ? '' : `${shown} `}${name}${isFault ? ', not explained' : ''}`}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
      {...highlightHandlers(highlight, [id])}
    >
      <title>{tooltip(model, position)}</title>
      <path d={outline} />
      <text x={x + PADDING} y={y + BAR / 2 + 4}>
        {label}
        {isPending ? ' ?' : ''}
      </text>
    </g>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly number: number;
}

/** Where operations take effect, in order. */
function placesOf({ cut, bars, xOf }: Drawn, { order, taken }: Props['walk']): Place[] {
  const positions = cut.positionsById();
  const numbered = order
    .slice(0, taken)
    .map((id, i) => ({ k: positions[id] ?? -1, number: i + 1 }))
    .filter(({ k }) => k >= 0);
  const moments = pointsOf(
    cut,
    numbered.map(({ k }) => k),
  );
  return numbered.map(({ k, number }, i) => ({ x: xOf(moments[i]), y: bars[k].y + BAR + 3, number }));
}

/** A number in a circle; a long number makes it wider. */
function Points({ places, walk }: { places: readonly Place[]; walk: Props['walk'] }) {
  return (
    <g class="points" aria-hidden="true">
      {places.map(({ x, y, number }) => {
        const isLast = number === walk.taken;
        const text = isLast && walk.fails ? '✗' : String(number);
        const half = isLast ? 10 : 9;
        const reach = Math.max(half, text.length * 3.4 + 5);
        return (
          <g key={number} class={isLast ? (walk.fails ? 'fails' : 'now') : ''}>
            <rect x={x - reach} y={y - half} width={2 * reach} height={2 * half} rx={half} />
            <text x={x} y={y + 3.5}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A text that is cut in its middle: the method is at its start, and the result at its end. */
function clipped(text: string, length: number): string {
  const letters = [...text];
  if (letters.length <= length) return text;
  const end = Math.floor((length - 1) / 2);
  return `${letters.slice(0, length - 1 - end).join('')}…${letters.slice(letters.length - end).join('')}`;
}
