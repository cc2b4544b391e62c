/** No more than so many at once: what is given while others run waits for its turn, and turns come in order. */
export function atOnce(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      // who is next takes this place
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
