/**
 * The scenario of an object for threads, on real ones, for `stress`: each thread has an object of its own, the same class, whose
 * fields lie in memory that all share. Fields are replaced, never changed in place; monitors and semaphores are real.
 */
import type { Scenario } from 'straightedge';
import { Monitor, Semaphore } from 'straightedge/explore';
import { Cell } from './cell.js';
import { SharedMonitor } from './shared-monitor.js';
import { SharedSemaphore } from './shared-semaphore.js';

const MEMORY = 16_384;
/** The least distance of two places, in bytes. */
const ALIGNED = 8;

export function onRealThreads(scenario: Scenario): Scenario {
  const make = () => (scenario.create as (stubs: object) => object)(scenario.stubs);
  return {
    ...scenario,
    backend: 'threads',
    create: () => {
      const memory = new SharedArrayBuffer(MEMORY);
      overMemory(make(), memory, true);
      return memory;
    },
    attach: (memory: SharedArrayBuffer) => overMemory(make(), memory, false),
  };
}

/** Moves the fields of an object into memory; with the values that they have now, if it is the first. */
function overMemory(object: object, memory: SharedArrayBuffer, isFirst: boolean): object {
  let next = 0;
  const place = (bytes: number): number => {
    const at = next;
    next += Math.ceil(bytes / ALIGNED) * ALIGNED;
    return at;
  };
  const shared = (value: unknown): unknown => {
    if (value instanceof Monitor) return new SharedMonitor(memory, place(SharedMonitor.BYTES));
    if (!(value instanceof Semaphore)) return undefined;
    const semaphore = new SharedSemaphore(memory, place(SharedSemaphore.BYTES));
    while (isFirst && value.tryAcquire()) semaphore.release();
    return semaphore;
  };
  for (const [name, value] of Object.entries(object)) {
    const isList = Array.isArray(value) && value.some((own) => own instanceof Semaphore);
    const real = isList ? value.map(shared) : shared(value);
    if (real !== undefined) {
      Object.defineProperty(object, name, { value: real });
      continue;
    }
    const cell = new Cell(memory, place(Cell.BYTES));
    if (isFirst) cell.set(value);
    Object.defineProperty(object, name, { get: () => cell.get(), set: (own: unknown) => cell.set(own) });
  }
  return object;
}
