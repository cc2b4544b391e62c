/** Runs something that Ctrl-C should end in good order: it sets one integer of shared memory that others look at. */
export async function interruptible<R>(run: (stop: Int32Array<SharedArrayBuffer>) => Promise<R>): Promise<R> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const interrupt = () => Atomics.store(stop, 0, 1);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(stop);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
