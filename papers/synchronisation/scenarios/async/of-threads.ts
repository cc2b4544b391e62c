/**
 * The scenario of an object for threads, with an asynchronous one in its place: the same spec, and the same calls.
 *
 * A client's next call comes later than the calls that it has woken. A fault that needs a faster call needs another
 * client: then the calls differ.
 */
import type { Scenario } from 'straightedge';

export const ofThreads = (
  scenario: Scenario,
  create: () => object,
  test: Scenario['test'] = scenario.test,
): Scenario => ({
  ...scenario,
  name: `asynchronous ${scenario.name}`,
  create: () => create(),
  backend: 'async',
  test,
});
