/** What a rejection means for a history: the object's answer, or that it did not happen, or that nobody knows. */
import type { Outcome } from '../history/model/operation.js';

export type Classified = 'threw' | 'failed' | 'unknown';
export type Classify = (error: unknown) => Classified;

/** Errors are told by their names. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

export function rejection(error: unknown, classified: Classified): Outcome {
  switch (classified) {
    case 'threw':
      return { kind: 'threw', error: nameOf(error) };
    case 'failed':
      return { kind: 'failed', reason: nameOf(error) };
    case 'unknown':
      return { kind: 'pending', reason: nameOf(error) };
  }
}
