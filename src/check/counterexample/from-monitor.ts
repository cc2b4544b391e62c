/**
 * From a monitor's "no" to a counterexample.
 *
 * A monitor names few values that contradict each other. All operations on other values are left out:
 * their projection has no order, and so the history has none, for in an order of a container all
 * operations on a value can be left out.
 *
 * To blame is the first return that no order gets past, and there may be one before those that the monitor names. A short
 * search looks for it (`earliest`). If it stops earlier, the monitor is asked about the history up to there; and if it has nothing to
 * say of that return, the search tells itself why it stops. The search also knows what the operation could have answered instead.
 */
import { Interner } from '../../base/values/interner.js';
import type { Outcome } from '../../history/model/operation.js';
import { Budget } from '../model/budget.js';
import type { Answer, Refusal } from '../model/search.js';
import type { Cause, Counterexample, Exhausted } from '../model/verdict.js';
import type { Ruling } from '../monitors/common/monitor.js';
import { confirm } from '../monitors/confirm.js';
import { monitored } from '../monitors/registry.js';
import type { Part } from '../parts/part.js';
import { partAmong } from '../parts/part-among.js';
import { allowedOutcomes } from './allowed-outcomes.js';
import { blamedIn, earliest, isShort, refusalOf, TELLING } from './first-fault.js';
import { wrongAnswer } from './from-search.js';

/** Where no order gets past a return, a search says more. */
const TRYING = { steps: 3_000_000, milliseconds: 2_000, bytes: 2 ** 29 };

type Contradiction = Extract<Ruling, { kind: 'contradiction' }>;

export function contradiction(part: Part, ruling: Contradiction): Counterexample {
  const { operations, among, cause } = ruling;
  const isWhole = part.spec.part !== undefined && !part.cuts.includes('part');
  const own = among && isWhole ? partAmong(part, operations[0], among) : part;
  const ids = operations.map((k) => part.history.columns.id[k]);
  const budget = new Budget(TELLING);
  const first = earliest(own, ids, budget);
  if (!first) return told(part, own, ruling, []);
  const { near, refusal } = first;
  const blamed = blamedIn(near, refusal);
  const allowed = (operation: number): Outcome[] =>
    near === own && operation === blamed ? allowedOutcomes(own, own.history, blamed, refusal, budget) : [];
  if (cause.operation === blamed || isOver(near, refusal, ids, budget))
    return told(part, own, ruling, allowed(cause.operation));
  const shorter = upTo(near, refusal, budget);
  return shorter ? told(near, near, shorter, allowed(shorter.cause.operation)) : wrongAnswer(near, refusal);
}

/** Do these operations contradict each other by the return that a search stops at? */
function isOver(part: Part, { moment }: Refusal, ids: readonly number[], budget: Budget): boolean {
  const kept = new Set(ids);
  const core = part.history.prefix(moment);
  return (
    refusalOf(
      part,
      core.select((k) => kept.has(core.columns.id[k])),
      budget,
    ) !== undefined
  );
}

function told(
  part: Part,
  own: Part,
  { operations, cause, minimal }: Contradiction,
  allowed: Outcome[],
): Counterexample {
  const kept = new Set(operations);
  return {
    part: own.name,
    core: part.history.select((k) => kept.has(k)),
    cuts: own.cuts.includes('values') ? own.cuts : [...own.cuts, 'values'],
    minimal,
    property: 'safety',
    cause: { ...cause, allowed, refused: [] },
  };
}

/** What a monitor says against the return that a search stops at, if it does. */
function upTo(part: Part, refusal: Refusal, budget: Budget): Contradiction | undefined {
  const { history, spec } = part;
  const prefix = history.prefix(refusal.moment);
  const own = monitored(prefix, spec);
  if (!own || 'obstacle' in own) return undefined;
  const ruling = own.reading.decide((search) => budget.run(search) as Answer | Exhausted);
  if (ruling.kind !== 'contradiction') return undefined;
  const { id } = prefix.columns;
  const ids = ruling.operations.map((k) => id[k]);
  // what is open there ends later on, and a cause must hold whatever comes of it
  if (!confirm(history, spec, ruling.cause) || !isOver(part, refusal, ids, budget)) return undefined;
  const position = history.positionsById();
  return { ...ruling, operations: ids.map((own) => position[own]) };
}

/** No order of certain operations gets past the return of one. */
export function stop(part: Part, { operation, among }: Extract<Ruling, { kind: 'stops' }>): Counterexample {
  const id = part.history.columns.id[operation];
  const own = among ? partAmong(part, operation, among) : part;
  const { history } = own;
  const moment = history.columns.return[history.positionsById()[id]];
  const refusal = refusalOf(own, history.prefix(moment), new Budget(TRYING));
  const few = refusal && wrongAnswer(own, refusal);
  // others than these may stop earlier, and tell what is allowed; on another key they have nothing to say
  if (part.spec.part === undefined && own !== part && isShort(part)) {
    const first = earliest(part, [id], new Budget(TELLING));
    const whole = first && wrongAnswer(part, first.refusal);
    if (whole && !(few && isSaid(few.cause, whole.cause))) return whole;
  }
  if (few) return few;
  return {
    part: own.name,
    core: history.prefix(moment),
    cuts: [...own.cuts, 'prefix'],
    minimal: false,
    property: 'safety',
    cause: { kind: 'late', operation: id, allowed: [], refused: [] },
  };
}

/** Do two causes blame the same operation, and allow the same? */
function isSaid(one: Cause, other: Cause): boolean {
  const outcomes = new Interner();
  const allowed = (cause: Cause): string =>
    cause.allowed
      .map((outcome) => outcomes.intern(outcome))
      .sort((a, b) => a - b)
      .join();
  return one.operation === other.operation && allowed(one) === allowed(other);
}
