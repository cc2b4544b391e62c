/**
 * From a monitor's "no" to a counterexample.
 *
 * A monitor names few values that contradict each other. All operations on other values are left out:
 * their projection has no order, and so the history has none, for in an order of a container all
 * operations on a value can be left out. What the operation at fault could have answered instead is found by
 * a search, where that is cheap.
 */
import { show } from '../base/index.js';
import type { History, Outcome } from '../history/index.js';
import { allowedOutcomes } from './allowed.js';
import { Budget } from './budget.js';
import { wrongAnswer } from './core.js';
import type { Ruling } from './monitors/monitor.js';
import { Part } from './part.js';
import type { Refusal } from './search.js';
import { JitGraph } from './searches/jit-graph.js';
import { Refuting } from './searches/refuting.js';
import type { Counterexample } from './verdict.js';

/** Longer histories are not searched only to tell more. */
const SHORT = 2_000;
const CHEAP = { steps: 100_000, milliseconds: 300, bytes: 2 ** 28 };
/** Where no order gets past a return, a search says more. */
const TRYING = { steps: 3_000_000, milliseconds: 2_000, bytes: 2 ** 29 };

export function contradiction(
  part: Part,
  { operations, among, cause, minimal }: Extract<Ruling, { kind: 'contradiction' }>,
): Counterexample {
  const kept = new Set(operations);
  const isWhole = part.spec.part !== undefined && !part.cuts.includes('part');
  const own = among && isWhole ? partAmong(part, operations[0], among) : part;
  return {
    part: own.name,
    core: part.history.select((k) => kept.has(k)),
    cuts: [...own.cuts, 'values'],
    minimal,
    property: 'safety',
    cause: { ...cause, allowed: allowedInstead(own, cause.operation), refused: [] },
  };
}

/** What an operation could have answered, if a search finds it at fault too, soon. */
function allowedInstead(part: Part, operation: number): Outcome[] {
  const { history } = part;
  if (history.length > SHORT) return [];
  const budget = new Budget(CHEAP);
  const refusal = refusalOf(part, history, budget);
  if (!refusal || history.columns.id[~history.columns.events[refusal.moment]] !== operation) return [];
  return allowedOutcomes(part, history, operation, refusal, budget);
}

/** No order of certain operations gets past the return of one. */
export function stop(part: Part, { operation, among }: Extract<Ruling, { kind: 'stops' }>): Counterexample {
  const own = among ? partAmong(part, operation, among) : part;
  const id = part.history.columns.id[operation];
  const { history } = own;
  const moment = history.columns.return[history.positionsById()[id]];
  const refusal = refusalOf(own, history.prefix(moment), new Budget(TRYING));
  if (refusal) return wrongAnswer(own, refusal);
  return {
    part: own.name,
    core: history.prefix(moment),
    cuts: [...own.cuts, 'prefix'],
    minimal: false,
    property: 'safety',
    cause: { kind: 'late', operation: id, allowed: [], refused: [] },
  };
}

/** The operations that an operation has to do with, as a part. */
function partAmong(part: Part, operation: number, among: (k: number) => boolean): Part {
  const { history, spec, objectMachine } = part;
  return new Part({
    name: nameOf(part, operation),
    history: history.select(among),
    spec,
    objectMachine,
    cuts: [...part.cuts, 'part'],
    monitored: undefined,
  });
}

/** The name of the part that an operation belongs to, where a monitor has read several as one. */
function nameOf({ name, history, spec, cuts }: Part, operation: number): string {
  if (cuts.includes('part')) return name;
  const { columns, tables } = history;
  const keys = spec.part?.(tables.methods[columns.method[operation]], history.args(operation)) ?? [];
  return [name, keys]
    .flat()
    .map((key) => (typeof key === 'string' ? key : show(key)))
    .filter((key) => key !== '')
    .join(' ');
}

function refusalOf(part: Part, history: History, budget: Budget): Refusal | undefined {
  const { machine } = part;
  const search = history.length > SHORT ? new Refuting(history, machine) : new JitGraph(history, machine);
  const answer = budget.run(search, {
    otherBytes: () => part.objectMachine.bytes,
  });
  return typeof answer === 'string' || answer.found ? undefined : answer;
}
