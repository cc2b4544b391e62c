/** Whole explanations of small objects. Each repair is tried again by brute force, which shares nothing with the engines. */
import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../test/support/fixtures/instrumented.js';
import {
  allResults,
  hasSequentialWitness,
  sequentialHistories,
} from '../../test/support/oracles/brute-force.js';
import { Blocks } from '../execution/atomic-blocks.js';
import { Mutex } from '../execution/primitives/locks.js';
import type { Program } from '../execution/program.js';
import { exploreSync } from '../explore/explore.js';
import { Deadline } from '../explore/model/deadline.js';
import { type Scenario, scenario } from '../explore/scenario/scenario.js';
import type { ThreadBackend } from '../explore/thread-backend.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { fetchAndAdd } from '../objects/cells/counter.js';
import { type Explanation, explainSync } from './explain.js';
import type { Repair } from './repairs/repair.js';
import { violationTrace } from './trials.js';

const placeOf = (site: number) => runtime.sites.placeOf(site);

function explained(source: string, given: object): { explanation: Explanation; program: Program } {
  const { make } = evaluateInstrumented(source);
  const made: Scenario = scenario({ create: make, ...given } as never);
  const found = exploreSync(made).results.at(-1)!;
  expect(found.violation).toBeDefined();
  const deadline = new Deadline(Number.POSITIVE_INFINITY);
  const explanation = explainSync(made, found.test, violationTrace(found), { seed: 1 }, deadline);
  return { explanation, program: (explanation.collected.result.backend as ThreadBackend).program };
}

/** Are all executions explained, if these blocks are run in one step? */
function helps(program: Program, repair: Repair): boolean {
  const endings = allResults(program, 50_000, new Blocks(repair, placeOf));
  const sequential = sequentialHistories(program);
  expect(endings).toBeDefined();
  return endings!.every((ending) => hasSequentialWitness(ending, sequential));
}

const linesOf = (repair: Repair): string =>
  repair.map(({ start, end }) => `${start.line}-${end.line}`).join(' ');

/** The repairs that help and those that do not, after each has been tried again. */
function summary(source: string, given: object): { helps: string[]; partial: string[] } {
  const { explanation, program } = explained(source, given);
  const { repairs, partial, collected, reason, refuted } = explanation;
  expect([reason, refuted]).toEqual([undefined, []]);
  expect(collected.isWhole).toBe(true);
  for (const { repair, verification } of repairs) {
    expect(verification?.kind).toBe('confirmed');
    expect(helps(program, repair)).toBe(true);
  }
  for (const { repair, removed } of partial) {
    expect(removed).toBeLessThan(collected.violating.length);
    expect(helps(program, repair)).toBe(false);
  }
  return {
    helps: repairs.map(({ repair }) => linesOf(repair)),
    partial: partial.map(({ repair }) => linesOf(repair)),
  };
}

describe('blocks that must be atomic', () => {
  test('a read and the write that depends on it', () => {
    const source = `export class Counter {
      n = 0
      increment() {
        const n = this.n
        this.n = n + 1
        return n
      }
    }
    export const make = () => new Counter()`;
    expect(summary(source, { test: [[['increment']], [['increment']]] })).toEqual({
      helps: ['4-5'],
      partial: [],
    });
  });

  test('two reads, where only the real-time order matters (setX, setY, scan)', () => {
    const source = `export class Pair {
      x = 0
      y = 0
      setX() { this.x = 1 }
      setY() { this.y = 1 }
      scan() {
        const x = this.x
        return [x, this.y]
      }
    }
    export const make = () => new Pair()`;
    const test = [[['setX']], [['setY']], [['scan']]];
    expect(summary(source, { test })).toEqual({ helps: ['7-8'], partial: [] });
  });

  test("a cell's read and its clearing, in a stack; not the whole loop", () => {
    const source = `class Cell { value = null }
    export class Stack {
      range = new Int32Array(new SharedArrayBuffer(4))
      items = [new Cell(), new Cell()]
      push(x) {
        const i = Atomics.add(this.range, 0, 1)
        this.items[i].value = x
      }
      pop() {
        for (let i = Atomics.load(this.range, 0) - 1; i >= 0; i--) {
          const x = this.items[i].value
          this.items[i].value = null
          if (x !== null) return x
        }
        return null
      }
    }
    export const make = () => new Stack()`;
    const found = summary(source, { test: [[['push', 1], ['pop']], [['pop']]] });
    expect(found.helps[0]).toBe('11-12');
  });

  test('the calls of helpers, where what they do belongs together', () => {
    const source = `export class Account {
      #balance = 10
      #read() { return this.#balance }
      #write(to) {
        this.#balance = to
      }
      withdraw(n) {
        const left = this.#read() - n
        if (left < 0) return false
        this.#write(left)
        return true
      }
    }
    export const make = () => new Account()`;
    expect(summary(source, { test: [[['withdraw', 7]], [['withdraw', 7]]] }).helps).toEqual(['8-10']);
  });

  test('in two methods, where one alone is not enough', () => {
    const source = `export class Flags {
      a = 0
      b = 0
      set(n) {
        this.a = n
        this.b = n
      }
      get() {
        const a = this.a
        return [a, this.b]
      }
    }
    export const make = () => new Flags()`;
    expect(summary(source, { test: [[['set', 1]], [['get']]] }).helps).toEqual(['5-6 9-10']);
  });

  test('two locks that are taken in either order', () => {
    Object.assign(globalThis, { Mutex });
    const source = `export class Two {
      one = new Mutex()
      other = new Mutex()
      up() {
        this.one.lock()
        this.other.lock()
        this.other.unlock()
        this.one.unlock()
      }
      down() {
        this.other.lock()
        this.one.lock()
        this.one.unlock()
        this.other.unlock()
      }
    }
    export const make = () => new Two()`;
    expect(summary(source, { test: [[['up']], [['down']]] }).helps).toEqual(['5-6 11-12']);
  });
});

test('a mistake that the test does not show, in a method of which larger tests ask', () => {
  const source = `export class Two {
    n = 0
    m = 0
    incrementN() {
      const n = this.n
      this.n = n + 1
      return n
    }
    incrementM() {
      const m = this.m
      this.m = m + 1
      return m
    }
  }
  export const make = () => new Two()`;
  const { explanation } = explained(source, {
    calls: [['incrementN'], ['incrementM']],
    threads: 2,
    callsPerThread: 1,
  });
  const [{ repair, verification, larger }] = explanation.repairs;
  expect([linesOf(repair), verification?.kind]).toEqual(['5-6 10-11', 'confirmed']);
  expect(larger).toBeGreaterThan(10);
  expect(explanation.partial.map(({ repair: some, removed }) => [linesOf(some), removed])).toEqual([
    ['5-6', explanation.collected.violating.length],
  ]);
});

test('an object that is incorrect without concurrency has no repair', () => {
  const { explanation } = explained(
    `export class Wrong {
      n = 0
      add(n) {
        this.n += n
        return this.n
      }
    }
    export const make = () => new Wrong()`,
    { spec: fetchAndAdd(), test: [[['add', 1]]] },
  );
  expect(explanation).toMatchObject({ repairs: [], partial: [], reason: { kind: 'sequential' } });
});

test('without time nothing is claimed', () => {
  const { make } = evaluateInstrumented(`export class C { n = 0
    inc() {
      const n = this.n
      return this.n = n + 1
    }
  }
  export const make = () => new C()`);
  const made: Scenario = scenario({ create: make, test: [[['inc']], [['inc']]] } as never);
  const found = exploreSync(made).results.at(-1)!;
  const { repairs } = explainSync(made, found.test, violationTrace(found), { seed: 1 }, new Deadline(0));
  expect(repairs.map(({ repair, verification }) => [linesOf(repair), verification])).toEqual([
    ['3-4', undefined],
  ]);
});
