/** Paints who met, on the timeline: a point on the bar of each, and a line from the first lane to the last. */
import { GUTTER, HEAD, LANE } from './measures.js';
import type { View } from './paint.js';

const POINT = 3;
/** Below the labels of bars. */
const LOW = LANE - 5;

export function paintLinks(context: CanvasRenderingContext2D, view: View): void {
  const { model, lanes, scale, width, top, axis, colours, shown } = view;
  if (model.links.length === 0) return;
  const rowOf = new Map(lanes.map((lane, row) => [lane, row]));
  let last = Number.NEGATIVE_INFINITY;
  for (const { moment, members, isMissed } of model.links) {
    const x = scale(model.atMoment(moment, axis));
    // what shares a pixel with one that is painted is not seen
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
