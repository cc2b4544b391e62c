/**
 * A size of which only random tests were explored. That is enough for a verdict, since they come beside all smaller ones, but who
 * has asked for that size should see it at once.
 */
import type { Exploration } from '../../explore/explore.js';
import { sizeText } from './coverage.js';
import type { Style } from './style.js';

export interface PartlyCovered {
  /** To follow the verdict. */
  readonly mark: string;
  readonly text: string;
}

export function partlyCovered(
  { verdict, batches }: Exploration,
  isSizeAsked: boolean,
  { times }: Style,
): PartlyCovered | undefined {
  // random tests are for who could not cover all of the full size
  const random = batches.find(({ choice, isAskedFor }) => choice === 'random' && !isAskedFor);
  if (verdict !== 'holds' || !isSizeAsked || !random) return undefined;
  const size = sizeText(random, times);
  return {
    mark: `, but not all of ${size} covered`,
    text: `${size} was asked for: its tests have too many schedules for the time, or are too many, so that only some were chosen, at random. Try a longer --timeout, a smaller size, or --samples 20 for so many random tests.`,
  };
}
