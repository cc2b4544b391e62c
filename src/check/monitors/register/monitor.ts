/**
 * Registers and maps, in linear time: is there an order in which each read sees what was written last?
 *
 *   acts         what each operation does to which cell
 *   sources      who made the value that it saw
 *   runs         what stands together in every order
 *   zones        whether runs fit behind each other
 *
 * There is an order exactly when what was seen was made, nobody swapped what another had swapped, each run agrees with
 * real time, and runs fit. Calls that never returned took effect if somebody saw that; else they can be left out.
 *
 * Two answers say less than a value: a failed compare-and-swap, and `remove` → true. Where there are some, the
 * order found has to suit them too, or this is beyond the monitor. Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable } from '../../model/verdict.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import { Clusters, placeClusters } from './clusters.js';
import { cellContradiction } from './contradiction.js';
import { placeFailedCas } from './failed-cas.js';
import { mapActs } from './map-operations.js';
import { type Acts, DIFFERS, registerActs, TAKE } from './operations.js';
import { cellModel, cellOrder } from './order.js';
import { Writers } from './writers.js';

/** Bytes an operation: runs, places and the order. */
const BYTES = 110;
/** Of a much longer history, so many operations are looked at first: mostly they tell whether values repeat too often. */
const PREFIX_LENGTHS = [500, 5_000];

export const registerMonitor: Monitor = {
  name: 'register monitor',
  read: (history, spec) => read(history, spec, registerActs),
};

export const mapMonitor: Monitor = {
  name: 'map monitor',
  read: (history, spec) => read(history, spec, mapActs),
};

function read(
  history: History,
  spec: Spec,
  actsOf: (history: History, spec: Spec) => Acts | string,
): Reading | string {
  if (!spec.family || !Object.hasOwn(spec.family, 'initial'))
    return 'the family of the spec does not tell what is there at first';
  for (const few of PREFIX_LENGTHS) {
    const unclear = 5 * few <= history.length ? readPrefix(history, few, spec, actsOf) : undefined;
    if (unclear) return unclear;
  }
  const acts = actsOf(history, spec);
  if (typeof acts === 'string') return acts;
  const sources = Writers.of(acts);
  if (typeof sources === 'string') return sources;
  const model = (): ReturnType<typeof cellModel> => cellModel(acts);
  const size = { bytes: BYTES * history.length, parts: acts.cells };
  if (!acts.role.some((role) => role === DIFFERS || role === TAKE))
    return { ...size, decide: () => decide(sources), model };
  const ruling = decide(sources);
  if (ruling.kind === 'linearizable' && !isAccepted(ruling.witness, acts))
    return 'answers that tell only that another value was there: a failed compare-and-swap, or a removal';
  return { ...size, decide: () => ruling, model };
}

/**
 * What is in the way of the first operations, if that is in the way of all: which write an operation saw depends only on
 * what was called before it returned. (Not where a cell comes back to what it held at first: it may turn out to be a hub.)
 */
function readPrefix(
  history: History,
  few: number,
  spec: Spec,
  actsOf: (history: History, spec: Spec) => Acts | string,
): string | undefined {
  const acts = actsOf(history.prefix(history.columns.call[few]), spec);
  if (typeof acts === 'string') return acts;
  const sources = acts.made.includes(acts.initial) ? undefined : Writers.of(acts);
  return typeof sources === 'string' ? sources : undefined;
}

function decide(sources: Writers): MonitorResult {
  const runs = new Clusters(sources);
  const place = runs.isWhole ? placeClusters(runs) : undefined;
  if (!(place instanceof Int32Array)) return cellContradiction(runs, place);
  const found = cellOrder(runs, place);
  return linearizable(placeFailedCas(sources.acts, found) ?? found.order);
}

/** Is each answer right along an order? */
function isAccepted(order: Int32Array, acts: Acts): boolean {
  const step = cellModel(acts);
  let differing = 0;
  for (let i = 0; i < order.length; i++) {
    if (!step(order[i])) return false;
    if (acts.role[order[i]] === DIFFERS) differing++;
  }
  return differing === acts.role.reduce((sum, role) => sum + (role === DIFFERS ? 1 : 0), 0);
}
