/** What happened to one object whose calls meet, and its machine. */
import type { History } from '../../history/index.js';
import { SyncMachine, type SyncSpec } from '../../spec/index.js';
import type { ObjectHistory } from '../parts.js';
import type { PartCut } from '../verdict.js';

export class SyncPart {
  readonly name: string;
  /** What happened, or may have. */
  readonly history: History;
  readonly cuts: readonly PartCut[];
  readonly spec: SyncSpec;
  readonly machine: SyncMachine;

  constructor({ name, history, cuts }: ObjectHistory, spec: SyncSpec) {
    this.name = name ?? '';
    this.history = history.happened();
    this.cuts = cuts;
    this.spec = spec;
    this.machine = new SyncMachine(history, spec);
  }

  /** Positions as ids. */
  ids(positions: Iterable<number>): number[] {
    const { id } = this.history.columns;
    return Array.from(positions, (k) => id[k]);
  }
}
