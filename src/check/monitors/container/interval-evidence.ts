/** Checks that the stays of a cause are what they say: different values, each put in and taken out by whom it names. */
import type { FamilyCause, Stay } from '../../model/monitor-causes.js';
import type { Evidence } from './evidence.js';

export function areStays(evidence: Evidence, cause: FamilyCause): boolean {
  const stays = staysOf(cause);
  const isNew = (stay: Stay, i: number): boolean =>
    stays.slice(0, i).every((earlier) => !evidence.areSame(earlier.value, stay.value));
  return stays.every((stay, i) => isNew(stay, i) && isStay(evidence, stay));
}

function isStay(evidence: Evidence, { value, put, taken }: Stay): boolean {
  const [adder, remover] = [evidence.of(put), evidence.of(taken)];
  const isPut =
    put === undefined
      ? evidence.isInitial(value)
      : adder.role === 'add' && evidence.areSame(adder.value, value);
  const isTaken =
    taken === undefined ||
    (remover.role === 'remove' && (remover.isOpen || evidence.areSame(remover.value, value)));
  return isPut && isTaken;
}

/** All stays that a cause names. */
function staysOf(cause: FamilyCause): readonly Stay[] {
  switch (cause.kind) {
    case 'overtaken':
      return [cause.first, cause.second, ...cause.between, ...cause.left];
    case 'not the first':
      return [cause.stay, ...cause.stays];
    case 'two at the front':
    case 'never empty':
    case 'tangled':
      return cause.stays;
    case 'taken twice':
    case 'too early':
    case 'too late':
      return [cause.stay];
    default:
      return [];
  }
}
