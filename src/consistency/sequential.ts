/**
 * Sequential consistency of a whole history: one order of all operations that keeps the order of each process and that
 * the specs allow. Real time plays no part.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM J. Comput. 26(4), 1997: NP-complete, even for registers.
 *
 * A depth-first search over the position of each process and the state of each object. It continues with the operation
 * that was called first, because most recorded histories are nearly in order, and takes operations that change nothing
 * at once: they can stand nowhere earlier. Configurations that lead nowhere are stored.
 *
 * The property is not local: parts can refute it, but only the whole history confirms it. So keys and objects are
 * searched together.
 *
 * Cost: exponential in the number of processes; bounded by `maxSteps`.
 */
import { invariant } from '../base/errors.js';
import type { SpecOf } from '../check/parts/parts.js';
import { verifyWitness } from '../check/verify-witness.js';
import { History } from '../history/history.js';
import { NEVER, withColumns } from '../history/model/columns.js';
import { DEAD, Machine } from '../spec/machine/machine.js';

/** An order of ids that proves the history sequentially consistent, or why there is none or it is not known. */
export type SequentialResult =
  | { readonly kind: 'holds'; readonly order: Int32Array }
  | { readonly kind: 'fails' }
  | { readonly kind: 'unknown'; readonly reason: string };

export function searchSequential(given: History, specOf: SpecOf, maxSteps: number): SequentialResult {
  const history = given.withoutFailed();
  const lanes = lanesOf(history);
  if (lanes === undefined) return { kind: 'unknown', reason: 'calls of one process overlap' };
  const search = new SequentialSearch(history, specOf, lanes, maxSteps);
  const order = search.run();
  if (order === undefined)
    return search.isComplete
      ? { kind: 'fails' }
      : { kind: 'unknown', reason: `the search stopped after ${maxSteps.toLocaleString('en')} steps` };
  return verifiedOrder(history, specOf, order, lanes);
}

/** The result that an order of positions shows, after it is verified against the order of each process and the specs. */
export function verifiedOrder(
  history: History,
  specOf: SpecOf,
  order: readonly number[],
  lanes: readonly Lane[] = lanesOf(history) ?? [],
): SequentialResult {
  const ids = Int32Array.from(order, (k) => history.columns.id[k]);
  const fault = verifyWitness(inProcessOrder(history, lanes), (object) => specOf(object), { order: ids });
  invariant(
    fault === undefined,
    'an order that keeps the order of each process is rejected by its own specs',
  );
  return { kind: 'holds', order: ids };
}

/** Operations in an order that must be kept; a lane of a pending operation may stop before it. */
type Lane = readonly number[];

/** The returned operations of each process, and each pending operation behind those before it; undefined if calls overlap. */
function lanesOf({ columns }: History): Lane[] | undefined {
  const { process, call, return: returned } = columns;
  const lanes = new Map<number, number[]>();
  for (let k = 0; k < process.length; k++) {
    if (returned[k] === NEVER) continue;
    const lane = lanes.get(process[k]) ?? [];
    const last = lane.at(-1);
    if (last !== undefined && returned[last] > call[k]) return undefined;
    lane.push(k);
    lanes.set(process[k], lane);
  }
  return [...lanes.values()];
}

class SequentialSearch {
  /** Whether every order was tried, or excluded. */
  isComplete = true;
  readonly #history: History;
  readonly #lanes: readonly Lane[];
  readonly #machines: readonly (Machine | undefined)[];
  /** Pending operations, each with the lane and the place in it that must come first. */
  readonly #pending: readonly { readonly operation: number; readonly lane: number; readonly place: number }[];
  readonly #dead = new Set<string>();
  #stepsLeft: number;

  constructor(history: History, specOf: SpecOf, lanes: readonly Lane[], maxSteps: number) {
    const { object, process, return: returned, call } = history.columns;
    this.#history = history;
    this.#lanes = lanes;
    this.#stepsLeft = maxSteps;
    this.#machines = history.tables.objects.map((name, own) =>
      object.includes(own)
        ? new Machine(
            history.select((k) => object[k] === own),
            specOf(name),
          )
        : undefined,
    );
    this.#pending = Array.from(returned.keys())
      .filter((k) => returned[k] === NEVER)
      .map((operation) => {
        const lane = lanes.findIndex(([first]) => process[first] === process[operation]);
        const place = lane < 0 ? 0 : lanes[lane].filter((k) => call[k] < call[operation]).length;
        return { operation, lane, place };
      });
  }

  /** The operations in an order that all specs allow. */
  run(): number[] | undefined {
    const state = this.#machines.map((machine) => machine?.initial ?? DEAD);
    const path = [this.#enter([], { places: this.#lanes.map(() => 0), state, taken: new Set() })];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.isWhole) return path.flatMap(({ operations }) => operations);
      const move = this.#dead.has(top.key) ? undefined : top.moves.pop();
      if (move === undefined) {
        this.#dead.add(top.key);
        path.pop();
      } else if (this.#stepsLeft-- <= 0) {
        this.isComplete = false;
        return undefined;
      } else path.push(this.#enter([move[0]], move[1]));
    }
    return undefined;
  }

  /** A configuration on the path of the search, after the operations that lead to it. */
  #enter(leading: readonly number[], given: Configuration) {
    const { configuration, taken } = this.#takeReads(given);
    return {
      operations: [...leading, ...taken],
      key: keyOf(configuration),
      isWhole: this.#lanes.every((lane, i) => configuration.places[i] === lane.length),
      moves: this.#moves(configuration).reverse(),
    };
  }

  /** Operations that change no state and are allowed here come at once. */
  #takeReads(given: Configuration): { configuration: Configuration; taken: number[] } {
    const places = [...given.places];
    const taken: number[] = [];
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const [i, lane] of this.#lanes.entries())
        while (places[i] < lane.length) {
          const { own, letter, machine } = this.#letterOf(lane[places[i]]);
          if (!machine.isReadOnly(letter) || machine.step(given.state[own], letter) === DEAD) break;
          taken.push(lane[places[i]++]);
          hasMoved = true;
        }
    }
    return { configuration: { ...given, places }, taken };
  }

  /** The next operations of all lanes that the specs allow, the one that was called first in front; then pending ones. */
  #moves({ places, state, taken }: Configuration): [number, Configuration][] {
    const moves: [number, Configuration][] = [];
    for (const [i, lane] of this.#lanes.entries()) {
      if (places[i] === lane.length) continue;
      const next = this.#after(state, lane[places[i]]);
      if (next === undefined) continue;
      moves.push([lane[places[i]], { places: places.with(i, places[i] + 1), state: next, taken }]);
    }
    moves.sort(([a], [b]) => a - b);
    for (const { operation, lane, place } of this.#pending) {
      if (taken.has(operation) || (lane >= 0 && places[lane] < place)) continue;
      const next = this.#after(state, operation);
      if (next) moves.push([operation, { places, state: next, taken: new Set([...taken, operation]) }]);
    }
    return moves;
  }

  /** The states after an operation; undefined if its spec does not allow it. */
  #after(state: readonly number[], operation: number): number[] | undefined {
    const { own, letter, machine } = this.#letterOf(operation);
    const next = machine.step(state[own], letter);
    return next === DEAD ? undefined : state.with(own, next);
  }

  #letterOf(k: number): { readonly own: number; readonly letter: number; readonly machine: Machine } {
    const { object, id } = this.#history.columns;
    const machine = this.#machines[object[k]] as Machine;
    return { own: object[k], letter: machine.letterOf(id[k]), machine };
  }
}

interface Configuration {
  /** Of each lane, how many operations have taken effect; of each object, its state. */
  readonly places: readonly number[];
  readonly state: readonly number[];
  /** The pending operations that have taken effect. */
  readonly taken: ReadonlySet<number>;
}

const keyOf = ({ places, state, taken }: Configuration): string =>
  `${places.join()};${state.join()};${[...taken].sort((a, b) => a - b).join()}`;

/** The same operations, all of which overlap, with the order of each process as `after` edges. */
function inProcessOrder(history: History, lanes: readonly Lane[]): History {
  const { columns, tables } = history;
  const returned = Array.from(columns.return.keys()).filter((k) => columns.return[k] !== NEVER);
  const edges = columns.return.length;
  const before = new Map<number, number>();
  for (const lane of lanes) for (let i = 1; i < lane.length; i++) before.set(lane[i], lane[i - 1]);
  for (let k = 0; k < edges; k++)
    if (columns.return[k] === NEVER) {
      const lane = lanes.find(([first]) => columns.process[first] === columns.process[k]);
      const last = lane?.filter((own) => columns.call[own] < columns.call[k]).at(-1);
      if (last !== undefined) before.set(k, last);
    }
  const start = new Int32Array(edges + 1);
  const items: number[] = [];
  for (let k = 0; k < edges; k++) {
    const earlier = before.get(k);
    if (earlier !== undefined) items.push(earlier);
    start[k + 1] = items.length;
  }
  const returnAt = new Int32Array(edges).fill(NEVER);
  returned.forEach((k, i) => {
    returnAt[k] = edges + i;
  });
  return new History(
    withColumns(columns, {
      call: Int32Array.from(columns.call.keys()),
      return: returnAt,
      events: Int32Array.from([...columns.call.keys(), ...returned.map((k) => ~k)]),
      after: { start, items: Int32Array.from(items) },
    }),
    tables,
  );
}
