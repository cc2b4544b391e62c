/**
 * The mean of some measurements, with a 95 % confidence interval.
 *
 *   A. Georges, D. Buytaert, L. Eeckhout. Statistically rigorous Java performance
 *   evaluation. OOPSLA 2007, section 3.2: Student's t for few measurements, the normal
 *   distribution from 30 on.
 */
export interface Estimate {
  readonly mean: number;
  /** Half the width of the interval; infinite for a single measurement. */
  readonly margin: number;
}

/** Degrees of freedom to the 97.5 % quantile of Student's t. */
const T = [
  Number.POSITIVE_INFINITY,
  12.71,
  4.3,
  3.18,
  2.78,
  2.57,
  2.45,
  2.36,
  2.31,
  2.26,
  2.23,
  2.2,
  2.18,
  2.16,
  2.14,
  2.13,
  2.12,
  2.11,
  2.1,
  2.09,
  2.09,
  2.08,
  2.07,
  2.07,
  2.06,
  2.06,
  2.06,
  2.05,
  2.05,
];
const NORMAL = 1.96;

export function estimate(measured: readonly number[]): Estimate {
  const n = measured.length;
  const mean = measured.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, margin: Number.POSITIVE_INFINITY };
  const variance = measured.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, margin: (T[n - 1] ?? NORMAL) * Math.sqrt(variance / n) };
}

/** As `12.3 ±0.4`. */
export const showEstimate = ({ mean, margin }: Estimate): string =>
  Number.isFinite(margin) ? `${short(mean)} ±${short(margin)}` : short(mean);

/** Three digits that count. */
export function short(value: number): string {
  return value >= 100
    ? value.toFixed(0)
    : value.toFixed(Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(value || 1)))));
}
