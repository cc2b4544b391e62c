/**
 * Gate 4: a cause becomes verified evidence.
 *
 * The operations that it names are looked at again, without the monitor: only calls, returns and values.
 * Each family has a routine of its own, which knows one argument: why these few operations have no order.
 */
import type { History } from '../../history/history.js';
import type { Spec } from '../../spec/spec.js';
import type { FamilyCause } from '../model/monitor-causes.js';
import { confirmContainer } from './container/container-evidence.js';
import { Evidence } from './container/evidence.js';
import { areStays } from './container/interval-evidence.js';
import { confirmSum } from './counting/sum-evidence.js';
import { Repeated } from './duplicates/duplicates.js';
import { confirmTurns } from './owned-mutex/evidence.js';
import { confirmPriorityQueue } from './priority-queue/evidence.js';
import { confirmQueue } from './queue/evidence.js';
import { confirmCell } from './register/evidence.js';
import { monitorOf } from './registry.js';
import { confirmStack } from './stack/evidence.js';

/** Do operations of this history contradict each other as the cause says? */
export function confirm(history: History, spec: Spec, cause: FamilyCause): boolean {
  const happened = history.happened();
  if (isConfirmed(happened, spec, cause)) return true;
  const monitor = monitorOf(spec);
  if (!monitor?.leaves) return false;
  const { clear } = new Repeated(happened, spec, monitor);
  return isConfirmed(clear.history, spec, clear.asRenamed(cause));
}

function isConfirmed(history: History, spec: Spec, cause: FamilyCause): boolean {
  const evidence = new Evidence(history, spec);
  if (!areStays(evidence, cause)) return false;
  switch (cause.kind) {
    case 'overtaken':
    case 'two at the front':
      return confirmQueue(evidence, cause);
    case 'overlap':
    case 'backwards':
    case 'unreached':
      return confirmSum(history, spec, cause);
    case 'two holders':
    case 'not held':
    case 'surely held':
    case 'surely free':
      return confirmTurns(history, spec, cause);
    case 'never written':
    case 'swapped twice':
    case 'out of turn':
    case 'in turns':
      return confirmCell(history, spec, cause);
    case 'tangled':
      return confirmStack(evidence, cause);
    case 'not the first':
      return confirmPriorityQueue(evidence, cause);
    default:
      return confirmContainer(evidence, cause);
  }
}
