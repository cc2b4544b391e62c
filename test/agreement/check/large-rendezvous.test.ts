/** Rendezvous of more than three methods, and specs with several kinds of rendezvous: types and all algorithms accept them. */
import { expect, test } from 'vitest';
import { check } from '../../../src/check/check.js';
import { sketch } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';

interface Quartet {
  violin(note: number): number;
  second(note: number): number;
  viola(note: number): number;
  cello(note: number): string;
  guest(name: string): number;
}

const quartet: SyncSpec<Quartet, number> = {
  name: 'quartet',
  initial: 0,
  rendezvous: {
    'violin+second+viola+cello': (played, ...notes) => {
      const sum = notes.reduce((total, [note]) => total + Number(note), 0);
      return [played + 1, [sum, sum, sum, String(sum)]];
    },
    'violin+cello+guest*': (played, [high], [low], ...names) => [
      played + 1,
      [high + low, String(high + low), ...names.map(() => high + low)],
    ],
  },
  sizes: () => [1, 2],
};

const ALGORITHMS = ['auto', 'rendezvous-jit', 'rendezvous-asap', 'two-step'] as const;
const kinds = (history: History<Quartet>) =>
  ALGORITHMS.map((algorithm) => check(history, quartet, { algorithm }).kind);

test('four methods synchronise', () => {
  const right = sketch<Quartet>`
    A  |- violin(1) -> 10 -|
    B  |- second(2) -> 10 -|
    C  |- viola(3) -> 10 -|
    D  |- cello(4) -> "10" -|`;
  const wrong = sketch<Quartet>`
    A  |- violin(1) -> 10 -|
    B  |- second(2) -> 10 -|
    C  |- viola(3) -> 10 -|
    D  |- cello(4) -> "11" -|`;
  expect(kinds(right)).toEqual(ALGORITHMS.map(() => 'linearizable'));
  expect(kinds(wrong)).toEqual(ALGORITHMS.map(() => 'violation'));
});

test('two methods synchronise with several calls of a third', () => {
  const right = sketch<Quartet>`
    A  |- violin(1) -> 5 -|
    B  |- cello(4) -> "5" -|
    C  |- guest("c") -> 5 -|
    D  |- guest("d") -> 5 -|`;
  const wrong = sketch<Quartet>`
    A  |- violin(1) -> 5 -|
    B  |- cello(4) -> "5" -|
    C  |- guest("c") -> 5 -|
    D                            |- guest("d") -> 5 -|`;
  expect(kinds(right)).toEqual(ALGORITHMS.map(() => 'linearizable'));
  expect(kinds(wrong)).toEqual(ALGORITHMS.map(() => 'violation'));
});
