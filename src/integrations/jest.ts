/** For jest with ES modules: `import 'straightedge/jest'` adds the matchers, and `holds` is a test of a scenario. */
import type { Scenario } from '../explore/scenario/scenario.js';
import { type Matchers, matchersWith, type StraightedgeMatchers } from './matchers.js';
import type { HoldOptions } from './run-scenario.js';
import { ownSettings } from './settings.js';
import { placeAbove, testOf } from './test-of.js';

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
const settings = await ownSettings();
/** The matchers that importing this module adds to `expect`. */
export const matchers: Matchers = matchersWith(settings);
jest.expect.extend(matchers);

/**
 * Defines a test that explores a scenario, with a time limit of its own.
 *
 * @example
 * testScenario(
 *   'a set is linearizable',
 *   scenario({ create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '10s' },
 * );
 */
export function testScenario(name: string, scenario: Scenario, options: HoldOptions = {}): void {
  const { timeout, run } = testOf(scenario, options, settings, placeAbove(testScenario));
  jest.test?.(
    name,
    async () => {
      await run();
    },
    timeout,
  );
}
