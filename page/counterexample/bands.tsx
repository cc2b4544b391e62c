/** Faults and other annotations behind a drawing of a few operations: bands with their names, in a strip above the rows. */
import type { History } from '../../src/history/history.js';
import type { Model } from '../shell/model.js';

/** The width of a letter, and so the least width of a column. */
export const LETTER = 7.4;
/** The height of a name. */
const STRIP = 20;
/** At most this many are drawn, the last ones. */
const MOST_BANDS = 5;

export interface Band {
  readonly text: string;
  readonly x: number;
  /** 0 for a moment. */
  readonly width: number;
  /** Does it begin, or end, outside of the drawing? */
  readonly isOpen: { readonly left: boolean; readonly right: boolean };
  /** Where its name starts: more than once where the drawing is too wide to be seen whole. */
  readonly names: readonly number[];
  /** The line of its names. */
  readonly strip: number;
}

/**
 * The annotations during the operations of a cut. `xs`: its events, by moment. Between two events that are drawn, others may
 * have been: a band starts and ends in the middle between the two.
 */
export function bandsOf(
  model: Model,
  cut: History,
  xs: readonly number[],
  { left, right, room }: { readonly left: number; readonly right: number; readonly room: number },
): Band[] {
  const { call, return: returned } = model.history.columns;
  const moments = Array.from(cut.columns.events, (event) => {
    const k = model.position(cut.columns.id[event >= 0 ? event : ~event]);
    return event >= 0 ? call[k] : returned[k];
  });
  if (moments.length === 0) return [];
  const xOf = (moment: number): number => {
    const next = moments.findIndex((own) => own > moment);
    if (next === 0) return left;
    return next < 0 ? right : (xs[next - 1] + xs[next]) / 2;
  };
  const [first, last] = [moments[0], moments[moments.length - 1]];
  const during = model.marks.filter(({ from, to }) => from < last && to > first).slice(-MOST_BANDS);
  const ends: number[] = [];
  return during.map(({ text, from, to }) => {
    const x = xOf(from);
    const width = to === from ? 0 : Math.max(4, xOf(to) - x);
    const length = text.length * LETTER + 12;
    const start = Math.max(left + 6, Math.min(x + 6, right - length));
    const every = Math.max(length + 40, room);
    const again = Math.max(0, Math.floor((Math.min(x + width, right) - length - start) / every));
    const names = Array.from({ length: 1 + again }, (_, i) => start + i * every);
    const free = ends.findIndex((end) => end <= start);
    const strip = free < 0 ? ends.length : free;
    ends[strip] = start + again * every + length;
    return { text, x, width, isOpen: { left: from < first, right: to > last }, names, strip };
  });
}

/** The room above the rows for the names. */
export const bandsHeight = (bands: readonly Band[]): number =>
  STRIP * Math.max(0, ...bands.map(({ strip }) => strip + 1));

export const Bands = ({ bands, height }: { bands: readonly Band[]; height: number }) => (
  <>
    {bands.map(({ text, x, width, isOpen, names, strip }, i) => (
      <g key={i} class="band">
        <rect x={x} y={0} width={width} height={height} />
        {!isOpen.left && <line x1={x} x2={x} y1={0} y2={height} />}
        {!isOpen.right && width > 0 && <line x1={x + width} x2={x + width} y1={0} y2={height} />}
        {names.map((start, j) => (
          <text key={start} x={start} y={strip * STRIP + 15} aria-hidden={j > 0}>
            {text}
          </text>
        ))}
      </g>
    ))}
  </>
);
