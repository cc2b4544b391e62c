/**
 * The scenario of an object for threads, with an asynchronous one in its place: the same spec, and the same calls.
 *
 * A client that comes again does so later than those whom it has woken, so where a fault needs somebody who is faster than
 * these, it takes another client: then there are other calls.
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
