/** Atomic blocks: no other thread takes a step inside a block, and every other interleaving is explored. */
import { expect, test } from 'vitest';
import { instrumentedProgram } from '../../test/support/fixtures/instrumented.js';
import type { Automaton } from '../explore/automata/configurations.js';
import { byStates } from '../explore/engines/engines.js';
import { ChoiceTree } from '../explore/model/engine.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { type Block, Blocks } from './atomic-blocks.js';
import { Execution } from './execution.js';
import { Mutex, Semaphore } from './primitives/locks.js';

const lines = (first: number, last: number): Block => ({
  file: 'sample.ts',
  start: { line: first, column: 1 },
  end: { line: last, column: 200 },
});

/** All executions as `thread:line` of each step, such as `0:3 1:3`. An execution that is stuck inside a block is left out. */
function executions(
  code: string,
  blocks: readonly Block[],
  threads: Parameters<typeof instrumentedProgram>[1],
): string[] {
  const program = instrumentedProgram(code, threads);
  const execution = new Execution(program, new Blocks(blocks, (site) => runtime.sites.placeOf(site)));
  const tree = new ChoiceTree();
  const found: string[] = [];
  do {
    execution.reset();
    const steps: string[] = [];
    for (let place = 0; ; place++) {
      const enabled = execution.enabled();
      if (enabled === 0) break;
      const thread = tree.take(place, enabled);
      steps.push(`${thread}:${runtime.sites.placeOf(execution.sites[thread]).line}`);
      execution.step(thread);
    }
    if (execution.blockOwner < 0) found.push(steps.join(' '));
  } while (tree.next());
  return found;
}

const PAIR = `export const make = () => new C()
class C { a = 0; b = 0; c = 0
  go() {
    this.a = 1
    this.b = 1
    this.c = 1
  }
  look() { return this.c }
}`;

test('without blocks, another thread may take its step anywhere', () => {
  expect(executions(PAIR, [], { threads: [[['go']], [['look']]] })).toHaveLength(4);
});

test('no thread takes a step between two accesses of a block', () => {
  expect(executions(PAIR, [lines(4, 5)], { threads: [[['go']], [['look']]] }).sort()).toEqual([
    '0:4 0:5 0:6 1:8',
    '0:4 0:5 1:8 0:6',
    '1:8 0:4 0:5 0:6',
  ]);
});

test('a block inside a loop is atomic per iteration, and a block around a loop as a whole', () => {
  const code = `export const make = () => new C()
class C { n = 0; m = 0
  go() {
    let i = 0
    while (this.n < 9 && i++ < 2) {
      this.n = 5
      this.m = 5
    }
  }
  look() { return this.m }
}`;
  const threads = { threads: [[['go']], [['look']]] } as const;
  const rounds = executions(code, [lines(6, 7)], threads).map((one) => one.replace(/0:6 0:7/g, '[]'));
  expect(rounds).toContain('0:5 [] 1:10 0:5 [] 0:5');
  expect(rounds.every((one) => !/0:6 1:10/.test(one))).toBe(true);
  const inOneRound = executions(code, [{ ...lines(5, 6), start: { line: 5, column: 12 } }], threads);
  expect(inOneRound).toContain('0:5 0:6 1:10 0:7 0:5 0:6 0:7 0:5');
  expect(inOneRound.some((one) => /0:5 1:10 0:6/.test(one))).toBe(false);
  // the loop test belongs to the next iteration, so another thread may run before it
  expect(inOneRound).toContain('0:5 0:6 0:7 1:10 0:5 0:6 0:7 0:5');
  const around = executions(code, [lines(5, 7)], threads);
  expect(around.sort()).toEqual(['0:5 0:6 0:7 0:5 0:6 0:7 0:5 1:10', '1:10 0:5 0:6 0:7 0:5 0:6 0:7 0:5']);
});

test('calls from a block belong to the block', () => {
  const code = `export const make = () => new C()
class C { a = 0
  #set(n) {
    this.a = n
  }
  go() {
    this.#set(1)
    this.#set(2)
  }
  look() { return this.a }
}`;
  const threads = { threads: [[['go']], [['look']]] } as const;
  expect(executions(code, [lines(7, 8)], threads)).toHaveLength(2);
  expect(executions(code, [lines(4, 4)], threads)).toHaveLength(3);
});

test('a thread that would block on a lock inside a block waits before the block', () => {
  Object.assign(globalThis, { Mutex });
  const code = `export const make = () => new C()
class C { lock = new Mutex(); a = 0
  go() {
    this.a = 1
    this.lock.lock()
    this.lock.unlock()
  }
}`;
  const all = executions(code, [lines(4, 5)], { threads: [[['go']], [['go']]] });
  expect(all.sort()).toEqual(['0:4 0:5 0:6 1:4 1:5 1:6', '1:4 1:5 1:6 0:4 0:5 0:6']);
});

test('a thread that cannot run a block to its end waits before it, in a deadlock if no other thread is enabled', () => {
  Object.assign(globalThis, { Semaphore });
  const code = `export const make = () => new C()
class C { permits = new Semaphore(0); a = 0
  go() {
    this.a = 1
    this.permits.acquire()
  }
}`;
  const program = instrumentedProgram(code, { threads: [[['go']]] });
  const explored = (blocks: readonly Block[], mayWait: boolean) => {
    const execution = new Execution(program, new Blocks(blocks, (site) => runtime.sites.placeOf(site)));
    const automaton: Automaton = { initial: 0, moves: () => [], unblocked: () => (mayWait ? -1 : 0) };
    const engine = byStates(execution, automaton);
    let found = engine.advance(1_000);
    while (found === undefined) found = engine.advance(1_000);
    return found === 'done' ? engine.coverage : found;
  };
  expect(explored([], true)).toEqual({ kind: 'all' });
  expect(explored([lines(4, 5)], true)).toEqual({ kind: 'all' });
  expect(explored([], false)).toEqual({ kind: 'wait', operation: 0, schedule: [0] });
  expect(explored([lines(4, 5)], false)).toMatchObject({
    kind: 'wait',
    schedule: [],
    blocked: { operation: 0 },
  });
});
