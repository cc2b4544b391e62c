/** Scenarios of plain code, loaded from files and explored. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as objects from '../objects/index.js';
import { type Exploration, type ExploreOptions, explore } from './exploration.js';
import * as own from './index.js';
import type { Scenario } from './scenario.js';
import { trace } from './trace.js';
import { loadTransformed } from './transform/index.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-explore-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function exploring(source: string, options: ExploreOptions = {}): Exploration {
  const file = join(folder, `${++files}.scenario.ts`);
  writeFileSync(
    file,
    `import { scenario, AtomicRef, Monitor } from 'straightedge'; import * as objects from 'straightedge/objects';\n${source}`,
  );
  const modules = { straightedge: own, 'straightedge/objects': objects };
  const { default: made } = loadTransformed(file, { globs: [], modules }) as { default: Scenario };
  return explore(made, options);
}

const violationOf = (exploration: Exploration) => exploration.explored.at(-1)?.violation;

const COUNTER = `class Counter { n = 0; increment() { const old = this.n; this.n = old + 1; return old + 1 } }`;
const TREIBER = `class Item { constructor(readonly value: number, readonly next: Item | null) {} }
class Stack {
  top = new AtomicRef<Item | null>(null);
  push(value: number) { for (;;) { const old = this.top.get(); if (this.top.compareAndSet(old, new Item(value, old))) return } }
  pop() { for (;;) { const old = this.top.get(); if (old === null) return null; if (this.top.compareAndSet(old, old.next)) return old.value } }
}`;

test('an update is lost: learnt from serial runs, found, and run again', () => {
  const exploration = exploring(
    `${COUNTER} export default scenario({ create: () => new Counter(), calls: [['increment']], threads: 2, callsPerThread: 2 })`,
  );
  expect(exploration.verdict).toBe('violation');
  const [explored] = exploration.explored;
  const violation = explored.violation;
  if (violation?.kind !== 'outcome') throw new Error('expected an outcome');
  const { history } = trace(explored.program, violation.schedule);
  const results = Array.from(history, ({ outcome }) =>
    outcome.kind === 'returned' ? outcome.value : outcome.kind,
  );
  expect(new Set(results).size).toBeLessThan(4);
});

test('the same against a spec, under other names', () => {
  const source = (increment: string) =>
    `${COUNTER} export default scenario({ create: () => new Counter(), spec: objects.fetchAndAdd(), calls: [['add', 1]], methods: { add: (c) => ${increment} }, threads: 2, callsPerThread: 1 })`;
  expect(exploring(source('c.increment() - 1')).verdict).toBe('violation');
});

test("Treiber's stack holds, exhaustively, with a spec and without", () => {
  for (const spec of ['', 'spec: objects.stack(),']) {
    const { verdict, explored } = exploring(
      `${TREIBER} export default scenario({ create: () => new Stack(), ${spec} calls: [['push', 1], ['push', 2], ['pop']], threads: 2, callsPerThread: 2 })`,
      { samples: 20 },
    );
    expect(verdict).toBe('holds');
    expect(explored).toHaveLength(20);
    for (const { coverage } of explored) expect(coverage).toEqual([{ kind: 'all' }]);
  }
});

const LATCH = (check: string) => `class Latch {
  isOpen = false; monitor = new Monitor();
  open() { this.monitor.enter(); this.isOpen = true; this.monitor.notifyAll(); this.monitor.exit() }
  pass() { ${check} }
}
export default scenario({ create: () => new Latch(), test: [[['open']], [['pass']]] })`;

test('a wake-up is lost: somebody waits who never does in serial runs', () => {
  const lost = LATCH('if (!this.isOpen) { this.monitor.enter(); this.monitor.wait(); this.monitor.exit() }');
  expect(violationOf(exploring(lost))).toMatchObject({ kind: 'wait', operation: 1 });
  const kept = LATCH('this.monitor.enter(); while (!this.isOpen) this.monitor.wait(); this.monitor.exit()');
  expect(exploring(kept).verdict).toBe('holds');
});

test('an object that answers serially in two ways is not deterministic', () => {
  writeFileSync(join(folder, 'hidden.ts'), 'let asked = 0; export const ask = () => ++asked % 5;');
  const source = `import { ask } from './hidden'; export default scenario({ create: () => ({ ask: () => ask() }), test: [[['ask'], ['ask']], [['ask']]] })`;
  const exploration = exploring(source);
  const violation = violationOf(exploration);
  if (violation?.kind !== 'nondeterminism') throw new Error('expected nondeterminism');
  const [one, other] = violation.histories.map((history) => Array.from(history));
  expect(one.map(({ method }) => method)).toEqual(other.map(({ method }) => method));
  expect(one.at(-1)?.outcome).not.toEqual(other.at(-1)?.outcome);
});

test('a loop that changes something for ever is undecided, and said to be', () => {
  const endless = `export default scenario({ create: () => ({ n: 0, run() { for (;;) this.n++ } }), test: [[['run']]] })`;
  expect(exploring(endless)).toMatchObject({ verdict: 'undecided', because: 'steps' });
});

test('a bound of preemptions is what was asked for, or not', () => {
  const source = `${COUNTER} export default scenario({ create: () => new Counter(), test: [[['increment']], [['increment']]] })`;
  expect(exploring(source, { preemptions: 0 })).toMatchObject({
    verdict: 'holds',
    explored: [{ coverage: [{ kind: 'bound', preemptions: 0 }] }],
  });
  expect(exploring(source, { preemptions: 1 }).verdict).toBe('violation');
});

test('who is interrupted says so', () => {
  const source = `${COUNTER} export default scenario({ create: () => new Counter(), calls: [['increment']] })`;
  expect(exploring(source, { interrupted: () => true })).toMatchObject({
    verdict: 'undecided',
    because: 'interrupted',
  });
});

test('state that nobody controls is no violation, but an error', () => {
  writeFileSync(join(folder, 'outside.ts'), 'let asked = 0; export const ask = () => ++asked;');
  const source = `import { ask } from './outside'; class Asks { n = 0; ask() { this.n = 1; const got = ask(); this.n = 2; return got } }
  export default scenario({ create: () => new Asks(), test: [[['ask']], [['ask']]] })`;
  expect(() => exploring(source)).toThrow('the same schedule has given other results');
});
