import { afterEach, describe, expect, test } from 'vitest';
import { instrumentedProgram, type Threads } from '../../../test/support/fixtures/instrumented.js';
import { Execution } from '../../execution/execution.js';
import { READ, WRITE } from '../../execution/memory/access.js';
import { runtime } from './runtime.js';

afterEach(() => runtime.leave());

interface Step {
  readonly thread: number;
  readonly kind: number;
  readonly location: number;
  readonly line: number;
  readonly column: number;
}

/** Runs a program; the requested thread continues, if it is enabled. */
function run(
  code: string,
  calls: Threads,
  nextThread: (step: number) => number = () => 0,
): { steps: Step[]; execution: Execution } {
  const execution = new Execution(instrumentedProgram(code, calls));
  execution.reset();
  return { steps: continueWith(execution, nextThread), execution };
}

function continueWith(execution: Execution, nextThread: (step: number) => number): Step[] {
  const steps: Step[] = [];
  for (let enabled = execution.enabled(); enabled !== 0; enabled = execution.enabled()) {
    const wanted = nextThread(steps.length);
    const thread = enabled & (1 << wanted) ? wanted : 31 - Math.clz32(enabled & -enabled);
    const { line, column } = runtime.sites.placeOf(execution.sites[thread]);
    execution.step(thread);
    steps.push({ thread, kind: execution.kind, location: execution.location, line, column });
  }
  return steps;
}

const valuesOf = ({ outcome, outcomes }: Execution): unknown[] =>
  Array.from(outcome, (number) => {
    const ended = outcomes.at(number);
    return ended.kind === 'returned' ? ended.value : ended.kind;
  });

describe('announcements', () => {
  test('each access to a shared field is announced with its place', () => {
    const { steps } = run(
      'class C {\n  n = 0;\n  inc() {\n    this.n += 2;\n  }\n}\nexport const make = () => new C();',
      {
        threads: [[['inc']]],
      },
    );
    expect(steps.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      [READ, 4, 5],
      [WRITE, 4, 5],
    ]);
  });

  test('accesses to an object are announced from the moment it is shared', () => {
    const code = `class Node { next: Node | null = null; n = 0; constructor(readonly v: number) {} }
class L { head: Node | null = null; add(v: number) { const node = new Node(v); node.n = 5; node.next = new Node(0); node.next.n++; this.head = node; node.n++; node.next.n++ } }
export const make = () => new L();`;
    const { steps } = run(code, { threads: [[['add', 1]]] });
    // the write that shares the node, its n, its link to the next node, n of that node
    expect(steps.map(({ kind }) => kind)).toEqual([WRITE, READ, WRITE, READ, READ, WRITE]);
  });

  test('objects that private fields, closures, Maps and arrays refer to are shared with their holder', () => {
    const code = `class Cell { #v = 0; bump() { this.#v++; return this.#v } }
class S { #slot: any = null; seen: any = null; put(kind: number) { const cell = new Cell(); cell.bump(); const hide = class { #in = cell; get cell() { return this.#in } }; this.seen = kind === 0 ? [cell] : kind === 1 ? new Map([[1, { cell }]]) : kind === 2 ? () => cell : new hide(); return cell.bump() } }
export const make = () => new S();`;
    for (const kind of [0, 1, 2, 3]) {
      const { steps } = run(code, { threads: [[['put', kind]]] });
      expect(steps.map((step) => step.kind)).toEqual([WRITE, READ, WRITE, READ]);
    }
  });

  test('reads of a field that only constructors assign are not announced', () => {
    const code = `class C { readonly limit = 3; cap: number; n = 0; constructor() { this.cap = 4 } get() { return this.limit + this.cap } set() { this.n = 1 } }
export const make = () => new C();`;
    expect(run(code, { threads: [[['get']]] }).steps).toHaveLength(1);
    expect(run(code.replace('this.n = 1', 'this.cap = 1'), { threads: [[['get']]] }).steps).toHaveLength(1);
    expect(
      run(code.replace('this.n = 1', 'this.cap = 1; this.limit'), { threads: [[['get'], ['set']]] }).steps,
    ).toHaveLength(2);
  });
});

test('locations have the same names in every schedule', () => {
  const code = `class Node { n = 0; constructor(readonly v: number) {} }
class L { all: Node[] = []; add(v: number) { const node = new Node(v); this.all.push(node); node.n++ } }
export const make = () => new L();`;
  const threads = [[['add', 1]], [['add', 2]]] as const;
  const execution = new Execution(instrumentedProgram(code, { threads }));
  const locations = (first: number): number[][] => {
    execution.reset();
    const steps = continueWith(execution, () => first);
    return [0, 1].map((thread) =>
      steps.filter((step) => step.thread === thread).map(({ location }) => location),
    );
  };
  expect(locations(0)).toEqual(locations(1));
});

test('module state is restored before each execution, and shared by threads', () => {
  const code = `let n = 0; const list: number[] = [7]; const map = new Map(); const box = new (class { #v = 1; static s = 2; bump() { return ++this.#v } })(); const o: any = { a: 1 };
export const make = () => { n += 10; return { go() { n++; list.push(n); map.set(n, n); o.b = n; delete o.a; return [n, list.length, map.size, box.bump(), JSON.stringify(o)].join() } } };`;
  const execution = new Execution(instrumentedProgram(code, { threads: [[['go'], ['go']]] }));
  for (let i = 0; i < 3; i++) {
    execution.reset();
    const steps = continueWith(execution, () => 0);
    expect(steps.length).toBeGreaterThan(10);
    expect(valuesOf(execution)).toEqual(['11,2,1,2,{"b":11}', '12,3,2,3,{"b":12}']);
  }
});

describe('module state that a constructor with new.target reads', () => {
  const code = (
    more: string,
  ) => `const sizes = [3, 5]; const names = new Map([[1, 'one']]); const rows = [[7]];
class Item extends Object { n: number; all: number[]; sum = 0; name = names.get(1); constructor(i: number) { super(); new.target; this.n = sizes[i] + sizes.length + rows[0][0] + sizes.indexOf(5); this.all = [...sizes]; for (const size of sizes) this.sum += size } }
class C { last: any = null; make(i: number) { const item = new Item(i); this.last = item; return [item.n, item.all, item.sum, item.name].join() } ${more} }
export const make = () => new C();`;

  test('is available while no thread changes it', () => {
    const { execution } = run(code(''), { threads: [[['make', 0]], [['make', 1]]] });
    expect(valuesOf(execution)).toEqual(['13,3,5,8,one', '15,3,5,8,one']);
  });

  test.each([
    ['sizes.push(9)', [['make', 0], ['other']]],
    ['sizes[0] = 9', [['other'], ['make', 0]]],
    ['names.set(1, "x")', [['make', 0], ['other']]],
    ['rows[0].length = 0', [['make', 0], ['other']]],
  ] as const)('is refused if a thread runs %s', (change, calls) => {
    expect(() => run(code(`other() { ${change} }`), { threads: [calls] })).toThrow(/sample\.ts:2.*suspended/);
  });

  test('is refused if the constructor assigns it', () => {
    const assigning = code('').replace('this.all = [...sizes]', 'this.all = []; sizes[0] = 9');
    expect(() => run(assigning, { threads: [[['make', 0]]] })).toThrow('suspended');
  });
});

test('object arguments are shared by threads, and restored before each execution', () => {
  const code = `class C { fill(xs: number[], v: number) { if (xs.length === 0) xs.push(v); return xs.length } }
export const make = () => new C();`;
  const list: number[] = [];
  const execution = new Execution(
    instrumentedProgram(code, { threads: [[['fill', list, 1]], [['fill', list, 2]]] }),
  );
  for (const first of [0, 1]) {
    execution.reset();
    expect(list).toEqual([]);
    continueWith(execution, (step) => (step === 0 ? first : 1 - first));
    expect(list).toEqual(first === 0 ? [2, 1] : [1, 2]);
  }
});

test('accesses to an array are announced once a loop over it has shared it', () => {
  const code = `class C { seen: number[] = []; go() { const list = [1, 2, 3]; let sum = 0; for (const x of list) { sum += x; this.seen = list } return sum } }
export const make = () => new C();`;
  const { steps, execution } = run(code, { threads: [[['go']]] });
  expect(valuesOf(execution)).toEqual([6]);
  expect(steps.map(({ kind }) => kind)).toEqual([WRITE, READ, WRITE, READ, WRITE, READ]);
});

test('calls that run in one step because their code is not instrumented are listed', () => {
  const code = `class C { items = [1, 2]; go() { encodeURIComponent('a'); structuredClone(this.items); this.items.push(3); Math.max(1, 2); return new URL('http://a').host } }
export const make = () => new C();`;
  runtime.atomic.clear();
  run(code, { threads: [[['go']]] });
  expect(
    [...runtime.atomic.values()].map(({ name, line, column, isGivenShared }) => [
      name,
      line,
      column,
      isGivenShared,
    ]),
  ).toEqual([
    ['encodeURIComponent', 1, 34, false],
    ['new URL', 1, 131, false],
  ]);
});

test('a loop that waits for another thread is not scheduled until something changes', () => {
  const code = `class C { ready = false; n = 0; wait() { let rounds = 0; while (!this.ready) { if (rounds > 5) this.n = rounds } return 'done' } set() { this.ready = true } }
export const make = () => new C();`;
  const { steps, execution } = run(code, { threads: [[['wait']], [['set']]] });
  expect(valuesOf(execution)).toEqual(['done', undefined]);
  expect(steps.length).toBeLessThan(6);
  const alone = run(code, { threads: [[['wait']]] });
  expect(alone.execution.pending()).toBe(1);
});
