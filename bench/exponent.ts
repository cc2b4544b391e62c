/** How y grows with n: the slope of a straight line through (log n, log y), by least squares. */
export function exponent(measured: readonly (readonly [n: number, y: number])[]): number {
  const points = measured.map(([n, y]) => [Math.log(n), Math.log(y)] as const);
  const mean = (i: 0 | 1) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return (
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  );
}
