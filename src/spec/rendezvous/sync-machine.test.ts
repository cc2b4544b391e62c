import { describe, expect, test } from 'vitest';
import { asSyncSpec } from '../../../test/support/fixtures/as-sync-spec.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { DEAD } from '../machine/machine.js';
import { blocked, oneOf, refuse, type Spec, threw } from '../spec.js';
import { SyncMachine } from './sync-machine.js';
import type { SyncSpec } from './sync-spec.js';

interface Line {
  send(value: number): void;
  receive(): number;
  close(): void;
}

/** A channel that can be closed, and that may lose what is sent. */
const line: SyncSpec<Line, boolean> = {
  name: 'line',
  initial: false,
  rendezvous: {
    'send+receive': (closed, [value]) =>
      closed ? blocked : oneOf([closed, [undefined, value]], [true, [undefined, -1]]),
    receive: (closed) => (closed ? [closed, [threw('Closed')]] : refuse('it is open')),
    close: () => [true, [undefined]],
  },
};

const machineOf = (history: History, spec: SyncSpec<never> | SyncSpec) =>
  new SyncMachine(history, spec as SyncSpec);
const modeOf = (machine: SyncMachine, name: string) => machine.modes.findIndex((mode) => mode.name === name);

const history = sketch<Line>`
  A  |- send(1) -|
  B  |- receive() -> 1 -|
  C  |- receive() -> -1 -|
  D  |- receive() ! Closed -|
  E  |- close() -|
  F  |- receive() -?`;

describe('a rendezvous machine', () => {
  const machine = machineOf(history as unknown as History, line as unknown as SyncSpec);
  const [pair, alone, close] = ['send+receive', 'receive', 'close'].map((name) => modeOf(machine, name));

  test('continues if each call has its recorded result', () => {
    expect(machine.synchronise(machine.initial, pair, [0, 1])).toBe(machine.initial);
    expect(machine.synchronise(machine.initial, pair, [0, 3])).toBe(DEAD);
  });

  test('stands in all states that a choice leaves open', () => {
    const lost = machine.synchronise(machine.initial, pair, [0, 2]);
    expect(machine.describe(lost)).toBe('true');
    const either = machine.synchronise(machine.initial, pair, [0, 5]);
    expect(machine.describe(either)).toBe('false or true');
    expect(machine.alternatives(either)).toEqual([machine.initial, lost]);
  });

  test('knows calls alone, errors and reasons', () => {
    expect(machine.synchronise(machine.initial, alone, [3])).toBe(DEAD);
    expect(machine.refusalReasons(machine.initial, alone, [3])).toEqual(['it is open']);
    const closed = machine.synchronise(machine.initial, close, [4]);
    expect(machine.synchronise(closed, alone, [3])).toBe(closed);
    expect(machine.synchronise(closed, pair, [0, 1])).toBe(DEAD);
  });
});

test('several calls of one method synchronise if the sizes allow it', () => {
  const spec: SyncSpec = {
    name: 'crowd',
    initial: 2,
    rendezvous: {
      'come*': (size: number, ...calls: unknown[][]) => [size + 1, calls.map(() => calls.length)],
    },
    sizes: (size: number) => [size],
  };
  const machine = machineOf(sketch`A |- come() -> 2 -|`, spec);
  expect(machine.allowedSizes(machine.initial, 0)).toEqual([2]);
  const next = machine.synchronise(machine.initial, 0, [0, 0]);
  expect(machine.describe(next)).toBe('3');
  expect(machine.synchronise(next, 0, [0, 0])).toBe(DEAD);
});

test('a plain spec is one of calls that are alone', () => {
  const dice: Spec = {
    name: 'dice',
    initial: 0,
    methods: { roll: (sum: number) => oneOf([sum + 1, 1], [sum + 2, 2]), sum: (sum: number) => [sum, sum] },
  };
  const machine = machineOf(sketch`A |- roll() -> 2 -| |- sum() -> 2 -|`, asSyncSpec(dice));
  expect(machine.describe(machine.synchronise(machine.initial, 0, [0]))).toBe('2');
});

test('mistakes in a spec are reported', () => {
  const history = sketch`A |- go() -|`;
  const withRendezvous = (rendezvous: SyncSpec['rendezvous'], more: Partial<SyncSpec> = {}): SyncSpec => ({
    name: 'odd',
    initial: 0,
    rendezvous,
    ...more,
  });
  const run = (spec: SyncSpec) => {
    const machine = machineOf(history, spec);
    return machine.synchronise(machine.initial, 0, [0]);
  };
  expect(() => run(withRendezvous({}))).toThrow('spec odd defines no rendezvous');
  expect(() => run(withRendezvous({ 'go*+go': () => blocked }))).toThrow('"go*+go" is not a rendezvous name');
  expect(() => run(withRendezvous({ 'go*': () => blocked }))).toThrow('go* needs sizes');
  expect(() => run(withRendezvous({ 'go*': () => blocked }, { sizes: () => [0] }))).toThrow(
    'sizes of go* returned',
  );
  expect(() => run(withRendezvous({ stay: () => blocked }))).toThrow(
    'operation 0: unknown method "go"; spec odd defines stay',
  );
  expect(() => run(withRendezvous({ go: (state: number) => [state, 7] }))).toThrow('expected a list of 1');
});
