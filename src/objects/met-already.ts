/** Has a pair met? */
import { sameInFiles } from './same-value.js';

export const metAlready = (met: readonly (readonly unknown[])[], pair: readonly unknown[]): boolean =>
  met.some((own) => own.every((name, i) => sameInFiles(name, pair[i])));
