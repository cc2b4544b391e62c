/**
 * A task of the event loop of one's own: where asynchronous code can be explored.
 *
 * Promises that are rejected while it runs and that nobody looks at belong to executions that are over:
 * they are not errors of this process, and its listeners do not hear of them.
 */
import { setFlagsFromString } from 'node:v8';
import { ScenarioError } from '../execution/memory/program-error.js';

/*
 * Runs all microtasks there are, now, without a way through the event loop of Node's.
 *
 * V8 has a function for that, which is known only while a flag is set. It does nothing when it is
 * called from inside of a microtask, so whoever explores asynchronous code does so in a task of its own (own-task.ts).
 */

let checkpoint: (() => void) | undefined;

export function runMicrotasks(): void {
  checkpoint ??= made();
  checkpoint();
}

/** Refuses to begin where microtasks would not run. */
export function checkOwnTask(): void {
  let hasRun = false;
  queueMicrotask(() => {
    hasRun = true;
  });
  runMicrotasks();
  if (!hasRun)
    throw new ScenarioError(
      'asynchronous code can only be explored in its own task of the event loop: call `explore`, not `exploreSync`',
    );
}

function made(): () => void {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return new Function('%PerformMicrotaskCheckpoint()') as () => void;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

const REJECTION = 'unhandledRejection';

export async function inOwnTask<T>(run: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    realImmediate(() => {
      const listeners = process.rawListeners(REJECTION) as ((...args: unknown[]) => void)[];
      process.removeAllListeners(REJECTION);
      process.on(REJECTION, ignore);
      const restore = () => {
        process.removeListener(REJECTION, ignore);
        for (const listener of listeners) process.on(REJECTION, listener);
      };
      let settle: () => void;
      try {
        const value = run();
        settle = () => resolve(value);
      } catch (error) {
        settle = () => reject(error as Error);
      }
      // rejections are told at the end of this task
      realImmediate(() => {
        restore();
        settle();
      });
    });
  });
}

const realImmediate = setImmediate;

function ignore(): void {}
