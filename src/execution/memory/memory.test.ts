import { expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../execution.js';
import { Fingerprint } from '../fingerprint.js';
import type { Coroutine, Program } from '../program.js';
import { access, LOCK, READ, WRITE } from './access.js';
import { activeMemory, Memory } from './memory.js';

test('a location has the same name however its thread was scheduled', () => {
  const memory = new Memory(2);
  const namesIn = (order: readonly number[]) => {
    memory.reset();
    const names = new Map<string, number>();
    for (const thread of order) {
      memory.begin(thread);
      const number = [...names.keys()].filter((key) => key.startsWith(`${thread}`)).length;
      names.set(`${thread}.${number}`, memory.location(memory.object(), 7));
    }
    return Object.fromEntries([...names].sort());
  };
  const first = namesIn([0, 0, 1, 1]);
  expect(namesIn([1, 0, 1, 0])).toEqual(first);
  expect(new Set(Object.values(first)).size).toBe(4);
  expect(memory.nameOf(first['1.1'])).toEqual({ thread: 1, number: 1, field: 7 });
});

test('fields of one object are different locations', () => {
  const memory = new Memory(1);
  const object = memory.object();
  expect(memory.location(object, 1)).not.toBe(memory.location(object, 2));
  expect(memory.location(object, 1)).toBe(memory.location(object, 1));
});

test('each of many locations has its own permits', () => {
  const memory = new Memory(1);
  const locations = Array.from({ length: 1_000 }, () => memory.location(memory.object()));
  memory.give(locations[999], 2);
  expect([memory.permits(locations[999]), memory.permits(locations[998])]).toEqual([2, 0]);
  expect(memory.isOpen(0, access(LOCK, locations[999]))).toBe(true);
  expect(memory.isOpen(0, access(LOCK, locations[998]))).toBe(false);
});

test('observations are kept only on request', () => {
  const memory = new Memory(1);
  const observed = (keepsObservations: boolean) => {
    memory.reset();
    memory.keepsObservations = keepsObservations;
    memory.begin(0);
    memory.observe('a');
    const mark = memory.mark();
    memory.observe('b');
    memory.again(mark, 5, 'local');
    return [...memory.observedBy(0)];
  };
  expect(observed(true)).toEqual(['a', expect.any(Symbol), 'local']);
  expect(observed(false)).not.toContain('b');
});

/** The number of states of a program, counted by a breadth-first or depth-first search. */
function countStates(plain: Program, isBreadthFirst: boolean): number {
  const execution = new Execution(plain);
  const fingerprint = new Fingerprint(execution);
  const waiting: number[][] = [[]];
  while (waiting.length > 0) {
    const schedule = isBreadthFirst ? waiting.shift()! : waiting.pop()!;
    execution.reset(true);
    for (const thread of schedule) execution.step(thread);
    const known = fingerprint.states;
    if (fingerprint.numberOf(0) < known) continue;
    const enabled = execution.enabled();
    for (let thread = 0; thread < execution.threads; thread++)
      if (enabled & (1 << thread)) waiting.push([...schedule, thread]);
  }
  return fingerprint.states;
}

/** Threads read a cell twice until both values are equal and not 0. The site of the loop may equal a value of the cell. */
function loopsOverReads(site: number, values: readonly number[], local: unknown): Program {
  const read = function* (cell: Cell, memory: Memory): Coroutine {
    const mark = memory.mark();
    for (;;) {
      yield access(READ, cell.location);
      const first = cell.value;
      memory.observe(first);
      yield access(READ, cell.location);
      memory.observe(cell.value);
      if (first !== 0 && first === cell.value) return first;
      memory.again(mark, site, local);
    }
  };
  const write = (value: number) =>
    function* (cell: Cell): Coroutine<void> {
      yield access(WRITE, cell.location);
      cell.value = value;
    };
  const create = (): Cell => new Cell(activeMemory().location(activeMemory().object()));
  const writes = values.map((value) => call('write', write(value), value));
  return program(create, [[call('read', read)], writes, [call('read', read)]]) as Program;
}

class Cell {
  value = 0;
  readonly location: number;

  constructor(location: number) {
    this.location = location;
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.value);
  }
}

// no value is written twice; otherwise some search orders would detect a spinning thread one iteration later
test.each(
  [0, 1, 5].flatMap((site) =>
    [[1], [5], [1, 5], [5, 1, 2]].flatMap((values) =>
      [undefined, 1, 5].map((local) => ({ site, values, local })),
    ),
  ),
)(
  'breadth first and depth first reach equally many states: $site $values $local',
  ({ site, values, local }) => {
    const plain = loopsOverReads(site, values, local);
    expect(countStates(plain, true)).toBe(countStates(plain, false));
  },
);
