/**
 * Calls that start between microtasks, against client code: the explored histories of two calls are exactly those that clients
 * in plain JavaScript produce, which start the second call any number of microtasks after the first call or its return.
 */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { inOwnTask, runMicrotasks } from '../../../src/event-loop/own-task.js';
import { Outcomes } from '../../../src/execution/outcomes.js';
import { AsyncTree } from '../../../src/explore/async/engines.js';
import { asyncProgram } from '../../../src/explore/async/program.js';
import { AsyncRun } from '../../../src/explore/async/run.js';
import { explore, trace } from '../../../src/explore/explore.js';
import { scenario } from '../../../src/explore/scenario/scenario.js';
import { share } from '../../support/share.js';

const PROGRAMS = share(4_000, 300);
/** More microtasks than any program has. */
const MOST = 30;

const STEPS = [
  'read',
  'write',
  'null',
  'async',
  'wait',
  'open',
  'add',
  'return',
  'thenable',
  'queue',
  'race',
] as const;
type Step = (typeof STEPS)[number];

/** An object with two random methods over a cell and a queue of waiting calls. */
class Subject {
  cell = '0';
  log = '';
  readonly #gates: (() => void)[] = [];
  readonly #methods: readonly (readonly Step[])[];

  constructor(methods: readonly (readonly Step[])[]) {
    this.#methods = methods;
  }

  async run(method: number): Promise<string> {
    for (const step of this.#methods[method]) await this.#step(step, 'ab'[method]);
    this.log += this.cell;
    return this.log;
  }

  /** Undefined, so that `await` takes one microtask, or a promise. */
  #step(step: Step, name: string): unknown {
    switch (step) {
      case 'read':
        this.log += `${name}${this.cell}`;
        return undefined;
      case 'write':
        this.cell = name;
        return undefined;
      case 'null':
        return null;
      case 'async':
        return (async () => {
          await Promise.resolve();
        })();
      case 'wait':
        return new Promise<void>((resolve) => this.#gates.push(resolve));
      case 'open':
        this.#gates.shift()?.();
        return undefined;
      case 'add':
        return (async () => {
          const before = this.cell;
          await Promise.resolve();
          this.cell = before + name;
        })();
      case 'return':
        return (async () => Promise.resolve().then(() => this.#step('write', name)))();
      case 'thenable':
        // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise
        return { then: (resolve: () => void) => resolve() };
      case 'queue':
        queueMicrotask(() => {
          this.cell += name;
        });
        return undefined;
      default:
        return Promise.race([Promise.resolve(), new Promise(() => {})]);
    }
  }
}

/** The histories of client code: calls as 0 and 1, returns with their results. */
function histories(methods: readonly (readonly Step[])[]): Set<string> {
  const found = new Set<string>();
  const after = (k: number, run: () => void): void => {
    if (k === 0) run();
    else void Promise.resolve().then(() => after(k - 1, run));
  };
  for (const first of [0, 1])
    for (const start of ['call', 'return', 'later'])
      for (let k = 0; k <= MOST; k++) {
        const subject = new Subject(methods);
        const events: string[] = [];
        let hasStarted = false;
        const call = (method: number): Promise<void> => {
          events.push(`${method}`);
          return subject.run(method).then((result) => void events.push(`${method}=${result}`));
        };
        const second = () => {
          if (hasStarted) return;
          hasStarted = true;
          void call(1 - first);
        };
        const returned = call(first);
        if (start === 'call') after(k, second);
        // in the microtask of the return, or later
        if (start === 'return') {
          events.push = (...more) => {
            Array.prototype.push.apply(events, more);
            if (more[0].startsWith(`${first}=`)) after(k, second);
            return events.length;
          };
        }
        void returned;
        runMicrotasks();
        second();
        runMicrotasks();
        found.add(events.join(' '));
        if (start === 'later') break;
      }
  return found;
}

function explored(methods: readonly (readonly Step[])[], maxMicrotaskStarts: number): Set<string> {
  const given = scenario({
    create: () => new Subject(methods),
    test: [[['run', 0]], [['run', 1]]],
    backend: 'async',
  } as never);
  const program = asyncProgram(given, { threads: given.test!, before: [], after: [] });
  const run = new AsyncRun({ ...program, maxMicrotaskStarts }, new Outcomes());
  const found = new Set<string>();
  const engine = new AsyncTree(run, () => {
    const textOf = (k: number) => {
      const outcome = run.outcomes.at(run.outcome[k]);
      return outcome.kind === 'returned' ? String(outcome.value) : outcome.kind;
    };
    found.add(run.events.map((event) => (event < 0 ? `${~event}=${textOf(~event)}` : `${event}`)).join(' '));
    return undefined;
  });
  while (engine.advance(10_000) !== 'done');
  return found;
}

test('explored histories of random methods are those of clients', async () => {
  const random = new Random(3);
  let more = 0;
  for (let i = 0; i < PROGRAMS; i++) {
    const method = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(STEPS));
    const methods = [method(), method()];
    await inOwnTask(() => {
      const label = methods.map((steps) => steps.join(' ')).join(' | ');
      const all = explored(methods, 1);
      expect([...all].sort(), label).toEqual([...histories(methods)].sort());
      if (all.size > explored(methods, 0).size) more++;
    });
  }
  expect(more).toBeGreaterThan(PROGRAMS / 5);
}, 3_600_000);

/** Resets a flag some microtasks after its call; a call that starts in between sees it. */
class Flag {
  isSet = false;
  async look(): Promise<boolean> {
    return this.isSet;
  }
  async toggle(): Promise<void> {
    await Promise.resolve();
    this.isSet = true;
    await Promise.resolve();
    this.isSet = false;
  }
}

test("a scenario asks for such starts, its failure is replayed, and the object's own timers start none", async () => {
  const given = { create: () => new Flag(), test: [[['toggle']], [['look']]] } as const;
  expect((await explore(scenario(given))).verdict).toBe('holds');
  const found = await explore(scenario({ ...given, maxMicrotaskStarts: 1 }));
  expect(found.verdict).toBe('violation');
  const { history } = await trace(found.results.at(-1)!);
  expect(Array.from(history, ({ outcome }) => outcome)).toContainEqual({ kind: 'returned', value: true });
  class Timed extends Flag {
    override async toggle(): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await super.toggle();
    }
  }
  const timed = scenario({ ...given, create: () => new Timed(), maxMicrotaskStarts: 1 });
  expect((await explore(timed)).verdict).toBe('holds');
  expect(() => scenario({ ...given, maxMicrotaskStarts: -1 })).toThrow('expected a whole number from 0');
});
