/**
 * Is there an order of all that has happened so far? Decided for any spec, at each event, by all
 * configurations in which an order of the past may have left the object.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take
 *   effect just in time, when one has to return. Here breadth first, one return after
 *   another, and results are not known before they return (candidate.ts).
 *
 * A configuration is a state and, for each open operation, a mark that tells whether it
 * has taken effect. Nothing else of the past matters, so nothing else is kept.
 *
 *   event      configurations
 *   call       each gets a mark for the operation: not yet
 *   return     those in which it has had this outcome go on; from the others, and unless it only reads
 *              from these too, open operations take effect one after another until it has
 *   failed     those in which it has taken effect are dropped
 *   unknown    it is open for ever, and to have used it is never better than not to: of two that
 *              differ only in what they used, the one that used less goes on
 *
 * Invariant: an order of the past that can be continued can be continued from one of the
 * configurations. None left: no order.
 *
 * Cost: O(configurations · open operations) a return. Memory: the configurations.
 */
import { hasBit, setBit } from '../../base/collections/ints.js';
import type { RecordSet } from '../../base/collections/record-set.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError } from '../../spec/spec.js';
import { Candidate } from './candidate.js';
import { ConfigurationTable } from './configuration-table.js';
import type { OnlineOperation } from './operation.js';
import type { Steps } from './steps.js';

/** More configurations than there may be. */
export class ConfigurationLimitExceeded extends Error {
  readonly reason: 'configurations' | 'memory';
  constructor(reason: ConfigurationLimitExceeded['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** What is found; undefined if there were too many for that. */
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

/** No order gets past this end; the outcomes that would have had one. */
export interface NoConfiguration {
  readonly allowed: readonly Outcome[];
}

export class Configurations {
  readonly #steps: Steps;
  readonly #limits: ConfigurationLimits;
  /** Slot to the operation that has it while it is open. */
  readonly #open: (Candidate | undefined)[] = [];
  readonly #slotOf = new Map<OnlineOperation, number>();
  /** Bit to an operation whose caller gave up, and to an equal one before it, or -1: that goes first. */
  readonly #unknown: Candidate[] = [];
  readonly #twin: number[] = [];
  readonly #table: ConfigurationTable;

  constructor(steps: Steps, state: number, limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#limits = limits;
    this.#table = new ConfigurationTable(state);
  }

  get size(): number {
    return this.#table.size;
  }

  /** Does nothing tell it from an object that was never called? */
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

  /** An operation has ended, as its outcome says. */
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

  /** The states that configurations stand in. */
  *states(): Generator<number> {
    for (let at = 0; at < this.#table.size * this.#table.width; at += this.#table.width)
      yield this.#table.cells[at];
  }

  /** The states have new numbers. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    this.#table.each((at) => {
      this.#table.cells[at] = numbers.get(this.#table.cells[at]) as number;
    });
    for (const candidate of this.#open) candidate?.forgetStates();
    for (const candidate of this.#unknown) candidate.forgetStates();
  }

  /** It did not happen after all. */
  #drop(slot: number): NoConfiguration | undefined {
    const left = this.#table.records();
    this.#table.each((at) => {
      if ((this.#table.cells[at + 1 + slot] & 1) === 0) this.#table.keep(left, this.#table.cells, at, slot);
    });
    if (left.size === 0) return { allowed: [] };
    this.#table.take(left);
    return undefined;
  }

  /** Nobody will ever know: its mark becomes a bit. */
  #giveUp(slot: number): void {
    const candidate = this.#open[slot] as Candidate;
    const { method, args, outcome } = candidate.operation;
    if (this.#steps.isReadOnly(method, args, outcome)) {
      this.#drop(slot);
      return;
    }
    const bit = this.#unknown.push(candidate) - 1;
    const twin = this.#twinOf(candidate, bit);
    this.#twin.push(twin);
    if (bit >= 32 * this.#table.words) this.#table.layOut(this.#table.slots, this.#table.words + 1);
    const used = new Int32Array(this.#table.words);
    this.#table.each((at) => {
      const words = at + 1 + this.#table.slots;
      if ((this.#table.cells[at + 1 + slot] & 1) === 1) {
        used.set(this.#table.cells.subarray(words, words + this.#table.words));
        // equal ones are used in turn, whichever it was
        let first = bit;
        for (let other = twin; other >= 0 && !hasBit(used, 0, other); other = this.#twin[other])
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

  #twinOf({ operation: { method, args } }: Candidate, bit: number): number {
    const keyOf = (own: readonly unknown[]): unknown => this.#steps.values.keyOf(own);
    for (let other = bit - 1; other >= 0; other--) {
      const { operation } = this.#unknown[other];
      if (operation.method === method && keyOf(operation.args) === keyOf(args)) return other;
    }
    return -1;
  }

  /** It returned or threw: lets open operations take effect until it has had this outcome. */
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

  /** Each operation that is open takes effect in turn; the one that returns only with the outcome it had. */
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
      const twin = this.#twin[bit];
      if (hasBit(seen.records, at + used, bit) || (twin >= 0 && !hasBit(seen.records, at + used, twin)))
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

  /** The drafted configuration comes to a state, where operations that have not taken effect may see more. */
  #enter(seen: RecordSet, draft: number, state: number): void {
    seen.records[draft] = state;
    for (let slot = 0; slot < this.#open.length; slot++) {
      const mark = seen.records[draft + 1 + slot];
      if ((mark & 1) === 0) seen.records[draft + 1 + slot] = this.#open[slot]?.markIn(state, mark) ?? 0;
    }
    seen.add();
  }

  /** All outcomes that the operation could have had, in any of the configurations. */
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
