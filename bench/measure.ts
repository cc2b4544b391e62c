/**
 * Tools of all benchmarks: CPU time, separate processes, estimates and growth.
 *
 * A program starts itself or another program by `inOwnProcess`, so no measurement shares memory or compiled code with
 * another, and a process that dies or hangs affects no other. It gets its job as JSON and prints its result as JSON.
 *
 * Means come with 95 % confidence intervals: A. Georges, D. Buytaert, L. Eeckhout. Statistically rigorous Java
 * performance evaluation. OOPSLA 2007, section 3.2. Student's t for few measurements, the normal distribution from 30.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const MAIN: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/**
 * Milliseconds of CPU time of this process, including its threads for garbage collection and compilation. Unlike
 * wall-clock time, it hardly depends on other processes.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The result of a program; undefined if it died or exceeded its time. */
export function inOwnProcess<Job, Found>(program: URL, job: Job, milliseconds?: number): Found | undefined {
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [fileURLToPath(program), JSON.stringify(job)],
    { encoding: 'utf8', timeout: milliseconds },
  );
  if (stdout !== '') return JSON.parse(stdout) as Found;
  // a process that ran out of memory aborts; exit code 1 is an error of the benchmark
  if (status === 1 && signal === null) throw new Error(stderr);
  return undefined;
}

/** The job of this process. */
export const ownJob = <Job>(): Job => JSON.parse(process.argv[2]) as Job;

/** Peak memory of this process. Linux reports it exactly; `maxRSS` starts with the value of the parent process. */
export function peakMegabytes(): number {
  const status = '/proc/self/status';
  const peak = existsSync(status) && /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'));
  return (peak ? Number(peak[1]) : process.resourceUsage().maxRSS) / 1024;
}

/** Exponent of y as a function of n: the slope of (log n, log y) by least squares. */
export function exponent(measured: readonly (readonly [n: number, y: number])[]): number {
  const points = measured.map(([n, y]) => [Math.log(n), Math.log(y)] as const);
  const mean = (i: 0 | 1) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return (
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  );
}

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

/** Three significant digits. */
export function short(value: number): string {
  return value >= 100
    ? value.toFixed(0)
    : value.toFixed(Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(value || 1)))));
}
