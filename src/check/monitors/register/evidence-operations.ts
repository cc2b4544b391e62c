/**
 * What the operations on one cell saw and made, looked up plainly: for those who check a cause.
 *
 * Independent of the monitor's reading on purpose: a slip there must not confirm itself.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Family, Spec } from '../../../spec/spec.js';

/** Values are numbers of the history's table; undefined where it saw, or made, none. */
export interface Deed {
  readonly id: number;
  readonly sees: number | undefined;
  readonly makes: number | undefined;
  readonly call: number;
  readonly return: number;
}

/** What a cell holds at first; -1 if the history never tells of it. */
export const firstValue = ({ tables }: History, { family }: Spec): number =>
  numberOfValue(tables, family?.initial) ?? -1;

/** All that happened to the cell of an operation, or may have, by call. */
export function deedsOn(history: History, spec: Spec, operation: number): Deed[] {
  const { id, method, argument, argumentStart, status, result, call, return: returned } = history.columns;
  const { kind, roles } = spec.family ?? { kind: '', roles: {} };
  const isMap = kind.startsWith('map');
  const keyOf = (k: number): number => (isMap ? argument[argumentStart[k]] : 0);
  const key = keyOf(history.positionsById()[operation]);
  const roleOf = new Map(Object.entries(roles).map(([role, name]) => [name, role]));
  const first = firstValue(history, spec);
  const no = numberOfValue(history.tables, false);
  const deeds: Deed[] = [];
  for (let k = 0; k < history.length; k++) {
    if (keyOf(k) !== key) continue;
    const args = argument.subarray(argumentStart[k] + (isMap ? 1 : 0), argumentStart[k + 1]);
    const answer = status[k] === RETURNED ? result[k] : undefined;
    const role = roleOf.get(history.tables.methods[method[k]]);
    const [sees, makes] = meaning(kind, role, args, { answer, first, no });
    if (returned[k] !== NEVER || makes !== undefined)
      deeds.push({ id: id[k], sees, makes, call: call[k], return: returned[k] });
  }
  return deeds;
}

/** The values that an operation with this answer saw and made. */
function meaning(
  kind: Family['kind'],
  role: string | undefined,
  [one, two]: Int32Array,
  {
    answer,
    first,
    no,
  }: { readonly answer: number | undefined; readonly first: number; readonly no: number | undefined },
): readonly [sees: number | undefined, makes: number | undefined] {
  const tellsPrevious = kind === 'map-previous';
  switch (role) {
    case 'read':
    case 'get':
      return [answer, undefined];
    case 'write':
      return [undefined, one];
    case 'put':
      return [tellsPrevious ? answer : undefined, one];
    case 'remove':
      if (tellsPrevious) return [answer, answer === first ? undefined : first];
      return answer !== undefined && answer === no ? [first, undefined] : [undefined, first];
    case 'cas':
      if (answer !== undefined && answer === no) return [undefined, undefined];
      return [one, one === two ? undefined : two];
    case 'getOrElseUpdate':
      return answer !== undefined && answer !== one ? [answer, undefined] : [first, one];
    default:
      return [undefined, undefined];
  }
}
