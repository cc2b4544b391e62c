/**
 * Paints the visible part of a history, and finds the operation at a point.
 *
 * The operations of a lane are sorted by call, so a binary search finds the visible ones. At most one is painted per pixel.
 * Cost: linear in the pixels of the canvas, plus one comparison for each visible operation.
 */
import type { ScaleLinear } from 'd3-scale';
import { printable } from '../../src/base/values/show.js';
import { FAILED } from '../../src/history/model/columns.js';
import type { Groups } from '../shell/groups.js';
import type { Axis, Model } from '../shell/model.js';
import type { Shown } from './filter.js';
import { type Colours, GUTTER, HEAD, LANE } from './theme.js';

const BAR = 18;
const LETTER = 6.7;
/** The radius of a point where calls synchronise. */
const POINT = 3;
/** Below the labels of bars. */
const LOW = LANE - 5;

export interface View {
  readonly model: Model;
  readonly shown: Shown;
  readonly groups: Groups;
  /** The lanes shown, from top to bottom. */
  readonly lanes: readonly number[];
  readonly axis: Axis;
  readonly colours: Colours;
  readonly scale: ScaleLinear<number, number>;
  /** Scroll position. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly lit: ReadonlySet<number>;
  readonly picked: number | undefined;
}

export function paint(context: CanvasRenderingContext2D, view: View): void {
  const { width, height, colours, lanes, top } = view;
  context.clearRect(0, 0, width, height);
  context.font = '11px ui-monospace, Menlo, Consolas, monospace';
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(top / LANE));
  const last = Math.min(lanes.length, Math.ceil((top + height - HEAD) / LANE) + 1);
  context.save();
  context.beginPath();
  context.rect(0, HEAD, width, height - HEAD);
  context.clip();
  for (let row = first; row < last; row++) paintLane(context, view, row);
  paintLinks(context, view);
  context.restore();
  paintHead(context, view);
  paintMarks(context, view);
  context.strokeStyle = colours.line;
  context.strokeRect(GUTTER, -1, 0.5, height + 2);
}

function paintLane(context: CanvasRenderingContext2D, view: View, row: number): void {
  const { model, colours, lanes, scale, width, top, shown } = view;
  const lane = model.lanes.lanes[lanes[row]];
  const y = HEAD + row * LANE - top;
  context.fillStyle = colours.line;
  context.globalAlpha = 0.5;
  context.fillRect(GUTTER, y + LANE - 0.5, width, 0.5);
  context.globalAlpha = 1;
  if (lane.isFirst || row === 0) {
    context.fillStyle = colours.text;
    context.fillText(
      clip(printable(model.history.tables.processes[lane.process]), GUTTER - 12),
      6,
      y + LANE / 2,
    );
  }
  context.save();
  context.beginPath();
  context.rect(GUTTER + 1, y, width, LANE);
  context.clip();
  const { operations } = lane;
  let painted = Number.NEGATIVE_INFINITY;
  for (let i = firstInView(view, operations); i < operations.length; i++) {
    const k = operations[i];
    const [from, to] = model.span(k, view.axis);
    const x = scale(from);
    if (x > width) break;
    if (!shown.mask[k]) continue;
    const isOpen = to === Number.POSITIVE_INFINITY;
    const next = i + 1 < operations.length ? scale(model.span(operations[i + 1], view.axis)[0]) - 3 : width;
    const end = isOpen ? Math.max(x + 3, Math.min(next, width)) : scale(to);
    // what shares a pixel with one that is painted is not seen
    if (end < painted + 0.75 && !matters(view, k)) continue;
    painted = Math.max(painted, end);
    paintBar(context, view, k, x, y + (LANE - BAR) / 2, Math.max(1.5, end - x), isOpen);
  }
  context.restore();
}

const matters = ({ model, lit, picked }: View, k: number): boolean => {
  const id = model.history.columns.id[k];
  return id === picked || lit.has(id) || model.core.has(id);
};

/** The first of a lane that may reach into view: those of one lane hardly overlap. */
function firstInView({ model, scale, axis }: View, operations: readonly number[]): number {
  const left = scale.invert(GUTTER);
  let low = 0;
  let high = operations.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (model.span(operations[middle], axis)[0] < left) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function paintBar(
  context: CanvasRenderingContext2D,
  { model, colours, groups, lit, picked }: View,
  k: number,
  x: number,
  y: number,
  width: number,
  isOpen: boolean,
): void {
  const { id, status } = model.history.columns;
  const isFault = model.data.core?.fault === id[k];
  const colour = isFault ? colours.bad : colours.groups[groups.of[k] % colours.groups.length];
  const isFailed = status[k] === FAILED;
  context.fillStyle = colour;
  if (width < 4) {
    context.globalAlpha = isFailed ? 0.3 : 0.85;
    context.fillRect(x, y, width, BAR);
    context.globalAlpha = 1;
  } else {
    context.globalAlpha = isFailed ? 0.08 : isOpen ? 0.18 : 0.32;
    context.fillRect(x, y, width, BAR);
    context.globalAlpha = 1;
    context.fillRect(x, y, 2, BAR);
    if (!isOpen) context.fillRect(x + width - 1, y, 1, BAR);
  }
  if (isFault || lit.has(id[k]) || picked === id[k] || model.core.has(id[k])) {
    context.strokeStyle = isFault
      ? colours.bad
      : picked === id[k] || lit.has(id[k])
        ? colours.accent
        : colours.text;
    context.lineWidth = picked === id[k] || lit.has(id[k]) ? 2 : 1;
    context.strokeRect(x, y, width, BAR);
    context.lineWidth = 1;
  }
  if (width < 26) return;
  context.fillStyle = colours.text;
  const label = clip(model.labels.operation(k) + (isOpen ? ' ?' : isFailed ? ' ✗' : ''), width - 8);
  context.fillText(label, Math.max(x, GUTTER) + 5, y + BAR / 2 + 0.5);
}

/** A point on the bar of each call of a rendezvous, and a line between them. */
function paintLinks(context: CanvasRenderingContext2D, view: View): void {
  const { model, lanes, scale, width, top, axis, colours, shown } = view;
  if (model.links.length === 0) return;
  const rowOf = new Map(lanes.map((lane, row) => [lane, row]));
  let last = Number.NEGATIVE_INFINITY;
  for (const { moment, members, isMissed } of model.links) {
    const x = scale(model.atMoment(moment, axis));
    // one link per pixel
    if (x < GUTTER || x > width || x < last + 0.75) continue;
    const ys = members
      .filter((k) => shown.mask[k])
      .map((k) => HEAD + (rowOf.get(model.lanes.laneOf[k]) ?? 0) * LANE - top + LOW);
    if (ys.length === 0) continue;
    last = x;
    context.strokeStyle = context.fillStyle = isMissed ? colours.bad : colours.accent;
    context.beginPath();
    context.moveTo(x, Math.min(...ys));
    context.lineTo(x, Math.max(...ys));
    context.stroke();
    for (const y of ys) {
      context.beginPath();
      context.arc(x, y, POINT, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** The axis: the numbers of events, or the time since the first event. */
function paintHead(context: CanvasRenderingContext2D, { model, scale, colours, width, axis }: View): void {
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, HEAD - 1);
  context.fillStyle = colours.faint;
  const start = axis === 'rank' ? 0 : model.extent('time')[0];
  const [from, to] = scale.domain();
  const { unit, size } = axis === 'rank' ? { unit: '', size: 1 } : model.unitFor(to - from);
  context.fillText(axis === 'rank' ? 'event' : unit === '' ? 'time' : `time (${unit})`, 6, 12);
  context.textAlign = 'center';
  const relative = scale.copy().domain([(from - start) / size, (to - start) / size]);
  for (const tick of relative.ticks(Math.max(2, width / 120))) {
    const x = relative(tick);
    if (x < GUTTER) continue;
    context.fillRect(x, 20, 1, 4);
    context.fillText(tick.toLocaleString('en', { maximumFractionDigits: 6 }), x, 12);
  }
  context.textAlign = 'left';
  context.fillStyle = colours.line;
  context.fillRect(0, HEAD - 1, width, 1);
}

/** Annotations: a moment is a dashed line, a span is a band. */
function paintMarks(context: CanvasRenderingContext2D, view: View): void {
  const { model, scale, colours, width, height, axis } = view;
  let free = GUTTER;
  for (const { text, from, to } of model.marks) {
    const x = Math.max(GUTTER, scale(model.atMoment(from, axis)));
    const end = to === Number.POSITIVE_INFINITY ? width : scale(model.atMoment(to, axis));
    if (x > width || end < GUTTER) continue;
    context.fillStyle = colours.accent;
    if (to > from) {
      context.globalAlpha = 0.1;
      context.fillRect(x, HEAD, end - x, height);
      context.globalAlpha = 1;
    }
    for (let y = 24; y < height; y += 6) context.fillRect(x, y, 1, 3);
    // texts must not overlap
    if (x < free) continue;
    const label = clip(text, 220);
    context.fillText(label, x + 3, HEAD - 9);
    free = x + label.length * LETTER + 12;
  }
}

function clip(text: string, width: number): string {
  const most = Math.floor(width / LETTER);
  if (text.length <= most) return text;
  return most < 2 ? '' : `${[...text.slice(0, most + 1)].slice(0, most - 1).join('')}…`;
}

/** The position of the operation under a point of the canvas, or -1. */
export function operationAt(view: View, x: number, y: number): number {
  const { model, lanes, top, scale, shown, axis } = view;
  const lane = model.lanes.lanes[lanes[Math.floor((y - HEAD + top) / LANE)]];
  if (y < HEAD || x < GUTTER || !lane) return -1;
  const { operations } = lane;
  let low = 0;
  let high = operations.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scale(model.span(operations[middle], axis)[0]) <= x + 2) low = middle + 1;
    else high = middle;
  }
  for (let i = low - 1; i >= Math.max(0, low - 3); i--) {
    const k = operations[i];
    if (shown.mask[k] && scale(Math.min(model.span(k, axis)[1], scale.domain()[1] * 2)) >= x - 2) return k;
  }
  return -1;
}
