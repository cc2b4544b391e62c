/**
 * Verifies the causes of queues.
 *
 * If x is seen at the front before the last removal or peek of y is called, then x is in front of y: otherwise y
 * would have left by then. If x is definitely present before y is enqueued, x is in front of y as well. A cycle of
 * these relations is a contradiction.
 */
import { NEVER } from '../../../history/model/columns.js';
import type { MonitorCause } from '../../model/monitor-causes.js';
import type { Evidence, ValueEvidence } from '../container/evidence.js';

/** Undefined if the cause is not specific to queues. */
export function verifyQueueCause(evidence: Evidence, cause: MonitorCause): boolean | undefined {
  const isSeenBefore = (one: ValueEvidence, other: ValueEvidence): boolean =>
    one.seen < outAfter(evidence, other);
  if (cause.kind === 'two at the front') {
    if (cause.intervals.length !== 2) return false;
    const [one, other] = cause.intervals.map(({ value }) => evidence.ofValue(value));
    const isFaulty = evidence.of(cause.operation).return === Math.max(one.seen, other.seen);
    return areOnce([one, other]) && isFaulty && isSeenBefore(one, other) && isSeenBefore(other, one);
  }
  if (cause.kind !== 'overtaken') return undefined;
  const [first, second] = [cause.first, cause.second].map(({ value }) => evidence.ofValue(value));
  const between = cause.between.map(({ value }) => evidence.ofValue(value));
  const left = cause.left.map(({ value }) => evidence.ofValue(value));
  if (!areOnce([first, second, ...between, ...left]) || !(first.inside < second.put)) return false;
  if (second.seen === NEVER || evidence.of(cause.operation).return !== second.seen) return false;

  const chain = [second, ...between];
  if (!chain.every((value, i) => i === 0 || isSeenBefore(chain[i - 1], value))) return false;
  if (first.removals > 0) return isSeenBefore(chain[chain.length - 1], first);
  // all of `left` must be out before the first of the chain is seen, but too few removals were called by then
  const seen = Math.min(...chain.map((value) => value.seen));
  return (
    left.every(({ inside, removals }) => inside < second.put && removals === 0) &&
    evidence.openBefore(seen) <= left.length
  );
}

const areOnce = (values: readonly ValueEvidence[]): boolean => values.every(({ puts }) => puts === 1);

/** Until when a value is definitely present. */
const outAfter = (evidence: Evidence, { removals, lastCall, put }: ValueEvidence): number =>
  removals === 0 && evidence.openBefore(NEVER) === 0 ? NEVER : Math.max(lastCall, put);
