/** The history of one rendezvous object, and its machine. */
import type { History } from '../../../history/history.js';
import { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import type { SyncSpec } from '../../../spec/rendezvous/sync-spec.js';
import type { PartCut } from '../../model/verdict.js';
import type { ObjectHistory } from '../../parts/parts.js';

export class RendezvousPart {
  readonly name: string;
  /** The operations that took effect, or may have. */
  readonly history: History;
  readonly cuts: readonly PartCut[];
  readonly spec: SyncSpec;
  readonly machine: SyncMachine;

  constructor({ name, history, cuts }: ObjectHistory, spec: SyncSpec) {
    this.name = name ?? '';
    this.history = history.withoutFailed();
    this.cuts = cuts;
    this.spec = spec;
    this.machine = new SyncMachine(history, spec);
  }

  /** The same object with a cut of its history; `changed`: with another outcome of an operation. */
  cut(history: History, changed = false): RendezvousPart {
    const machine = changed ? new SyncMachine(history, this.spec) : this.machine;
    return Object.assign(Object.create(RendezvousPart.prototype) as RendezvousPart, {
      ...this,
      history,
      machine,
    });
  }

  /** Positions as ids. */
  ids(positions: Iterable<number>): number[] {
    const { id } = this.history.columns;
    return Array.from(positions, (k) => id[k]);
  }
}
