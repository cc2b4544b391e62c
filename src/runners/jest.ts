/** For jest with ES modules: `import 'straightedge/jest'` adds the matchers, and `holds` is a test of a scenario. */
import { callerAt, type Scenario } from '../explore/index.js';
import { assertHolds } from './assert-holds.js';
import { GRACE, type HoldOptions, millisecondsOf } from './holding.js';
import { matchers, type StraightedgeMatchers } from './matchers.js';

declare global {
  namespace jest {
    interface Matchers<R> extends StraightedgeMatchers<R> {}
  }
}

/** As much of jest's globals as is needed. */
interface Jest {
  readonly expect: { extend(matchers: object): void };
  readonly test: (name: string, run: () => Promise<void>, timeout: number) => void;
}

const jest = globalThis as unknown as Partial<Jest>;
if (!jest.expect || !jest.test)
  throw new TypeError('straightedge/jest is for tests that jest runs with its globals (`injectGlobals`)');
jest.expect.extend(matchers);

/** A test with a time-out of its own. */
export function holds(
  name: string,
  scenario: Scenario,
  { timeout = '30s', ...options }: HoldOptions = {},
): void {
  const { file } = callerAt();
  jest.test?.(
    name,
    async () => {
      await assertHolds(scenario, { ...options, timeout }, file);
    },
    millisecondsOf(timeout) + GRACE,
  );
}

export { type HoldOptions, matchers };
