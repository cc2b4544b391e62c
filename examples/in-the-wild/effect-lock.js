/**
 * `withPermits` of effect as a lock, and its users interrupted.
 *
 * A fiber gives way to others after so many operations, 2,048 if not told otherwise. A short one would do all at once: here they
 * give way after few, as they do when more is going on.
 */
import { lockOf } from './kinds.js';

export const effectLock = (name, { Effect, References, Semaphore }, budget = 3) =>
  lockOf(name, () => Effect.runSync(Semaphore.make(1)), {
    lock: (permits, options) =>
      new Promise((entered, failed) => {
        const body = Effect.callback((leave) => {
          entered(() => leave(Effect.void));
        });
        const held = permits.withPermits(1)(body);
        const short = Effect.provideService(held, References.MaxOpsBeforeYield, budget);
        Effect.runPromise(short, options).catch(failed);
      }),
    unlock: (_, leave) => leave(),
    cancel: true,
    threads: 2,
    after: [['lock']],
  });
