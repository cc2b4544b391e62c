/**
 * The evidence of a violation by brute force: the first return that no linearization includes, and what was allowed there.
 *
 * All configurations are enumerated: a set of operations that have taken effect, and a state. Shares no code with the
 * checkers: rows instead of columns, the methods of the spec instead of a machine, texts instead of numbers.
 */
import type { History } from '../../../src/history/history.js';
import type { Operation, Outcome } from '../../../src/history/model/operation.js';
import { OneOf, Refused, type Spec } from '../../../src/spec/spec.js';
import { choices, textOf } from './oracle.js';

/** An outcome as a text; in a history from a file, undefined is null. */
export function outcomeText(outcome: Outcome, { tables }: History): string {
  if (outcome.kind === 'threw') return `! ${outcome.error}`;
  const value = outcome.kind === 'returned' ? outcome.value : undefined;
  return textOf(value === undefined && tables.undefinedIsNull ? null : value);
}

/** The faulty operation by id, the allowed outcomes as sorted texts, and the reasons of refusals. */
export interface Fault {
  readonly operation: number;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

interface Configuration {
  readonly done: number;
  readonly state: unknown;
  /** The outcome that was chosen for the operation whose result is open. */
  readonly chosen: string;
}

/** Undefined if the history is linearizable. At most 30 operations. */
export function faultOf(history: History, spec: Spec): Fault | undefined {
  const rows = [...history].filter(({ outcome }) => outcome.kind !== 'failed');
  const before = predecessors(history, rows);
  const returns = rows
    .map((_, k) => k)
    .filter((k) => rows[k].return < Number.POSITIVE_INFINITY)
    .sort((a, b) => rows[a].return - rows[b].return);
  const recorded = rows.map(({ outcome }) =>
    outcome.kind === 'pending' ? undefined : outcomeText(outcome, history),
  );
  const all = reachable(history, spec, rows, before, recorded, -1);
  let needed = 0;
  for (const k of returns) {
    const earlier = needed;
    needed |= 1 << k;
    if (all.some(({ done }) => (done & needed) === needed)) continue;
    const open = reachable(history, spec, rows, before, recorded, k);
    const allowed = open.filter(({ done }) => (done & needed) === needed).map(({ chosen }) => chosen);
    const here = all.filter(({ done }) => (done & needed) === earlier);
    return {
      operation: rows[k].id,
      allowed: [...new Set(allowed)].sort(),
      refused: [...new Set(here.flatMap(({ state }) => refusals(spec, state, rows[k])))].sort(),
    };
  }
  return undefined;
}

/** What is said of a fault, and whether some order gives the results if all operations overlap. */
export function saidOf(history: History, spec: Spec): (Fault & { readonly isPossible: boolean }) | undefined {
  const fault = faultOf(history, spec);
  if (!fault) return undefined;
  const rows = [...history].filter(({ outcome }) => outcome.kind !== 'failed');
  const recorded = rows.map(({ outcome }) =>
    outcome.kind === 'pending' ? undefined : outcomeText(outcome, history),
  );
  const returned = rows.reduce(
    (mask, row, k) => (row.return < Number.POSITIVE_INFINITY ? mask | (1 << k) : mask),
    0,
  );
  const all = reachable(history, spec, rows, new Array(rows.length).fill(0), recorded, -1);
  return { ...fault, isPossible: all.some(({ done }) => (done & returned) === returned) };
}

/**
 * An operation (an id) that can be left out of a history: without it, the same is said of the faulty one. Without the
 * only one that wrote a value, it may be that no order gives the results any more; then it is not superfluous.
 */
export function superfluousIn<F extends { readonly operation: number; readonly isPossible?: boolean }>(
  core: History,
  fault: number,
  saidOf: (history: History) => F | undefined,
): number | undefined {
  const textOfSaid = (said: F | undefined) => JSON.stringify({ ...said, isPossible: undefined });
  const whole = saidOf(core);
  const { id } = core.columns;
  return id.find((own, k) => {
    if (own === fault) return false;
    const rest = saidOf(core.select((other) => other !== k));
    if (rest?.operation !== fault || textOfSaid(rest) !== textOfSaid(whole)) return false;
    return rest.isPossible || !whole?.isPossible;
  });
}

/**
 * What would have been allowed for a pending operation (an id) after the completed ones, and why the spec refuses it;
 * undefined if it may block after one of their linearizations.
 */
export function needlessWaitOf(history: History, spec: Spec, operation: number): Fault | undefined {
  const complete = history.complete();
  const rows = [...complete].filter(({ outcome }) => outcome.kind !== 'failed');
  const recorded = rows.map(({ outcome }) => outcomeText(outcome, complete));
  const all = reachable(complete, spec, rows, predecessors(complete, rows), recorded, -1);
  const waiting = history.at(history.positionsById()[operation]);
  const states = all.filter(({ done }) => done === 2 ** rows.length - 1).map(({ state }) => state);
  const results = states.map((state) => choices(spec, state, waiting));
  const reasons = states.flatMap((state) => refusals(spec, state, waiting));
  if (states.some((state, i) => results[i].length === 0 && refusals(spec, state, waiting).length === 0))
    return undefined;
  return {
    operation,
    allowed: [...new Set(results.flat().map(({ outcome }) => outcomeText(outcome, history)))].sort(),
    refused: [...new Set(reasons)].sort(),
  };
}

/** For each operation, the operations that take effect before it. */
function predecessors(history: History, rows: readonly Operation[]): number[] {
  const position = new Map(rows.map(({ id }, k) => [id, k]));
  const { after, id } = history.columns;
  return rows.map((row) => {
    let mask = 0;
    rows.forEach((other, k) => {
      if (other.return < row.call) mask |= 1 << k;
    });
    const own = history.positionsById()[row.id];
    for (let i = after?.start[own] ?? 0; after && i < after.start[own + 1]; i++)
      mask |= 1 << (position.get(id[after.items[i]]) as number);
    return mask;
  });
}

/** All configurations; the operation `open` may have any result. */
function reachable(
  history: History,
  spec: Spec,
  rows: readonly Operation[],
  before: readonly number[],
  recorded: readonly (string | undefined)[],
  open: number,
): Configuration[] {
  const list: Configuration[] = [{ done: 0, state: spec.initial, chosen: '' }];
  const seen = new Set<string>();
  const stateText = (state: unknown) => textOf(spec.key ? spec.key(state) : state);
  for (const { done, state, chosen } of list)
    rows.forEach((row, k) => {
      if (done & (1 << k) || (before[k] & ~done) !== 0) return;
      for (const choice of choices(spec, state, row)) {
        const text = outcomeText(choice.outcome, history);
        if (k !== open && recorded[k] !== undefined && recorded[k] !== text) continue;
        const next = { done: done | (1 << k), state: choice.next, chosen: k === open ? text : chosen };
        const key = `${next.done} ${next.chosen} ${stateText(next.state)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        list.push(next);
      }
    });
  return list;
}

function refusals(spec: Spec, state: unknown, { method, args }: Operation): string[] {
  const given: unknown = spec.methods[method](state, ...args);
  const refused = given instanceof OneOf ? given.refused : given instanceof Refused ? [given] : [];
  return refused.map(({ reason }) => reason);
}

/** The operations of the part that an operation (an id) belongs to: those connected by keys or by "after". */
export function partOf(history: History, spec: Spec, operation: number): History {
  const rows = [...history];
  const keys = rows.map(({ method, args, outcome }) => {
    if (outcome.kind === 'failed') return [];
    const own = spec.part?.(method, args);
    return own === undefined ? ['', 'all'] : [own].flat().map(String);
  });
  if (!spec.part || keys.some((own) => own.includes('all'))) return history;
  const { after } = history.columns;
  const linked = new Set([history.positionsById()[operation]]);
  for (let size = 0; size < linked.size; ) {
    size = linked.size;
    rows.forEach((_, k) => {
      const others = [...linked];
      const isTied = others.some((other) => keys[other].some((key) => keys[k].includes(key)));
      const edges = (from: number) =>
        after?.items.subarray(after.start[from], after.start[from + 1]) ?? new Int32Array();
      if (isTied || others.some((other) => edges(other).includes(k) || edges(k).includes(other)))
        linked.add(k);
    });
  }
  return history.select((k) => linked.has(k));
}
