/**
 * Fails unit tests that use more than 2 s of processor time. A machine with more work than cores has slower cores, and
 * gets up to three times as much.
 */
import { availableParallelism, loadavg } from 'node:os';
import { afterEach, beforeEach } from 'vitest';

const SECONDS = 2;
const most = (): number => SECONDS * Math.min(3, Math.max(1, loadavg()[0] / (availableParallelism() + 1)));

let start = process.cpuUsage();
beforeEach(() => {
  start = process.cpuUsage();
});
afterEach(() => {
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  if (seconds > most() && process.env.AGREE !== 'all')
    throw new Error(
      `the test used ${seconds.toFixed(1)} s of processor time; unit tests have ${SECONDS} s: give it a smaller input, or move it to test/agreement`,
    );
});
