/**
 * Configurations of an object of any spec: decides at every event whether the past is linearizable.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when
 *   one has to return. Here breadth first, return by return, and results are unknown before the return
 *   (configuration-rows.ts).
 *
 * A configuration is a state and, for each open operation, a mark: whether it has taken effect. Nothing else of the
 * past matters, so nothing else is kept.
 *
 *   event      configurations
 *   call       each gets a mark for the operation: no effect yet
 *   return     those in which it has had this outcome continue; from the others (and from these too, unless the
 *              operation is read-only), open operations take effect in sequence until it has
 *   failed     those in which it has taken effect are dropped
 *   unknown    it stays open forever. To have used it is never better than not to have: of two configurations that
 *              differ only in what they used, the one that used less continues
 *
 * Invariant: a linearization of the past that can be continued can be continued from one of the configurations. If
 * none is left, the history is not linearizable.
 *
 * Cost: O(configurations · open operations) per return. Memory: the configurations.
 */
import { hasBit, setBit } from '../../base/collections/ints.js';
import type { RecordSet } from '../../base/collections/record-set.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError } from '../../spec/spec.js';
import { Candidate, ConfigurationTable } from './configuration-rows.js';
import type { OnlineOperation, Steps } from './steps.js';

/** There are more configurations than the limit allows. */
export class ConfigurationLimitExceeded extends Error {
  readonly reason: 'configurations' | 'memory';
  constructor(reason: ConfigurationLimitExceeded['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** The result of a function; undefined if it exceeds the limit. */
export function unlessLimitExceeded<F>(find: () => F): F | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof ConfigurationLimitExceeded)) throw error;
    return undefined;
  }
}

export interface ConfigurationLimits {
  readonly configurations: number;
  readonly bytes: number;
}

/** No linearization includes this end; these outcomes would have had one. */
export interface NoConfiguration {
  readonly allowed: readonly Outcome[];
}

export class Configurations {
  readonly #steps: Steps;
  readonly #limits: ConfigurationLimits;
  /** For each slot, the open operation that uses it. */
  readonly #open: (Candidate | undefined)[] = [];
  readonly #slotOf = new Map<OnlineOperation, number>();
  /** For each bit, an operation of unknown outcome, and an equal one that takes effect before it, or -1. */
  readonly #unknown: Candidate[] = [];
  readonly #equalBefore: number[] = [];
  readonly #table: ConfigurationTable;

  constructor(steps: Steps, state: number, limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#limits = limits;
    this.#table = new ConfigurationTable(state);
  }

  get size(): number {
    return this.#table.size;
  }

  /** Whether it is indistinguishable from an object that was never called. */
  get isInitial(): boolean {
    return this.#table.width === 1 && this.#table.size === 1 && this.#table.cells[0] === this.#steps.initial;
  }

  call(operation: OnlineOperation): void {
    const candidate = new Candidate(operation, this.#steps);
    let slot = this.#open.indexOf(undefined);
    if (slot < 0) slot = this.#open.length;
    if (slot >= this.#table.slots) this.#table.layOut(Math.max(2, 2 * this.#table.slots), this.#table.words);
    this.#open[slot] = candidate;
    this.#slotOf.set(operation, slot);
    this.#table.each((at) => {
      this.#table.cells[at + 1 + slot] = candidate.markIn(this.#table.cells[at], 0);
    });
  }

  /** Ends an operation with its outcome. */
  end(operation: OnlineOperation): NoConfiguration | undefined {
    const slot = this.#slotOf.get(operation) as number;
    const { outcome } = operation;
    let refusal: NoConfiguration | undefined;
    if (outcome.kind === 'failed') refusal = this.#drop(slot);
    else if (outcome.kind === 'pending') this.#giveUp(slot);
    else refusal = this.#return(slot, outcome);
    this.#open[slot] = undefined;
    this.#slotOf.delete(operation);
    if (this.#slotOf.size === 0) {
      this.#open.length = 0;
      this.#table.layOut(0, this.#table.words);
    }
    return refusal;
  }

  /** The states of all configurations. */
  *states(): Generator<number> {
    for (let at = 0; at < this.#table.size * this.#table.width; at += this.#table.width)
      yield this.#table.cells[at];
  }

  /** Renumbers the states. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    this.#table.each((at) => {
      this.#table.cells[at] = numbers.get(this.#table.cells[at]) as number;
    });
    for (const candidate of this.#open) candidate?.forgetStates();
    for (const candidate of this.#unknown) candidate.forgetStates();
  }

  /** Ends an operation without effect. */
  #drop(slot: number): NoConfiguration | undefined {
    const left = this.#table.records();
    this.#table.each((at) => {
      if ((this.#table.cells[at + 1 + slot] & 1) === 0) this.#table.keep(left, this.#table.cells, at, slot);
    });
    if (left.size === 0) return { allowed: [] };
    this.#table.take(left);
    return undefined;
  }

  /** Ends an operation with unknown outcome: its mark becomes a bit. */
  #giveUp(slot: number): void {
    const candidate = this.#open[slot] as Candidate;
    const { method, args, outcome } = candidate.operation;
    if (this.#steps.isReadOnly(method, args, outcome)) {
      this.#drop(slot);
      return;
    }
    const bit = this.#unknown.push(candidate) - 1;
    const equal = this.#equalOf(candidate, bit);
    this.#equalBefore.push(equal);
    if (bit >= 32 * this.#table.words) this.#table.layOut(this.#table.slots, this.#table.words + 1);
    const used = new Int32Array(this.#table.words);
    this.#table.each((at) => {
      const words = at + 1 + this.#table.slots;
      if ((this.#table.cells[at + 1 + slot] & 1) === 1) {
        used.set(this.#table.cells.subarray(words, words + this.#table.words));
        // equal operations are used in sequence, whichever of them it was
        let first = bit;
        for (let other = equal; other >= 0 && !hasBit(used, 0, other); other = this.#equalBefore[other])
          first = other;
        setBit(used, first);
        this.#table.cells.set(used, words);
      }
      this.#table.cells[at + 1 + slot] = 0;
    });
    const left = this.#table.records();
    this.#table.each((at) => this.#table.keep(left, this.#table.cells, at, slot));
    this.#table.take(left);
  }

  /** The last earlier operation of unknown outcome with the same method and arguments, as a bit; or -1. */
  #equalOf({ operation: { method, args } }: Candidate, bit: number): number {
    const keyOf = (own: readonly unknown[]): unknown => this.#steps.values.keyOf(own);
    for (let other = bit - 1; other >= 0; other--) {
      const { operation } = this.#unknown[other];
      if (operation.method === method && keyOf(operation.args) === keyOf(args)) return other;
    }
    return -1;
  }

  /** Ends an operation that returned or threw: open operations take effect until it has had this outcome. */
  #return(slot: number, outcome: Outcome): NoConfiguration | undefined {
    const candidate = this.#open[slot] as Candidate;
    const { method, args } = candidate.operation;
    const wanted = candidate.numberOf(outcome);
    const isReadOnly = this.#steps.isReadOnly(method, args, outcome);
    const seen = this.#table.records();
    const onward = this.#table.records();
    this.#table.each((at) => this.#table.keep(seen, this.#table.cells, at, -1));
    for (let record = 0; record < seen.size; record++) {
      const at = record * seen.width + 1;
      const mark = seen.records[at + 1 + slot];
      const hasReturned = mark & 1 ? mark >> 1 === wanted : candidate.seenBy(mark).includes(wanted);
      if (hasReturned) this.#table.keep(onward, seen.records, at, slot);
      if (mark & 1 || (hasReturned && isReadOnly)) continue;
      this.#expand(seen, at, slot, wanted, isReadOnly);
      this.#checkLimits(seen, onward);
    }
    if (onward.size === 0) return { allowed: this.#allowed(seen, slot) };
    this.#table.take(onward);
    return undefined;
  }

  /** Lets each open operation take effect; the one that returns only with its outcome. */
  #expand(seen: RecordSet, at: number, must: number, wanted: number, isReadOnly: boolean): void {
    const state = seen.records[at];
    for (let slot = 0; slot < this.#open.length; slot++) {
      const candidate = this.#open[slot];
      if (!candidate || seen.records[at + 1 + slot] & 1) continue;
      for (const { next, outcome } of candidate.effectsIn(state).changes) {
        if (slot === must && outcome !== wanted) continue;
        if (slot === must && isReadOnly)
          throw new SpecError(
            `spec ${this.#steps.spec.name}: ${candidate.operation.method} is declared readOnly with this outcome, but changes the state`,
          );
        const draft = this.#draftOf(seen, at);
        seen.records[draft + 1 + slot] = 2 * outcome + 1;
        this.#enter(seen, draft, next);
      }
    }
    const used = 1 + this.#table.slots;
    for (let bit = 0; bit < this.#unknown.length; bit++) {
      const equal = this.#equalBefore[bit];
      if (hasBit(seen.records, at + used, bit) || (equal >= 0 && !hasBit(seen.records, at + used, equal)))
        continue;
      for (const { next } of this.#unknown[bit].effectsIn(state).changes) {
        const draft = this.#draftOf(seen, at);
        seen.records[draft + used + (bit >> 5)] |= 1 << (bit & 31);
        this.#enter(seen, draft, next);
      }
    }
  }

  #draftOf(seen: RecordSet, at: number): number {
    const draft = seen.draft();
    seen.records.copyWithin(draft, at - 1, at - 1 + seen.width);
    return draft + 1;
  }

  /** Moves the drafted configuration to a state, in which operations without effect may see more outcomes. */
  #enter(seen: RecordSet, draft: number, state: number): void {
    seen.records[draft] = state;
    for (let slot = 0; slot < this.#open.length; slot++) {
      const mark = seen.records[draft + 1 + slot];
      if ((mark & 1) === 0) seen.records[draft + 1 + slot] = this.#open[slot]?.markIn(state, mark) ?? 0;
    }
    seen.add();
  }

  /** All outcomes that the operation could have had in any configuration. */
  #allowed(seen: RecordSet, slot: number): Outcome[] {
    const candidate = this.#open[slot] as Candidate;
    const allowed = new Set<number>();
    for (let record = 0; record < seen.size; record++) {
      const at = record * seen.width + 1;
      const mark = seen.records[at + 1 + slot];
      if (mark & 1) allowed.add(mark >> 1);
      else {
        for (const outcome of candidate.seenBy(mark)) allowed.add(outcome);
        for (const { outcome } of candidate.effectsIn(seen.records[at]).changes) allowed.add(outcome);
      }
    }
    return Array.from(allowed, (outcome) => candidate.outcomes[outcome]);
  }

  #checkLimits(seen: RecordSet, onward: RecordSet): void {
    if (seen.size > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
    let bytes = seen.bytes + onward.bytes + this.#steps.bytes;
    for (const candidate of this.#open) bytes += candidate?.bytes ?? 0;
    for (const candidate of this.#unknown) bytes += candidate.bytes;
    if (bytes > this.#limits.bytes) throw new ConfigurationLimitExceeded('memory');
  }
}
