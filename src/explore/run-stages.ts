/** Engines one after another, each until its share of the time is over, until one finds something or is done. */
import type { Patience } from './model/deadline.js';
import type { Coverage, Engine, Finding } from './model/engine.js';

export interface Stage {
  /** The share of the time at which it has to be done. */
  readonly until: number;
  readonly begin: () => Engine;
}

/** What has been tried so far. */
export interface Tried {
  readonly engines: Engine[];
  readonly coverage: Coverage[];
}

export interface RunOptions {
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
