/** Checks causes that hold for all containers: a value from nowhere, given twice or at the wrong time, or an answer "nothing". */
import { NEVER } from '../../../history/model/columns.js';
import type { FamilyCause, Stay } from '../../model/monitor-causes.js';
import type { Evidence } from './evidence.js';

export function confirmContainer(evidence: Evidence, cause: FamilyCause): boolean {
  const own = evidence.of(cause.operation);
  const gives = own.role === 'remove' || own.role === 'peek';
  if (!gives || own.return === NEVER || own.isEmpty !== (cause.kind === 'never empty')) return false;
  const { puts } = evidence.lifeOf(own.value);
  switch (cause.kind) {
    case 'from nowhere':
      return puts === 0;
    case 'taken twice': {
      const other = evidence.of(cause.stay.taken);
      return (
        puts === 1 &&
        own.role === 'remove' &&
        other.role === 'remove' &&
        cause.operation !== cause.stay.taken &&
        Object.is(other.value, own.value)
      );
    }
    case 'too early': {
      const put = evidence.of(cause.stay.put);
      return puts === 1 && put.role === 'add' && Object.is(put.value, own.value) && own.return < put.call;
    }
    case 'too late': {
      const taken = evidence.of(cause.stay.taken);
      return (
        puts === 1 && taken.role === 'remove' && Object.is(taken.value, own.value) && taken.return < own.call
      );
    }
    case 'never empty':
      return isNeverEmpty(evidence, own, cause.stays);
    default:
      return false;
  }
}

/** Is something inside behind each event from the call up to the return? */
function isNeverEmpty(
  evidence: Evidence,
  { call, return: returned }: { readonly call: number; readonly return: number },
  stays: readonly Stay[],
): boolean {
  const lives = stays.map(({ value }) => evidence.lifeOf(value));
  if (lives.some(({ puts }) => puts !== 1)) return false;
  for (let moment = call; moment < returned; moment++) {
    const present = lives.filter(({ inside }) => inside <= moment);
    const isSure = present.some(({ removals, asked }) => removals > 0 && asked > moment);
    const left = present.filter(({ removals, asked }) => removals === 0 && asked <= moment).length;
    const seenLater = present.some(({ removals, asked }) => removals === 0 && asked > moment);
    if (!isSure && !seenLater && left <= evidence.openBefore(moment + 1)) return false;
  }
  return true;
}
