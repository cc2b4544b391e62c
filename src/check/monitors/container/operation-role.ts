/** What an operation is to a container, by its role: for those who check a cause. */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

export interface Played {
  readonly role: 'add' | 'remove' | 'peek' | undefined;
  /** What it puts in or gives. */
  readonly value: unknown;
  readonly call: number;
  readonly return: number;
  /** What else is told of the value that is put in. */
  readonly more: unknown;
  /** Nobody knows what it gave. */
  readonly isOpen: boolean;
  /** It found nothing. */
  readonly isEmpty: boolean;
}

/** Plays no role. */
export const NOBODY: Played = {
  role: undefined,
  value: undefined,
  call: NEVER,
  return: NEVER,
  more: undefined,
  isOpen: false,
  isEmpty: false,
};

export function playedAt(history: History, { family }: Spec, k: number): Played {
  const { method, args, outcome, call } = history.at(k);
  const { add, remove, peek } = family?.roles ?? {};
  const role = method === add ? 'add' : method === remove ? 'remove' : method === peek ? 'peek' : undefined;
  const hasAnswer = role !== 'add' && outcome.kind === 'returned';
  const { columns, tables } = history;
  return {
    role,
    value: role === 'add' ? args[0] : hasAnswer ? outcome.value : undefined,
    call,
    return: columns.return[k],
    more: args[1],
    isOpen: outcome.kind === 'pending',
    isEmpty: hasAnswer && columns.result[k] === numberOfValue(tables, family?.empty),
  };
}
