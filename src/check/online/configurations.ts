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
import { hasBit, RecordSet, setBit } from '../../base/index.js';
import type { Outcome } from '../../history/index.js';
import { SpecError } from '../../spec/index.js';
import { Candidate } from './candidate.js';
import type { OnlineOperation } from './operation.js';
import type { Steps } from './steps.js';

/** More configurations than there may be. */
export class TooMany extends Error {
  readonly because: 'configurations' | 'memory';
  constructor(because: TooMany['because']) {
    super(because);
    this.because = because;
  }
}

export interface ConfigurationLimits {
  readonly configurations: number;
  readonly bytes: number;
}

/** No order gets past this end; the outcomes that would have had one. */
export interface Refusal {
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
  /** One behind another: state, a mark for each slot, words with a bit for each unknown operation used. */
  #table: Int32Array;
  #size = 1;
  #slots = 0;
  #words = 0;

  constructor(steps: Steps, state: number, limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#limits = limits;
    this.#table = Int32Array.of(state);
  }

  get size(): number {
    return this.#size;
  }

  /** Does nothing tell it from an object that was never called? */
  get isInitial(): boolean {
    return this.#width === 1 && this.#size === 1 && this.#table[0] === this.#steps.initial;
  }

  call(operation: OnlineOperation): void {
    const candidate = new Candidate(operation, this.#steps);
    let slot = this.#open.indexOf(undefined);
    if (slot < 0) slot = this.#open.length;
    if (slot >= this.#slots) this.#layOut(Math.max(2, 2 * this.#slots), this.#words);
    this.#open[slot] = candidate;
    this.#slotOf.set(operation, slot);
    for (let at = 0; at < this.#size * this.#width; at += this.#width)
      this.#table[at + 1 + slot] = candidate.markIn(this.#table[at], 0);
  }

  /** An operation has ended, as its outcome says. */
  end(operation: OnlineOperation): Refusal | undefined {
    const slot = this.#slotOf.get(operation) as number;
    const { outcome } = operation;
    let refusal: Refusal | undefined;
    if (outcome.kind === 'failed') refusal = this.#drop(slot);
    else if (outcome.kind === 'pending') this.#giveUp(slot);
    else refusal = this.#return(slot, outcome);
    this.#open[slot] = undefined;
    this.#slotOf.delete(operation);
    if (this.#slotOf.size === 0) {
      this.#open.length = 0;
      this.#layOut(0, this.#words);
    }
    return refusal;
  }

  /** The states that configurations stand in. */
  *states(): Generator<number> {
    for (let at = 0; at < this.#size * this.#width; at += this.#width) yield this.#table[at];
  }

  /** The states have new numbers. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    for (let at = 0; at < this.#size * this.#width; at += this.#width)
      this.#table[at] = numbers.get(this.#table[at]) as number;
    for (const candidate of this.#open) candidate?.forgetStates();
    for (const candidate of this.#unknown) candidate.forgetStates();
  }

  get #width(): number {
    return 1 + this.#slots + this.#words;
  }

  /** It did not happen after all. */
  #drop(slot: number): Refusal | undefined {
    const left = this.#records();
    this.#eachConfiguration((at) => {
      if ((this.#table[at + 1 + slot] & 1) === 0) this.#keep(left, this.#table, at, slot);
    });
    if (left.size === 0) return { allowed: [] };
    this.#take(left);
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
    if (bit >= 32 * this.#words) this.#layOut(this.#slots, this.#words + 1);
    const used = new Int32Array(this.#words);
    this.#eachConfiguration((at) => {
      const words = at + 1 + this.#slots;
      if ((this.#table[at + 1 + slot] & 1) === 1) {
        used.set(this.#table.subarray(words, words + this.#words));
        // equal ones are used in turn, whichever it was
        let first = bit;
        for (let other = twin; other >= 0 && !hasBit(used, 0, other); other = this.#twin[other])
          first = other;
        setBit(used, first);
        this.#table.set(used, words);
      }
      this.#table[at + 1 + slot] = 0;
    });
    const left = this.#records();
    this.#eachConfiguration((at) => this.#keep(left, this.#table, at, slot));
    this.#take(left);
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
  #return(slot: number, outcome: Outcome): Refusal | undefined {
    const candidate = this.#open[slot] as Candidate;
    const { method, args } = candidate.operation;
    const wanted = candidate.numberOf(outcome);
    const isReadOnly = this.#steps.isReadOnly(method, args, outcome);
    const seen = this.#records();
    const onward = this.#records();
    this.#eachConfiguration((at) => this.#keep(seen, this.#table, at, -1));
    for (let record = 0; record < seen.size; record++) {
      const at = record * seen.width + 1;
      const mark = seen.records[at + 1 + slot];
      const hasReturned = mark & 1 ? mark >> 1 === wanted : candidate.seenBy(mark).includes(wanted);
      if (hasReturned) this.#keep(onward, seen.records, at, slot);
      if (mark & 1 || (hasReturned && isReadOnly)) continue;
      this.#expand(seen, at, slot, wanted, isReadOnly);
      this.#checkLimits(seen, onward);
    }
    if (onward.size === 0) return { allowed: this.#allowed(seen, slot) };
    this.#take(onward);
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
    const used = 1 + this.#slots;
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

  #eachConfiguration(look: (at: number) => void): void {
    for (let at = 0; at < this.#size * this.#width; at += this.#width) look(at);
  }

  /** An empty set of configurations as they are laid out now. */
  #records(): RecordSet {
    return new RecordSet(1 + this.#width, 1, { room: Math.max(4, this.#size), bits: this.#words });
  }

  /** Adds a configuration to a set, without the mark of a slot. */
  #keep(set: RecordSet, from: Int32Array, at: number, slot: number): void {
    const draft = set.draft();
    set.records[draft] = 0;
    for (let i = 0; i < this.#width; i++) set.records[draft + 1 + i] = from[at + i];
    if (slot >= 0) set.records[draft + 2 + slot] = 0;
    set.add();
  }

  /** These are the configurations from now on; of those that differ in what they used, only the best. */
  #take(set: RecordSet): void {
    const width = this.#width;
    const rows = Array.from({ length: set.size }, (_, record) => record * set.width + 1);
    if (this.#words > 0) rows.sort((a, b) => this.#usedIn(set.records, a) - this.#usedIn(set.records, b));
    const best = this.#words > 0 ? this.#records() : set;
    if (best !== set) for (const at of rows) this.#keep(best, set.records, at, -1);
    this.#table = new Int32Array(best.size * width);
    this.#size = best.size;
    for (let record = 0; record < best.size; record++) {
      const at = record * best.width + 1;
      this.#table.set(best.records.subarray(at, at + width), record * width);
    }
  }

  /** How many operations whose callers gave up have been used. */
  #usedIn(records: Int32Array, at: number): number {
    let used = 0;
    for (let word = 0; word < this.#words; word++)
      for (let left = records[at + 1 + this.#slots + word]; left !== 0; left &= left - 1) used++;
    return used;
  }

  #checkLimits(seen: RecordSet, onward: RecordSet): void {
    if (seen.size > this.#limits.configurations) throw new TooMany('configurations');
    let bytes = seen.bytes + onward.bytes + this.#steps.bytes;
    for (const candidate of this.#open) bytes += candidate?.bytes ?? 0;
    for (const candidate of this.#unknown) bytes += candidate.bytes;
    if (bytes > this.#limits.bytes) throw new TooMany('memory');
  }

  /** Room for so many slots and words; what there is moves. */
  #layOut(slots: number, words: number): void {
    const table = new Int32Array(this.#size * (1 + slots + words));
    for (let configuration = 0; configuration < this.#size; configuration++) {
      const from = configuration * this.#width;
      const to = configuration * (1 + slots + words);
      for (let i = 0; i <= Math.min(slots, this.#slots); i++) table[to + i] = this.#table[from + i];
      for (let word = 0; word < this.#words; word++)
        table[to + 1 + slots + word] = this.#table[from + 1 + this.#slots + word];
    }
    this.#table = table;
    this.#slots = slots;
    this.#words = words;
  }
}
