import { afterEach, expect, test, vi } from 'vitest';
import { afterGrace } from './job-thread.js';

afterEach(() => {
  vi.useRealTimers();
});

/** The seconds after which a job of `threads` threads is given up, if it has this many milliseconds of processor time in each. */
function secondsOf(threads: number, used: (second: number) => number): number {
  vi.useFakeTimers();
  let seconds = 0;
  let milliseconds = 0;
  let isOver = false;
  afterGrace(
    threads,
    [],
    () => {
      isOver = true;
    },
    () => milliseconds,
  );
  while (!isOver && seconds < 1_000) {
    milliseconds += used(seconds++);
    vi.advanceTimersByTime(1_000);
  }
  return seconds;
}

test('a thread that never stops is given up after a second of processor time', () => {
  expect(secondsOf(1, () => 1_000)).toBe(1);
  expect(secondsOf(1, () => 990)).toBe(1);
});

test('on a busy machine, a thread gets the same processor time as on an idle one', () => {
  expect(secondsOf(1, () => 100)).toBe(9);
  expect(secondsOf(1, () => 20)).toBe(45);
  expect(secondsOf(3, () => 100)).toBe(27);
});

test('a thread that waits for the system is given up after three seconds', () => {
  expect(secondsOf(1, () => 0)).toBe(3);
  expect(secondsOf(4, () => 3)).toBe(3);
  expect(secondsOf(1, (second) => (second < 2 ? 100 : 0))).toBe(5);
});

test('a second without the processor is no wait', () => {
  expect(secondsOf(1, (second) => (second % 2 === 0 ? 0 : 100))).toBe(18);
});
