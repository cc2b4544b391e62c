/**
 * Which engines try the schedules of one test, one after another, and for how long: all schedules; if half of the
 * time is not enough for that, all with few preemptions; and then samples.
 */

import { Random } from '../base/random.js';
import type { Block } from '../execution/atomic-blocks.js';
import type { Execution } from '../execution/execution.js';
import type { Atomicity } from './classes/atomicity.js';
import type { DporOptions } from './engines/dpor.js';
import { byBound, byClasses, byEither, bySamples, byStates } from './engines/engines.js';
import { PartialOrderSampling, Planned, type Strategy } from './engines/sampling.js';
import type { AnyAutomaton } from './model/automaton.js';
import type { Patience } from './model/deadline.js';
import type { Coverage, Engine, Finding, Schedule } from './model/engine.js';

/* Engines one after another, each until its share of the time is over, until one finds something or is done. */

export interface Stage {
  /** The share of the time at which it has to be done. */
  readonly until: number;
  readonly begin: () => Engine;
}

/** What has been tried so far. */
interface Tried {
  readonly engines: Engine[];
  readonly coverage: Coverage[];
}

interface RunOptions {
  /** Steps between two looks at the clock. */
  readonly fuel: number;
  /** Does what is found not end it? */
  readonly goesOn?: boolean;
}

export function runStages(
  stages: readonly Stage[],
  { engines, coverage }: Tried,
  patience: Patience,
  { fuel, goesOn = false }: RunOptions,
): Finding | undefined {
  for (const { until, begin } of stages) {
    const engine = begin();
    engines.push(engine);
    let found = engine.advance(fuel);
    while ((found === undefined || (goesOn && found !== 'done')) && !patience.isOver(until))
      found = engine.advance(fuel);
    if (engine.coverage !== undefined) coverage.push(engine.coverage);
    if (found === 'done') return undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

export interface StageOptions {
  readonly seed: number;
  /** Only schedules with so many preemptions. */
  readonly preemptions?: number | undefined;
  /** Nothing less than all of them, in all of the time. */
  readonly isExhaustive?: boolean | undefined;
  /** Only this one. */
  readonly schedule?: Schedule | undefined;
  /** Told of every class of schedules. Then exploring does not end with what is wrong. */
  readonly onClass?: DporOptions['onClass'];
  /** To be run in one step. Then all schedules are tried, or there is no answer. */
  readonly blocks?: readonly Block[] | undefined;
  /** Can states not be told apart? */
  readonly isOpaque?: boolean | undefined;
}

/** The shares of the time in which all schedules, and then those with few preemptions, have to be tried. */
export const EXHAUSTIVE = 0.5;
export const BOUNDED = 0.8;

/** `atomicity`, if given, looks at each execution that is judged; so all are. */
export function stagesOf(
  execution: Execution,
  automaton: AnyAutomaton,
  { seed, preemptions, isExhaustive = false, schedule, onClass, blocks, isOpaque = false }: StageOptions,
  atomicity?: Atomicity,
): readonly Stage[] {
  const sampled = (strategy: Strategy, samples: number) => () =>
    bySamples(execution, automaton, strategy, { samples, atomicity });
  if (schedule !== undefined) return [{ until: 1, begin: sampled(new Planned(schedule), 1) }];
  if (onClass !== undefined)
    return [{ until: 1, begin: () => byClasses(execution, automaton, { onClass, atomicity }) }];
  if (blocks !== undefined) return [{ until: 1, begin: () => byStates(execution, automaton) }];
  if (preemptions !== undefined)
    return [
      { until: 1, begin: () => byBound(execution, automaton, { mostPreemptions: preemptions, atomicity }) },
    ];
  const all = () =>
    atomicity || isOpaque ? byClasses(execution, automaton, { atomicity }) : byEither(execution, automaton);
  if (isExhaustive) return [{ until: 1, begin: all }];
  return [
    { until: EXHAUSTIVE, begin: all },
    { until: BOUNDED, begin: () => byBound(execution, automaton, { atomicity }) },
    {
      until: 1,
      begin: sampled(new PartialOrderSampling(new Random(seed)), Number.POSITIVE_INFINITY),
    },
  ];
}
