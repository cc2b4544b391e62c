/** Refuses a pair that has met. */
import { type Refused, refuse } from '../../spec/spec.js';
import { isEqualOrNullish } from '../common/parameters.js';

export const metAlready = (
  met: readonly (readonly unknown[])[],
  pair: readonly unknown[],
): Refused | undefined =>
  met.some((own) => own.every((name, i) => isEqualOrNullish(name, pair[i])))
    ? refuse('these two have met already')
    : undefined;
