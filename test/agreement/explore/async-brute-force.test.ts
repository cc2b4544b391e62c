/**
 * The async backend on small random objects, against brute force: `trace` runs every execution, and the oracle decides
 * each history.
 */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { exploreSync } from '../../../src/explore/explore.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { Schedule } from '../../../src/explore/model/engine.js';
import { type Scenario, scenario } from '../../../src/explore/scenario/scenario.js';
import type { History } from '../../../src/history/history.js';
import { blocked, type Spec } from '../../../src/spec/spec.js';
import { isLinearizable } from '../../support/oracles/oracle.js';

const PROGRAMS = process.env.AGREE === 'all' ? 2_000 : 40;

/** Steps of a method: accesses of a local and a shared number, and pauses. */
const STEPS = ['read', 'write', 'microtask', 'immediate', 'short', 'long', 'wait', 'open'] as const;
type Step = (typeof STEPS)[number];

class Scripted {
  shared = 0;
  readonly #scripts: readonly (readonly Step[])[];
  #isOpen = false;
  #waiting: (() => void)[] = [];

  constructor(scripts: readonly (readonly Step[])[]) {
    this.#scripts = scripts;
  }

  async run(script: number): Promise<number> {
    let own = 0;
    for (const step of this.#scripts[script])
      switch (step) {
        case 'read':
          own = this.shared;
          break;
        case 'write':
          this.shared = own + 1;
          break;
        case 'microtask':
          await Promise.resolve();
          break;
        case 'immediate':
          await new Promise((resolve) => setImmediate(resolve));
          break;
        case 'short':
        case 'long':
          await new Promise((resolve) => setTimeout(resolve, step === 'short' ? 2 : 3));
          break;
        case 'wait':
          if (!this.#isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
          break;
        case 'open':
          this.#isOpen = true;
          for (const wake of this.#waiting.splice(0)) wake();
      }
    return own;
  }
}

/** The spec of the object: each method runs atomically, and blocks if it waits for a closed gate. */
function specOf(scripts: readonly (readonly Step[])[]): Spec {
  return {
    name: 'scripted',
    initial: [0, false],
    methods: {
      run: ([shared, isOpen]: [number, boolean], script: number) => {
        let own = 0;
        for (const step of scripts[script]) {
          if (step === 'read') own = shared;
          if (step === 'write') shared = own + 1;
          if (step === 'open') isOpen = true;
          if (step === 'wait' && !isOpen) return blocked;
        }
        return [[shared, isOpen], own];
      },
    },
  } as unknown as Spec;
}

function randomScenario(random: Random): { given: Scenario; spec: Spec } {
  const pauses = STEPS.slice(2);
  const scripts = [0, 1].map((): Step[] =>
    random.withProbability(60)
      ? ['read', random.pick(pauses), 'write']
      : Array.from({ length: 1 + random.below(3) }, () => random.pick(STEPS)),
  );
  const spec = specOf(scripts);
  const call = () => ['run', random.below(2)] as const;
  const test = random.withProbability(50) ? [[call(), call()], [call()]] : [[call()], [call()]];
  return { given: scenario({ create: () => new Scripted(scripts), spec, test } as never), spec };
}

/** All executions, by trying every alternative at each choice. */
function* histories(given: Scenario): Generator<History> {
  const { backend } = lineUp(
    given,
    { threads: given.test!, before: [], after: [] },
    { seed: 1, schedule: [] },
    new Deadline(Number.POSITIVE_INFINITY),
  );
  const from = function* (prefix: Schedule): Generator<History> {
    const whole = backend.trace(prefix);
    yield whole.history;
    for (let place = prefix.length; place < whole.schedule.length; place++)
      for (let other = 1; ; other++) {
        const next = [...whole.schedule.slice(0, place), other];
        if (backend.trace(next).followed < next.length) break;
        yield* from(next);
      }
  };
  yield* from([]);
}

test('the async backend finds a violation if and only if brute force does', async () => {
  const random = new Random(7);
  const counts = { holds: 0, violation: 0 };
  for (let i = 0; i < PROGRAMS; i++) {
    const { given, spec } = randomScenario(random);
    const async: Scenario = { ...given, backend: 'async' };
    await inOwnTask(() => {
      const { verdict } = exploreSync(async);
      let expected: 'holds' | 'violation' = 'holds';
      for (const history of histories(async))
        if (!isLinearizable(history, spec)) {
          expected = 'violation';
          break;
        }
      expect({ i, verdict }).toEqual({ i, verdict: expected });
      counts[expected]++;
    });
  }
  expect(Math.min(counts.holds, counts.violation)).toBeGreaterThan(PROGRAMS / 10);
}, 600_000);
