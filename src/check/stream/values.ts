/**
 * Values and outcomes of a stream, compared by content and never kept.
 *
 * A primitive is its own key, since a Map compares those as we do; all else has its
 * canonical key, marked so that no text can be taken for it.
 */
import { Canonical } from '../../base/values/canonical.js';
import { isPrimitive } from '../../base/values/interner.js';
import type { Outcome } from '../../history/model/operation.js';

const MARK = '\u0001';

export class Values {
  readonly #canonical = new Canonical();
  /** A missing result and null are one value, as in files. */
  readonly undefinedIsNull: boolean;

  constructor(undefinedIsNull: boolean) {
    this.undefinedIsNull = undefinedIsNull;
  }

  keyOf(value: unknown): unknown {
    if (value === undefined) return this.undefinedIsNull ? null : value;
    if (isPrimitive(value) && !(typeof value === 'string' && value.startsWith(MARK))) return value;
    return `${MARK}${this.#canonical.key(value)}`;
  }

  /** A key of an outcome that is known: of what was returned, or of the error's name. */
  outcomeKey(outcome: Outcome): unknown {
    return outcome.kind === 'threw'
      ? `${MARK}!${outcome.error}`
      : this.keyOf(outcome.kind === 'returned' ? outcome.value : undefined);
  }

  /** An outcome as a spec should see it. */
  normal(outcome: Outcome): Outcome {
    const isMissing = outcome.kind === 'returned' && outcome.value === undefined;
    return isMissing && this.undefinedIsNull ? { kind: 'returned', value: null } : outcome;
  }

  /** Did the call return, and nothing? */
  isNothing(outcome: Outcome): boolean {
    return outcome.kind === 'returned' && this.keyOf(outcome.value) === this.keyOf(undefined);
  }
}
