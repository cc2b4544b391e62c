/** A register, with or without compare-and-swap, as one cell. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { Acts, answers, isKnown, unreadable } from './operations.js';

/** The acts, or what is in their way. */
export function registerActs(history: History, spec: Spec): Acts | string {
  const { columns, tables, length } = history;
  const { method, argumentStart, argument, result, return: returned } = columns;
  const { roles = {}, initial } = spec.family ?? {};
  const obstacle = unreadable(
    history,
    new Map([
      [roles.read, 0],
      [roles.write, 1],
      [roles.cas, 2],
    ]),
  );
  if (obstacle) return obstacle;
  if (!Object.is(spec.initial, initial))
    return 'the family of the spec does not tell the value that is there at first';
  if (initial === undefined && tables.undefinedIsNull) return 'a register that holds undefined at first';
  const { done, yes, no } = answers(tables);
  const [read, write] = [roles.read, roles.write].map((role) => tables.methods.indexOf(role));
  const acts = new Acts(history, initial);
  acts.cells = 1;
  for (let k = 0; k < length; k++) {
    const first = argument[argumentStart[k]];
    const isOver = returned[k] !== NEVER;
    if (method[k] === read) {
      if (isOver) acts.read(k, result[k]);
    } else if (method[k] === write) {
      if (isKnown(history, k) && result[k] !== done) return `an answer of ${roles.write}`;
      acts.write(k, first);
    } else {
      const next = argument[argumentStart[k] + 1];
      if (isKnown(history, k) && result[k] !== yes && result[k] !== no) return `an answer of ${roles.cas}`;
      if (isKnown(history, k) && result[k] === no) {
        if (isOver) acts.differs(k, first);
      } else if (first !== next) acts.swap(k, first, next);
      else if (isOver) acts.read(k, first);
    }
  }
  return acts;
}
