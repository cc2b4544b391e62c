/**
 * Matchers for `expect.extend`, in vitest and in jest:
 *
 *     expect(history).toBeLinearizable(queue());
 *     await expect(scenario).toHold();
 */

import type { Scenario } from '../explore/scenario/scenario.js';
import type { History } from '../history/history.js';
import { type AssertOptions, failureOf } from '../report/assert.js';
import { someGives } from '../report/common/verdict-words.js';
import { type AnySpec, isSyncSpec, type SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { type HoldOptions, limitsWith, matcherOptions, runScenario, type Settings } from './run-scenario.js';

/** The part of the runner's matcher state that is used. */
interface MatcherState {
  readonly testPath?: string;
  readonly isNot?: boolean;
}

interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface StraightedgeMatchers<R = unknown> {
  /** Passes if the history is linearizable; an undecided history fails. */
  // biome-ignore lint/suspicious/noExplicitAny: a spec of any object, with a state of its own
  toBeLinearizable(spec: Spec<any, any> | SyncSpec<any, any>, limits?: AssertOptions): R;
  /** Passes if no explored schedule of the scenario has a violation. Default time limit: 1 s. */
  toHold(options?: HoldOptions): Promise<R>;
}

export interface Matchers {
  toBeLinearizable(this: MatcherState, history: History, spec: AnySpec, limits?: AssertOptions): Matched;
  toHold(this: MatcherState, scenario: Scenario, options?: HoldOptions): Promise<Matched>;
}

/** An inconclusive result fails the test, with `.not` as well. */
export const matchersWith = (settings: Settings): Matchers => ({
  toBeLinearizable(history, spec, limits) {
    const failure = failureOf(history, spec, limitsWith(settings, limits));
    if (failure === undefined) return { pass: true, message: () => someGives(isSyncSpec(spec)) };
    return {
      pass: !failure.isViolation && this.isNot === true,
      message: () => failure.message,
    };
  },

  async toHold(scenario, options) {
    const { kind, text } = await runScenario(
      scenario,
      matcherOptions(settings, options),
      this.testPath ?? '',
    );
    return {
      pass: kind === 'holds' || (kind === 'inconclusive' && this.isNot === true),
      message: () => text,
    };
  },
});
