/** Fails unit tests that use more processor time than a quick loop has for one. A loaded machine does not matter much. */
import { afterEach, beforeEach } from 'vitest';

/** In seconds. Aim at less than 2; a loaded machine takes up to half more. */
const MOST = 3;

let start = process.cpuUsage();
beforeEach(() => {
  start = process.cpuUsage();
});
afterEach(() => {
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  if (seconds > MOST && process.env.AGREE !== 'all')
    throw new Error(
      `the test used ${seconds.toFixed(1)} s of processor time; unit tests have ${MOST} s: give it a smaller input, or move it to test/agreement`,
    );
});
