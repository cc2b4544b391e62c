/**
 * Rendezvous by a plain search: a second, independent decision.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, sections 3 and 5: two-step
 *   linearisation, by the general schema of the authors' later revision.
 *
 * Each call becomes two operations, *begin* and *end*, both inside it. The plain spec lets begins gather while they
 * are a prefix of some rendezvous. The first end makes the rendezvous, if these calls form one, and keeps the results
 * of the others until their ends. Nothing else happens between the first begin and the first end.
 *
 * It decides safety only. It is slow if many calls are open, because an incorrect begin is detected late.
 */
import { HistoryBuilder } from '../../../history/builder/builder.js';
import type { History } from '../../../history/history.js';
import { NEVER, PENDING } from '../../../history/model/columns.js';
import type { Outcome } from '../../../history/model/operation.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { RendezvousMode, SyncSpec } from '../../../spec/rendezvous/sync-spec.js';
import { blocked, OneOf, type Spec, type Transition } from '../../../spec/spec.js';
import type { Search } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { JitGraph } from '../../search/generic/jit-graph.js';
import type { RendezvousSearchResult } from './configuration-graph.js';
import type { RendezvousPart } from './enabled-rendezvous.js';

/** The result of a begin. */
const BEGUN = true;

interface State {
  readonly inner: unknown;
  /** Calls that have begun and not synchronised. */
  readonly gathered: readonly number[];
  /** Calls that have synchronised and not ended, and their results. */
  readonly results: readonly (readonly [k: number, result: unknown])[];
}

export class TwoStep implements Search<RendezvousSearchResult> {
  readonly name = 'two-step linearization';
  readonly #graph: JitGraph;
  readonly #steps: History;

  /** Why the search does not apply to a history; undefined if it does. */
  static obstacle({ columns }: History): string | undefined {
    if (columns.after) return 'the history has "after" edges';
    const isCut = columns.return.some((moment, k) => moment === NEVER && columns.status[k] !== PENDING);
    return isCut ? 'it is cut off' : undefined;
  }

  constructor(part: RendezvousPart) {
    this.#steps = stepsOf(part.history);
    this.#graph = new JitGraph(this.#steps, new Machine(this.#steps, plainSpec(part)));
  }

  get steps(): number {
    return this.#graph.steps;
  }
  get configurations(): number {
    return this.#graph.configurations;
  }
  get bytes(): number {
    return this.#graph.bytes;
  }
  /** Half of the returns are of begins. */
  get explained(): number {
    return this.#graph.explained >> 1;
  }
  get returns(): number {
    return this.#graph.returns >> 1;
  }

  advance(stepBudget: number): RendezvousSearchResult | undefined {
    const answer = this.#graph.advance(stepBudget);
    if (!answer) return undefined;
    return answer.kind === 'linearizable'
      ? linearizable(this.#rendezvous(answer.witness))
      : violation({ moment: 0, ends: [] });
  }

  /** The calls that began since the last rendezvous synchronised before the next end. */
  #rendezvous(order: Int32Array): Int32Array[] {
    const rendezvous: Int32Array[] = [];
    let gathered: number[] = [];
    for (const operation of order) {
      const { method, args } = this.#steps.at(operation);
      if (method === 'begin') gathered.push(args[0] as number);
      else if (gathered.length > 0) {
        rendezvous.push(Int32Array.from(gathered));
        gathered = [];
      }
    }
    return rendezvous;
  }
}

/** Two operations for each call, each as long as the call. */
function stepsOf(history: History): History {
  const builder = new HistoryBuilder({ fromFile: history.tables.undefinedIsNull });
  for (const [k, { outcome, call, return: end }] of [...history].entries()) {
    const isPending = end === Number.POSITIVE_INFINITY;
    const add = (method: string, own: Outcome) =>
      builder.operation({
        process: `${method} ${k}`,
        method,
        args: [k],
        outcome: isPending ? { kind: 'pending' } : own,
        call,
        ...(isPending ? {} : { return: end }),
      } as Parameters<typeof builder.operation>[0]);
    // not undefined, which would make null and undefined two values in a history from a file
    add('begin', { kind: 'returned', value: BEGUN });
    add('end', outcome);
  }
  return builder.finish();
}

/** The plain spec of begins and ends. */
function plainSpec({ history, machine, spec }: RendezvousPart): Spec {
  const methods = Array.from(history.columns.method, (method) => history.tables.methods[method]);
  const fitting = (inner: unknown, gathered: readonly number[], isWhole: boolean) =>
    machine.modes.filter((mode) => fits(mode, spec, inner, gathered, methods, isWhole));
  const begin = (state: State, k: number) => {
    const gathered = [...state.gathered, k];
    return fitting(state.inner, gathered, false).length === 0 ? blocked : [{ ...state, gathered }, BEGUN];
  };
  const end = ({ inner, gathered, results }: State, k: number) => {
    if (gathered.length === 0) {
      const own = results.find(([other]) => other === k);
      return own ? [{ inner, gathered, results: results.filter((other) => other !== own) }, own[1]] : blocked;
    }
    if (!gathered.includes(k)) return blocked;
    const calls = gathered.map((other) => history.args(other));
    const steps = fitting(inner, gathered, true).flatMap(({ name }) =>
      stepsIn(spec.rendezvous[name]?.(inner, ...calls)),
    );
    const after = steps.map(([next, got]): Transition<State, unknown> => {
      const others = gathered.map((other, i) => [other, (got as unknown[])[i]] as const);
      const kept = [...results, ...others].filter(([other]) => other !== k).sort(([a], [b]) => a - b);
      return [{ inner: next, gathered: [], results: kept }, (got as unknown[])[gathered.indexOf(k)]];
    });
    return after.length === 0 ? blocked : new OneOf(after);
  };
  return {
    name: `${spec.name} in two steps`,
    initial: { inner: spec.initial, gathered: [], results: [] } satisfies State,
    methods: { begin, end } as unknown as Spec['methods'],
    ...(spec.key && {
      key: ({ inner, ...rest }: State) => ({ ...rest, inner: spec.key?.(inner) }),
    }),
  };
}

/** Whether these calls are a whole rendezvous of a mode in a state, or a prefix of one. */
function fits(
  { name, roles, starred }: RendezvousMode,
  spec: SyncSpec,
  inner: unknown,
  gathered: readonly number[],
  methods: readonly string[],
  isWhole: boolean,
): boolean {
  const sizes = starred === undefined ? [0] : (spec.sizes?.(inner, name) ?? []);
  const lengths = sizes.map((size) => roles.length + size);
  if (!lengths.some((length) => (isWhole ? length === gathered.length : length >= gathered.length)))
    return false;
  return gathered.every(
    (k, i) =>
      methods[k] === (i < roles.length ? roles[i] : starred) &&
      // members of the role with several gather in order of call
      (i <= roles.length || gathered[i - 1] < k),
  );
}

function stepsIn(given: unknown): readonly Transition<unknown, unknown>[] {
  if (given instanceof OneOf) return given.transitions as readonly Transition<unknown, unknown>[];
  return Array.isArray(given) ? [given as unknown as Transition<unknown, unknown>] : [];
}
