/**
 * The history on a canvas: it stays smooth with a hundred thousand operations, since only what is in view is painted.
 *
 * Lanes scroll, time zooms and pans: by mouse (drag; wheel with Ctrl), by keys (← → + - 0, N and P for the next and the
 * previous operation), or by buttons.
 */
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Groups } from '../shell/groups.js';
import type { Highlight } from '../shell/highlight.js';
import { type Axis, type Model, tooltip } from '../shell/model.js';
import { neighbour, type Shown } from './filter.js';
import { operationAt, paint, type View } from './paint.js';
import { coloursOf, GUTTER, HEAD, LANE } from './theme.js';

interface Props {
  readonly model: Model;
  readonly shown: Shown;
  readonly groups: Groups;
  readonly highlight: Highlight;
}

export function Timeline({ model, shown, groups, highlight }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [axis, setAxis] = useState<Axis>('rank');
  const [hovered, setHovered] = useState<{ k: number; x: number; y: number } | undefined>(undefined);
  const [colours, setColours] = useState(() => coloursOf(document.body));
  const transform = useRef<ZoomTransform>(zoomIdentity);
  const size = useRef({ width: 800, height: 300 });
  const pending = useRef(0);
  const lanes = useMemo(() => visibleLanes(model, shown), [model, shown]);
  const extent = useMemo(() => model.extent(axis), [model, axis]);

  const view = (): View => {
    const base = scaleLinear(extent, [GUTTER + 8, size.current.width - 12]);
    return {
      ...size.current,
      model,
      shown,
      groups,
      lanes,
      axis,
      colours,
      scale: transform.current.rescaleX(base),
      top: frame.current?.scrollTop ?? 0,
      lit: highlight.lit,
      picked: highlight.picked,
    };
  };
  // the view of the latest rendering
  const latest = useRef(view);
  latest.current = view;
  const repaint = useCallback(() => {
    if (pending.current !== 0) return;
    pending.current = requestAnimationFrame(() => {
      pending.current = 0;
      const context = canvas.current?.getContext('2d');
      if (context) paint(context, latest.current());
    });
  }, []);
  useEffect(repaint);

  const zooming = useMemo(
    () =>
      zoom<HTMLCanvasElement, unknown>()
        .filter((event: WheelEvent | MouseEvent) =>
          event.type === 'wheel' ? event.ctrlKey || event.metaKey : event.button === 0,
        )
        .on('zoom', (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
          transform.current = event.transform;
          setHovered(undefined);
          repaint();
        }),
    [repaint],
  );
  const selection = () => select(canvas.current as HTMLCanvasElement);

  // the canvas has the size of its frame and the resolution of the screen
  useEffect(() => {
    const own = frame.current as HTMLDivElement;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = own;
      const target = canvas.current;
      if (!target) return;
      const sharpness = window.devicePixelRatio || 1;
      size.current = { width, height };
      target.width = Math.round(width * sharpness);
      target.height = Math.round(height * sharpness);
      target.style.width = `${width}px`;
      target.style.height = `${height}px`;
      target.getContext('2d')?.setTransform(sharpness, 0, 0, sharpness, 0, 0);
      const most = Math.max(8, model.history.columns.events.length);
      zooming
        .scaleExtent([1, most])
        .extent([
          [GUTTER, 0],
          [width, height],
        ])
        .translateExtent([
          [GUTTER, 0],
          [width, height],
        ]);
      repaint();
    };
    fit();
    const watch = new ResizeObserver(fit);
    watch.observe(own);
    selection().call(zooming).on('dblclick.zoom', null);
    const recolour = () => setColours(coloursOf(document.body));
    window.addEventListener('themechange', recolour);
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', recolour);
    return () => {
      watch.disconnect();
      window.removeEventListener('themechange', recolour);
      system.removeEventListener('change', recolour);
    };
  }, [model, zooming, repaint]);

  // an operation that was selected elsewhere is scrolled into view
  useEffect(() => {
    const k = highlight.picked === undefined ? -1 : model.position(highlight.picked);
    if (k < 0) return;
    const { scale, width } = latest.current();
    const [from, to] = model.span(k, axis);
    const x = scale(from);
    if (x < GUTTER || x > width - 40)
      zooming.translateTo(
        selection(),
        scaleLinear(extent, [GUTTER + 8, width - 12])(Number.isFinite(to) ? (from + to) / 2 : from),
        0,
      );
    const row = lanes.indexOf(model.lanes.laneOf[k]);
    const own = frame.current as HTMLDivElement;
    const y = HEAD + row * LANE;
    if (row >= 0 && (y < own.scrollTop + HEAD || y > own.scrollTop + own.clientHeight - LANE))
      own.scrollTop = y - own.clientHeight / 2;
  }, [highlight.picked]);

  const zoomBy = (factor: number) => zooming.scaleBy(selection(), factor);
  const panBy = (share: number) =>
    zooming.translateBy(selection(), (-share * size.current.width) / transform.current.k, 0);
  /** Selects the faulty operation, and zooms until it takes a tenth of the width. */
  const jump = (id: number) => {
    const [from, to] = model.span(model.position(id), axis);
    const length = Number.isFinite(to) ? to - from : 0;
    const wanted = length > 0 ? (extent[1] - extent[0]) / (10 * length) : transform.current.k;
    if (wanted > transform.current.k) zooming.scaleTo(selection(), wanted);
    const base = scaleLinear(extent, [GUTTER + 8, size.current.width - 12]);
    zooming.translateTo(selection(), base(Number.isFinite(to) ? (from + to) / 2 : from), 0);
    highlight.pick(id);
  };
  const fitAll = () => zooming.transform(selection(), zoomIdentity);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => panBy(-0.2),
    ArrowRight: () => panBy(0.2),
    ArrowUp: () => frame.current?.scrollBy(0, -LANE),
    ArrowDown: () => frame.current?.scrollBy(0, LANE),
    '+': () => zoomBy(1.5),
    '=': () => zoomBy(1.5),
    '-': () => zoomBy(1 / 1.5),
    '0': fitAll,
    n: () => highlight.pick(neighbour(model, shown, highlight.picked, 1)),
    p: () => highlight.pick(neighbour(model, shown, highlight.picked, -1)),
    Escape: () => highlight.pick(undefined),
  };
  const under = (event: MouseEvent): number => operationAt(latest.current(), event.offsetX, event.offsetY);

  return (
    <div class="timeline">
      <p class="tools">
        <span class="tabs">
          <button type="button" aria-pressed={axis === 'rank'} onClick={() => setAxis('rank')}>
            By rank
          </button>
          <button
            type="button"
            aria-pressed={axis === 'time'}
            disabled={!model.hasTimes}
            title={model.hasTimes ? '' : 'this history has an order but no times'}
            onClick={() => setAxis('time')}
          >
            To scale
          </button>
        </span>
        <button type="button" onClick={() => zoomBy(1.6)}>
          Zoom in
        </button>
        <button type="button" onClick={() => zoomBy(1 / 1.6)}>
          Zoom out
        </button>
        <button type="button" onClick={() => panBy(-0.5)} aria-label="Earlier">
          ◀
        </button>
        <button type="button" onClick={() => panBy(0.5)} aria-label="Later">
          ▶
        </button>
        <button type="button" onClick={fitAll}>
          All
        </button>
        {model.data.core && (
          <button type="button" onClick={() => jump(model.data.core?.fault ?? 0)}>
            Jump to the fault
          </button>
        )}
        <span class="faint">Drag, Ctrl and wheel, or keys: ← → + - 0, N and P</span>
      </p>
      <div class="frame" ref={frame} onScroll={repaint} style={{ height: `${frameHeight(lanes.length)}px` }}>
        <div style={{ height: `${HEAD + lanes.length * LANE + 8}px` }}>
          <canvas
            ref={canvas}
            tabIndex={0}
            role="application"
            aria-label="Timeline, a lane for each process. N and P go from operation to operation. The table has the same data."
            onKeyDown={(event) => {
              const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
              if (!act) return;
              event.preventDefault();
              act();
            }}
            onMouseMove={(event) => {
              const k = under(event);
              if (k !== (hovered?.k ?? -1)) highlight.show(k < 0 ? [] : [model.history.columns.id[k]]);
              setHovered(k < 0 ? undefined : { k, x: event.clientX, y: event.clientY });
            }}
            onMouseLeave={() => {
              setHovered(undefined);
              highlight.show([]);
            }}
            onClick={(event) => {
              const k = under(event);
              highlight.pick(k < 0 ? undefined : model.history.columns.id[k]);
            }}
          />
        </div>
      </div>
      {hovered && (
        <div
          class="tooltip"
          role="tooltip"
          style={{
            left: `${Math.min(hovered.x + 14, window.innerWidth - 300)}px`,
            top: `${Math.min(hovered.y + 14, window.innerHeight - 180)}px`,
          }}
        >
          <strong>{model.label(hovered.k).slice(0, 200)}</strong>
          <pre>{tooltip(model, hovered.k)}</pre>
        </div>
      )}
    </div>
  );
}

/** Lanes with an operation that is shown; all lanes if there is none. */
function visibleLanes(model: Model, { list }: Shown): number[] {
  const { lanes, laneOf } = model.lanes;
  const used = new Uint8Array(lanes.length);
  for (const k of list) used[laneOf[k]] = 1;
  const some = lanes.flatMap((_, lane) => (used[lane] ? [lane] : []));
  return some.length > 0 ? some : lanes.map((_, lane) => lane);
}

const frameHeight = (lanes: number): number => Math.min(HEAD + lanes * LANE + 10, 520);
