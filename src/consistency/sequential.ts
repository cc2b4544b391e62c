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
 * Cost: exponential in the number of processes. A configuration costs a step, and another one for each 64 processes and
 * pending calls; `maxSteps` bounds the steps.
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

/** When the search stops without a decision. */
export interface SequentialLimits {
  readonly maxSteps: number;
  /** Polled now and then; `true` stops. */
  readonly isOver: () => boolean;
}

export function searchSequential(given: History, specOf: SpecOf, limits: SequentialLimits): SequentialResult {
  const history = given.withoutFailed();
  const lanes = lanesOf(history);
  if (lanes === undefined) return { kind: 'unknown', reason: overlapReason(history) };
  const search = new SequentialSearch(history, specOf, lanes, limits);
  const order = search.run();
  if (order === undefined)
    return search.stopped === undefined ? { kind: 'fails' } : { kind: 'unknown', reason: search.stopped };
  return verifiedOrder(history, specOf, order, lanes);
}

/** Calls of one process that overlap have no order to keep. Those that a clock error widens have one, which is not used. */
const overlapReason = ({ tables }: History): string =>
  tables.isWidened
    ? 'it is not measured where --clock-error makes the intervals of one process overlap'
    : 'calls of one process overlap';

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

/** Processes and pending calls that a step of the search covers. */
const LANES_PER_STEP = 64;
/** How many configurations are entered between two looks at the limits. */
const POLL_EVERY = 256;

class SequentialSearch {
  /** Why the search stopped before every order was tried or excluded. */
  stopped: string | undefined;
  readonly #history: History;
  readonly #lanes: readonly Lane[];
  readonly #machines: readonly (Machine | undefined)[];
  /** Pending operations, each with the lane and the place in it that must come first. */
  readonly #pending: ReadonlyMap<number, { readonly lane: number; readonly place: number }>;
  /** Of each returned operation, its lane. */
  readonly #laneOf: Int32Array;
  readonly #dead = new Set<string>();
  readonly #limits: SequentialLimits;
  readonly #cost: number;
  #entered = 0;

  constructor(history: History, specOf: SpecOf, lanes: readonly Lane[], limits: SequentialLimits) {
    const { object, return: returned, call } = history.columns;
    this.#history = history;
    this.#lanes = lanes;
    this.#limits = limits;
    this.#machines = history.tables.objects.map((name, own) =>
      object.includes(own)
        ? new Machine(
            history.select((k) => object[k] === own),
            specOf(name),
          )
        : undefined,
    );
    this.#laneOf = new Int32Array(history.length).fill(-1);
    lanes.forEach((lane, i) => {
      for (const k of lane) this.#laneOf[k] = i;
    });
    const laneOfProcess = lanesByProcess(history, lanes);
    this.#pending = new Map(
      Array.from(returned.keys())
        .filter((k) => returned[k] === NEVER)
        .map((k) => {
          const lane = laneOfProcess.get(history.columns.process[k]) ?? -1;
          return [k, { lane, place: lane < 0 ? 0 : calledBefore(lanes[lane], call, call[k]) }];
        }),
    );
    this.#cost = 1 + Math.floor((lanes.length + this.#pending.size) / LANES_PER_STEP);
  }

  /** The operations in an order that all specs allow. */
  run(): number[] | undefined {
    const state = this.#machines.map((machine) => machine?.initial ?? DEAD);
    const path = [this.#enter([], { places: this.#lanes.map(() => 0), state, taken: new Set() })];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.isWhole) return path.flatMap(({ operations }) => operations);
      const k = this.#dead.has(top.key) ? undefined : top.candidates.pop();
      if (k === undefined) {
        this.#dead.add(top.key);
        path.pop();
        continue;
      }
      const next = this.#take(top.configuration, k);
      if (next === undefined) continue;
      this.stopped = this.#limitReached();
      if (this.stopped !== undefined) return undefined;
      path.push(this.#enter([k], next));
    }
    return undefined;
  }

  #limitReached(): string | undefined {
    const { maxSteps, isOver } = this.#limits;
    this.#entered++;
    if (this.#entered * this.#cost > maxSteps)
      return `the search stopped after ${maxSteps.toLocaleString('en')} steps`;
    return this.#entered % POLL_EVERY === 0 && isOver() ? 'the search was stopped' : undefined;
  }

  /** A configuration on the path of the search, after the operations that lead to it. */
  #enter(leading: readonly number[], given: Configuration) {
    const { configuration, taken } = this.#takeReads(given);
    return {
      operations: [...leading, ...taken],
      configuration,
      key: keyOf(configuration),
      isWhole: this.#lanes.every((lane, i) => configuration.places[i] === lane.length),
      candidates: this.#candidates(configuration),
    };
  }

  /** Operations that change no state and are allowed here come at once. */
  #takeReads(given: Configuration): { configuration: Configuration; taken: number[] } {
    const places = [...given.places];
    const taken: number[] = [];
    for (const [i, lane] of this.#lanes.entries())
      while (places[i] < lane.length) {
        const { own, letter, machine } = this.#letterOf(lane[places[i]]);
        if (!machine.isReadOnly(letter) || machine.step(given.state[own], letter) !== given.state[own]) break;
        taken.push(lane[places[i]++]);
      }
    return { configuration: { ...given, places }, taken };
  }

  /** Operations that may be next, the best one last: pending ones, then those of the lanes from the last call to the first. */
  #candidates({ places, taken }: Configuration): number[] {
    const pending: number[] = [];
    for (const [k, { lane, place }] of this.#pending)
      if (!taken.has(k) && (lane < 0 || places[lane] >= place)) pending.push(k);
    const next: number[] = [];
    for (const [i, lane] of this.#lanes.entries()) if (places[i] < lane.length) next.push(lane[places[i]]);
    return [...pending.reverse(), ...next.sort((a, b) => b - a)];
  }

  /** The configuration after an operation; undefined if its spec does not allow it. */
  #take({ places, state, taken }: Configuration, k: number): Configuration | undefined {
    const { own, letter, machine } = this.#letterOf(k);
    const next = machine.step(state[own], letter);
    if (next === DEAD) return undefined;
    const lane = this.#laneOf[k];
    return {
      places: lane < 0 ? places : places.with(lane, places[lane] + 1),
      state: state.with(own, next),
      taken: lane < 0 ? new Set([...taken, k]) : taken,
    };
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

const lanesByProcess = ({ columns }: History, lanes: readonly Lane[]): Map<number, number> =>
  new Map(lanes.map(([first], i) => [columns.process[first], i]));

/** How many operations of a lane were called before a moment. */
function calledBefore(lane: Lane, call: Int32Array, moment: number): number {
  let [low, high] = [0, lane.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (call[lane[middle]] < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same operations, all of which overlap, with the order of each process as `after` edges. */
function inProcessOrder(history: History, lanes: readonly Lane[]): History {
  const { columns, tables } = history;
  const returned = Array.from(columns.return.keys()).filter((k) => columns.return[k] !== NEVER);
  const edges = columns.return.length;
  const before = new Map<number, number>();
  for (const lane of lanes) for (let i = 1; i < lane.length; i++) before.set(lane[i], lane[i - 1]);
  const laneOfProcess = lanesByProcess(history, lanes);
  for (let k = 0; k < edges; k++)
    if (columns.return[k] === NEVER) {
      const lane = lanes[laneOfProcess.get(columns.process[k]) ?? -1] ?? [];
      const place = calledBefore(lane, columns.call, columns.call[k]);
      if (place > 0) before.set(k, lane[place - 1]);
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
