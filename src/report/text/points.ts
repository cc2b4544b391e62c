/** Meetings in a drawing: a point on the bar of each who met, and a link across the rows between. */
import type { Strokes } from '../../history/drawing/draw.js';
import type { Bar, Layout, Meet } from '../../history/drawing/layout.js';

/** Rows of a drawing, with the points in it. Columns of the layout begin at `margin`. */
export function withPoints(
  rows: readonly string[],
  { bars, points }: Pick<Layout, 'bars' | 'points'>,
  meets: readonly Meet[],
  margin: number,
  { point, link, cross, line }: Strokes,
): string[] {
  const cells = rows.map((row) => [...row]);
  const rowOf = (k: number) => (bars.find((bar: Bar) => bar.k === k) as Bar).row;
  for (const [number, { members }] of meets.entries()) {
    const column = margin + points[number];
    const own = members.map(rowOf);
    for (let row = Math.min(...own); row <= Math.max(...own); row++) {
      while (cells[row].length <= column) cells[row].push(' ');
      const there = cells[row][column];
      if (own.includes(row)) cells[row][column] = point;
      else if (there === ' ') cells[row][column] = link;
      else if (there === line) cells[row][column] = cross;
    }
  }
  return cells.map((row) => row.join(''));
}
