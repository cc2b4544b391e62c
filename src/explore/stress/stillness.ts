/**
 * When a round is over: all its clients are done, or nothing moves any more.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6: threads are interrupted after a
 *   delay. One that is too short takes who is slow for stuck; a long one makes most rounds long, where calls wait for each other.
 *
 * So there are two, and the spec chooses:
 *
 *   nothing has moved for     the round is over
 *   `settle`                  if all who are in a call may wait for ever
 *   `watchdog`                in any case: somebody waits who should not
 */
export interface Stillness {
  /** Milliseconds. */
  readonly settle: number;
  readonly watchdog: number;
}

/** Tells whether it is stuck, when it is over. `moves` tells of any move by another number. */
export function stillness(
  work: Promise<unknown>,
  { settle, watchdog }: Stillness,
  moves: () => number,
  mayRest: () => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let last = Number.NaN;
    let since = 0;
    let isAsked = false;
    const isOver = (): boolean => {
      const now = moves();
      if (now !== last) {
        [last, since, isAsked] = [now, performance.now(), false];
        return false;
      }
      const wasAsked = isAsked;
      isAsked = true;
      return performance.now() - since >= watchdog || (!wasAsked && mayRest());
    };
    const timer = setInterval(() => {
      try {
        if (isOver()) done(() => resolve(true));
      } catch (error) {
        done(() => reject(error as Error));
      }
    }, settle);
    const done = (settleIt: () => void): void => {
      clearInterval(timer);
      settleIt();
    };
    work.then(
      () => done(() => resolve(false)),
      (error: unknown) => done(() => reject(error as Error)),
    );
  });
}
