/**
 * Checks the cause of priority queues.
 *
 * Who gives a value does so between call and return, not before the value is put in, and a removal not before the last peek is
 * called. If at each such moment a more urgent value is surely inside, there is no order.
 */
import type { FamilyCause } from '../causes.js';
import type { Evidence, Life } from '../evidence.js';

export function confirmPriorityQueue(
  evidence: Evidence,
  { operation, stay, stays }: Extract<FamilyCause, { kind: 'not the first' }>,
): boolean {
  const { role, value, call, return: returned } = evidence.of(operation);
  if ((role !== 'remove' && role !== 'peek') || !evidence.areSame(value, stay.value)) return false;
  const [own, ...others] = evidence.livesOf([stay.value, ...stays.map((other) => other.value)]);
  if ([own, ...others].some(({ puts }) => puts !== 1)) return false;
  const priority = priorityOf(evidence, stay);
  if (!stays.every((other) => priorityOf(evidence, other) < priority)) return false;

  const firstOpen = evidence.firstOpen();
  const until = ({ removals, asked }: Life): number => (removals > 0 ? asked : Math.max(asked, firstOpen));
  let needed = Math.max(own.put, role === 'peek' ? call : own.asked);
  for (let next = needed; needed < returned; needed = next) {
    for (const life of others) if (life.inside <= needed && until(life) > next) next = until(life);
    if (next === needed) return false;
  }
  return true;
}

/** What a value is compared by. */
function priorityOf(
  evidence: Evidence,
  { value, put }: { readonly value: unknown; readonly put: number | undefined },
): number {
  const given = put === undefined ? undefined : evidence.of(put).more;
  return (given === undefined ? value : given) as number;
}
