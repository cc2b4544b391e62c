/**
 * Two engines that explore all schedules, in turns: whoever is done first has done it for both.
 *
 * By states is best where many schedules lead to one state, by classes where states are many or large
 * and few steps conflict; which it is shows only on the way. Both run whole executions, so they can share one.
 * One that gave up a run knows less than all, and drops out. The second begins when the first was not done at once. Cost: at most twice the cheaper.
 */
import { type Coverage, type Effort, type Engine, type Finding, noEffort } from '../model/engine.js';

export class Competition implements Engine {
  readonly #all: Engine[] = [];
  #left: readonly (() => Engine)[];

  /** What begins each engine. */
  constructor(engines: readonly (() => Engine)[]) {
    this.#left = engines.map((begin) => {
      let engine: Engine | undefined;
      return () => {
        if (engine !== undefined) return engine;
        engine = begin();
        this.#all.push(engine);
        return engine;
      };
    });
  }

  get name(): string {
    return this.#all.map(({ name }) => name).join(' and ');
  }

  get effort(): Effort {
    const total = noEffort();
    for (const { effort } of this.#all) {
      total.executions += effort.executions;
      total.steps += effort.steps;
      total.depth = Math.max(total.depth, effort.depth);
      total.unfinished += effort.unfinished;
      total.states += effort.states;
      total.classes += effort.classes;
      total.histories += effort.histories;
    }
    return total;
  }

  get coverage(): Coverage | undefined {
    return this.#all.find(({ coverage }) => coverage?.kind === 'all')?.coverage;
  }

  advance(fuel: number): Finding | 'done' | undefined {
    const share = fuel / this.#left.length;
    for (const own of this.#left) {
      const engine = own();
      const found = engine.advance(share);
      if (found === undefined) continue;
      if (found !== 'done' || engine.coverage?.kind === 'all') return found;
      this.#left = this.#left.filter((other) => other !== own);
    }
    return this.#left.length === 0 ? 'done' : undefined;
  }
}
