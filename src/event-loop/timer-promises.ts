/** `node:timers/promises`, by the timers of whoever asks: an execution, or Node. */

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

export const later = <T>(delay?: number, value?: T, options?: WaitOptions): Promise<T> =>
  waited(
    (done) => {
      const timer = setTimeout(done, delay);
      return () => clearTimeout(timer);
    },
    value as T,
    options,
  );

export const laterOn = <T>(value?: T, options?: WaitOptions): Promise<T> =>
  waited(
    (done) => {
      const immediate = setImmediate(done);
      return () => clearImmediate(immediate);
    },
    value as T,
    options,
  );

export async function* repeatedly<T>(delay?: number, value?: T, options?: WaitOptions): AsyncGenerator<T> {
  for (;;) yield await later(delay, value as T, options);
}

/** `begin` sets something up, and gives what takes it back. */
function waited<T>(
  begin: (done: () => void) => () => void,
  value: T,
  { signal }: WaitOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () =>
      Object.assign(new DOMException('The operation was aborted', 'AbortError'), { cause: signal?.reason });
    if (signal?.aborted) {
      reject(aborted());
      return;
    }
    const end = begin(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    const abort = () => {
      end();
      reject(aborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
