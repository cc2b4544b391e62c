/**
 * The register and map monitor: decides registers and maps in linear time.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM J. Comput. 26(4), 1997 (zones).
 *
 *   operations   what each operation does to which cell
 *   writers      which operation wrote the value that it saw
 *   clusters     operations that are adjacent in every linearization
 *   zones        whether clusters can be ordered
 *
 * A history is linearizable exactly when each value that was seen was written, no value was swapped twice, each
 * cluster agrees with real time, and the clusters can be ordered. Pending operations took effect if another operation
 * saw their value; otherwise they are omitted.
 *
 * Two results say less than a value: a failed compare-and-swap, and `remove` → true. If there are some, the
 * linearization found must fit them too; otherwise the monitor declines.
 *
 * Cost: O(n).
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

/** Bytes per operation: clusters, places and the order. */
const BYTES = 110;
/**
 * Of a much longer history, prefixes of these lengths are read first: they usually show whether values repeat too
 * often.
 */
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
    return 'the family of the spec does not give the initial value';
  for (const few of PREFIX_LENGTHS) {
    const unclear = 5 * few <= history.length ? readPrefix(history, few, spec, actsOf) : undefined;
    if (unclear) return unclear;
  }
  const acts = actsOf(history, spec);
  if (typeof acts === 'string') return acts;
  const writers = Writers.of(acts);
  if (typeof writers === 'string') return writers;
  const size = { bytes: BYTES * history.length, parts: acts.cells };
  if (!acts.role.some((role) => role === DIFFERS || role === TAKE))
    return { ...size, decide: () => decide(writers) };
  const result = decide(writers);
  if (result.kind === 'linearizable' && !isAccepted(result.witness, acts))
    return 'the linearization found does not fit a failed compare-and-swap or a removal';
  return { ...size, decide: () => result };
}

/**
 * Why the monitor declines a prefix, if that holds for the whole history: the writer of a value depends only on
 * operations called before the reader returned. (Not for a cell that returns to its initial value, which may turn out
 * to be recurring.)
 */
function readPrefix(
  history: History,
  few: number,
  spec: Spec,
  actsOf: (history: History, spec: Spec) => Acts | string,
): string | undefined {
  const acts = actsOf(history.prefix(history.columns.call[few]), spec);
  if (typeof acts === 'string') return acts;
  const writers = acts.made.includes(acts.initial) ? undefined : Writers.of(acts);
  return typeof writers === 'string' ? writers : undefined;
}

function decide(writers: Writers): MonitorResult {
  const clusters = new Clusters(writers);
  const place = clusters.isWhole ? placeClusters(clusters) : undefined;
  if (!(place instanceof Int32Array)) return cellContradiction(clusters, place);
  const found = cellOrder(clusters, place);
  return linearizable(placeFailedCas(writers.acts, found) ?? found.order);
}

/** Whether each result is correct along an order. */
function isAccepted(order: Int32Array, acts: Acts): boolean {
  const step = cellModel(acts);
  let differing = 0;
  for (let i = 0; i < order.length; i++) {
    if (!step(order[i])) return false;
    if (acts.role[order[i]] === DIFFERS) differing++;
  }
  return differing === acts.role.reduce((sum, role) => sum + (role === DIFFERS ? 1 : 0), 0);
}
