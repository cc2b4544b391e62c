/**
 * Runs all microtasks there are, now, without a way through the event loop of Node's.
 *
 * V8 has a function for that, which is known only while a flag is set. It does nothing when it is
 * called from inside of a microtask, so whoever explores asynchronous code does so in a task of its own (own-task.ts).
 */
import { setFlagsFromString } from 'node:v8';
import { ScenarioError } from '../execution/scenario-error.js';

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
      'asynchronous code is explored in a task of its own: `await inOwnTask(() => explore(scenario))`',
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
