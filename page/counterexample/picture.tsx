/**
 * A few operations as a drawing: one row per process, time from left to right, one column per event, as in the terminal.
 * Each bar can be focused. A linearization is shown as numbered points; calls of a rendezvous are linked across rows.
 */
import { useMemo } from 'preact/hooks';
import { layOut } from '../../src/history/drawing/layout.js';
import type { History } from '../../src/history/history.js';
import { FAILED, NEVER } from '../../src/history/model/columns.js';
import { layOutRendezvous, type ReportedRendezvous } from '../../src/report/common/choose-operations.js';
import { groupClass } from '../shell/groups.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import { type Model, tooltip } from '../shell/model.js';
import { pointsOf } from '../shell/places.js';

const LETTER = 7.4;
const ROW = 44;
const BAR = 28;
const TOP = 8;
const LONGEST = 36;

interface Props {
  readonly model: Model;
  /** Operations, by id. */
  readonly ids: readonly number[];
  readonly fault?: number;
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
  readonly margin: number;
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
    highlight,
    walk,
    rendezvous = NO_RENDEZVOUS,
    linked = rendezvous.length,
  } = props;
  const drawn = useMemo(() => draw(model, ids, fault, rendezvous), [model, ids.join(), fault, rendezvous]);
  const { cut, rows, bars, margin, width, height, links } = drawn;
  const places = placesOf(drawn, walk);
  return (
    <div
      class="scrolls picture"
      role="group"
      tabIndex={0}
      aria-label="Drawing of the operations, a row for each process"
    >
      <svg width={width} height={height}>
        {rows.map((name, row) => (
          <text key={`${name}${row}`} class="process" x={4} y={TOP + row * ROW + BAR / 2 + 4}>
            {rows[row - 1] === name ? '' : clipped(name, 18)}
          </text>
        ))}
        {rows.map((name, row) => (
          <line
            key={`${name}${row}`}
            class="lane"
            x1={margin - 6}
            x2={width}
            y1={TOP + row * ROW + BAR / 2}
            y2={TOP + row * ROW + BAR / 2}
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

function draw(
  model: Model,
  ids: readonly number[],
  fault: number | undefined,
  rendezvous: readonly ReportedRendezvous[],
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
  const layout = layOut(
    cut,
    (k) => {
      const isFault = idOf(k) === fault;
      const label = clipped(model.labels.operation(model.position(idOf(k)), isFault), LONGEST);
      return isFault ? `${label} ✗` : label;
    },
    placed,
  );
  const longest = Math.max(0, ...layout.rows.map((name) => clipped(name, 18).length));
  const margin = longest * LETTER + 20;
  const bars = layout.bars.map(({ label, row, from, to }) => ({
    label,
    x: margin + from * LETTER,
    y: TOP + row * ROW,
    width: (to - from + 1) * LETTER,
  }));
  const xs = Array.from(cut.columns.events, (event) =>
    event >= 0 ? bars[event].x : bars[~event].x + bars[~event].width,
  );
  const right = Math.max(margin, ...bars.map(({ x, width }) => x + width));
  return {
    cut,
    rows: layout.rows,
    bars,
    margin,
    width: right + 28,
    height: TOP + layout.rows.length * ROW,
    links: placed.map(({ members }, i) => ({
      x: margin + (layout.points[i] + 0.5) * LETTER,
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
  return (
    <g
      class={classes.filter(Boolean).join(' ')}
      role="button"
      tabIndex={0}
      data-operation={id}
      aria-label={`${model.process(position)}: ${model.label(position)}${isFault ? ', not explained' : ''}`}
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
      <text x={x + 9} y={y + BAR / 2 + 4}>
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

function Points({ places, walk }: { places: readonly Place[]; walk: Props['walk'] }) {
  return (
    <g class="points" aria-hidden="true">
      {places.map(({ x, y, number }) => {
        const isLast = number === walk.taken;
        return (
          <g key={number} class={isLast ? (walk.fails ? 'fails' : 'now') : ''}>
            <circle cx={x} cy={y} r={isLast ? 9 : 7} />
            <text x={x} y={y + 3}>
              {isLast && walk.fails ? '✗' : number}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function clipped(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
