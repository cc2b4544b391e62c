/**
 * A task of the event loop of one's own: where asynchronous code can be explored.
 *
 * Promises that are rejected while it runs and that nobody looks at belong to executions that are over:
 * they are not errors of this process, and its listeners do not hear of them.
 */

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
