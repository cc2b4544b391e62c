/**
 * An online monitor of stateless objects whose calls synchronise in pairs: exact at every event.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.3: a matching.
 *
 * A history is correct exactly when each returned call has a partner of its own among the calls that overlap it, or
 * may take effect alone. A call that is still open may be the partner of any call that it fits, because its result is
 * unknown. When a call returns, its class is what the spec's `pairs` say, and it takes
 *
 *   a returned call that waits for a partner and has the class of its partner: of those the first that returned
 *   else a returned call that may be alone and has the class of its partner: again the first
 *   else, if it may be alone itself, none: it is kept as long as an open call can be its partner
 *   else an open call; a call that competes for the same one must have another
 *
 * To take a returned call is never worse: it frees two open calls, which can still synchronise with each other. To
 * take the first is never worse: calls of one class differ only in time, and a call that returned later overlaps all
 * open calls that the first overlaps. So pairs of returned calls are complete and are dropped.
 *
 * Memory: the open calls, and as many returned ones; and calls that may be alone, while a possible partner is open.
 */
import { show } from '../../base/values/show.js';
import { EventError } from '../../history/model/operation.js';
import { RendezvousSpace } from '../../spec/rendezvous/sync-machine.js';
import {
  type AnySpec,
  isSyncSpec,
  methodNames,
  type RendezvousMode,
  rendezvousModes,
  type SyncSpec,
} from '../../spec/rendezvous/sync-spec.js';
import { runUserCode, SpecError, surplusArguments } from '../../spec/spec.js';
import type { OnlineCause } from '../stream/monitor.js';
import { NOT_YET, type OnlineOperation, Values } from '../stream/steps.js';
import { type PartViolation, Recent, type WatchedObject, type WatchedPart } from './object-monitor.js';

/*
 * Returned calls, each with an open call as its possible partner: a matching that is maintained as calls come and go.
 *
 *   H. Kuhn. The Hungarian method for the assignment problem. Naval Research Logistics 2, 1955: augmenting paths.
 *
 * The possible partners are known when a call returns, because later calls do not overlap it. So there are never more
 * calls here than open ones. Cost of one change: O(calls · open), usually O(open).
 */

interface Claim {
  readonly candidates: readonly OnlineOperation[];
  partner: OnlineOperation | undefined;
}

class Partners {
  /** The claim of each returned call, and the claimant of each open call. */
  readonly #claims = new Map<OnlineOperation, Claim>();
  readonly #claimed = new Map<OnlineOperation, OnlineOperation>();

  get size(): number {
    return this.#claims.size;
  }

  has(operation: OnlineOperation): boolean {
    return this.#claims.has(operation);
  }

  /** Adds a returned call that needs one of these candidates. */
  add(operation: OnlineOperation, candidates: readonly OnlineOperation[]): void {
    this.#claims.set(operation, { candidates, partner: undefined });
  }

  /** Removes a call that needs no partner any more. */
  remove(operation: OnlineOperation): void {
    const partner = this.#claims.get(operation)?.partner;
    if (partner) this.#claimed.delete(partner);
    this.#claims.delete(operation);
  }

  /** An open call has ended; returns the call that has lost its partner. */
  leave(operation: OnlineOperation): OnlineOperation | undefined {
    const loser = this.#claimed.get(operation);
    this.#claimed.delete(operation);
    const claim = loser && this.#claims.get(loser);
    if (claim) claim.partner = undefined;
    return loser;
  }

  /**
   * Finds a partner for a call without one. If there is none, returns the calls that have too few partners, and those
   * partners.
   */
  cover(root: OnlineOperation, isOpen: (operation: OnlineOperation) => boolean): Shortage | undefined {
    const calls: OnlineOperation[] = [];
    const partners = new Set<OnlineOperation>();
    const claim = (operation: OnlineOperation): boolean => {
      calls.push(operation);
      const own = this.#claims.get(operation);
      for (const candidate of own?.candidates ?? []) {
        if (partners.has(candidate) || !isOpen(candidate)) continue;
        partners.add(candidate);
        const holder = this.#claimed.get(candidate);
        if (holder && !claim(holder)) continue;
        this.#claimed.set(candidate, operation);
        if (own) own.partner = candidate;
        return true;
      }
      return false;
    };
    return claim(root) ? undefined : { calls, partners: [...partners] };
  }
}

/** Calls whose possible partners are fewer. */
interface Shortage {
  readonly calls: readonly OnlineOperation[];
  readonly partners: readonly OnlineOperation[];
}

/** This many calls that may be alone are kept without looking for possible partners. */
const LEAST_SPARE = 64;

export class RendezvousMonitor implements WatchedObject, WatchedPart {
  readonly name: string;
  readonly spec: undefined;
  readonly undefinedIsNull: boolean;
  readonly recent: Recent<WatchedPart> = new Recent();
  readonly doubts: readonly never[] = [];
  readonly #methods: readonly string[];
  readonly #fits: PairMatcher;
  readonly #open = new Set<OnlineOperation>();
  readonly #partners = new Partners();
  /** The returned calls of each class that wait for a partner, and those that may be alone; in order of return. */
  readonly #waiting = new Map<unknown, OnlineOperation[]>();
  readonly #spare = new Map<unknown, OnlineOperation[]>();
  #spares = 0;
  #spareRoom = LEAST_SPARE;

  constructor(name: string | undefined, spec: SyncSpec, values: Values) {
    this.name = name ?? '';
    this.#fits = new PairMatcher(spec, values);
    this.#methods = methodNames(spec);
    this.undefinedIsNull = values.undefinedIsNull;
  }

  get parts(): readonly WatchedPart[] {
    return [this];
  }

  get open(): readonly OnlineOperation[] {
    return [...this.#open];
  }

  get held(): number {
    return this.#open.size + this.#partners.size + this.#spares;
  }

  checkCall(method: string, args: readonly unknown[]): void {
    if (!this.#methods.includes(method))
      throw new EventError(
        `unknown method ${show(method)}; ${this.#fits.spec.name} has ${this.#methods.join(', ')}`,
        'method',
      );
    const surplus = surplusArguments(this.#fits.spec, method, args);
    if (surplus !== undefined) throw new EventError(surplus, 'args');
  }

  call(operation: OnlineOperation): undefined {
    this.#open.add(operation);
  }

  end(operation: OnlineOperation): PartViolation | undefined {
    const { kind } = operation.outcome;
    if (kind === 'pending') return undefined;
    this.#open.delete(operation);
    this.recent.add(operation, this);
    const loser = this.#partners.leave(operation);
    if (kind !== 'failed') this.#settle(operation);
    for (const root of [operation, loser]) {
      if (!root || !this.#partners.has(root)) continue;
      const shortage = this.#partners.cover(root, (own) => this.#open.has(own));
      if (shortage) return { part: this, cause: causeOf(shortage) };
    }
    return undefined;
  }

  /** Finds a returned partner for a call that returns; if there is none, the call waits. */
  #settle(operation: OnlineOperation): void {
    const own = this.#fits.classOf(operation);
    const isAlone = this.#fits.isAlone(operation);
    const waiting = own && this.#take(this.#waiting, own, operation);
    if (waiting) this.#partners.remove(waiting);
    else if (isAlone) this.#keep(own, operation);
    else if (!own || !this.#take(this.#spare, own, operation)) this.#wait(own, operation);
  }

  /** The first call in these lists that has the class of the partner and overlaps the call. */
  #take(lists: Map<unknown, OnlineOperation[]>, { partner }: Class, operation: OnlineOperation) {
    const list = lists.get(partner) ?? [];
    const at = list.findIndex(({ return: end }) => end > operation.call);
    if (at < 0) return undefined;
    const [taken] = list.splice(at, 1);
    if (list.length === 0) lists.delete(partner);
    if (lists === this.#spare) this.#spares--;
    if (!this.#fits.fit(taken, operation))
      throw new SpecError(
        `spec ${this.#fits.spec.name}: pairs and rendezvous differ about ${taken.method} and ${operation.method}: \`pairs\` matches them, but no rendezvous allows it`,
      );
    return taken;
  }

  #wait(own: Class | undefined, operation: OnlineOperation): void {
    if (own) push(this.#waiting, own.own, operation);
    this.#partners.add(
      operation,
      own ? this.open.filter((candidate) => this.#fits.fit(operation, candidate)) : [],
    );
  }

  /** Keeps a call that may be alone; of each class no more than can have partners. */
  #keep(own: Class | undefined, operation: OnlineOperation): void {
    if (!own || !this.#hasPossiblePartner(operation)) return;
    const list = push(this.#spare, own.own, operation);
    if (list.length > this.#open.size) list.shift();
    else this.#spares++;
    if (this.#spares > this.#spareRoom) this.#forget();
  }

  /** Drops calls that no open call can have as a partner. */
  #forget(): void {
    this.#spares = 0;
    for (const [key, list] of this.#spare) {
      const kept = list.filter((operation) => this.#hasPossiblePartner(operation));
      if (kept.length === 0) this.#spare.delete(key);
      else this.#spare.set(key, kept);
      this.#spares += kept.length;
    }
    this.#spareRoom = Math.max(LEAST_SPARE, 2 * this.#spares);
  }

  #hasPossiblePartner(operation: OnlineOperation): boolean {
    return this.open.some((other) => other.call < operation.return && this.#fits.fit(operation, other));
  }
}

function push(lists: Map<unknown, OnlineOperation[]>, key: unknown, operation: OnlineOperation) {
  const list = lists.get(key) ?? [];
  if (list.push(operation) === 1) lists.set(key, list);
  return list;
}

const causeOf = ({ calls, partners }: Shortage): OnlineCause => ({
  kind: partners.length === 0 ? 'no partner' : 'too few partners',
  operations: [...calls, ...partners],
});

/**
 * Which calls of a stateless rendezvous object can take effect alone or synchronise, according to its spec; results
 * count once a call has ended.
 */
export class PairMatcher {
  readonly spec: SyncSpec;
  readonly #values: Values;
  readonly #space: RendezvousSpace;
  readonly #alone: readonly RendezvousMode[];
  readonly #together: readonly RendezvousMode[];

  constructor(spec: SyncSpec, values: Values) {
    const modes = rendezvousModes(spec);
    if (!spec.pairs || modes.some(({ roles, starred }) => starred !== undefined || roles.length > 2))
      throw new SpecError(
        `there is no monitor for ${spec.name}: a rendezvous object can be monitored only if its calls synchronise in pairs and its spec declares \`pairs\`; try check`,
      );
    this.spec = spec;
    this.#values = values;
    this.#space = new RendezvousSpace(spec);
    this.#alone = modes.filter(({ roles }) => roles.length === 1);
    this.#together = modes.filter(({ roles }) => roles.length === 2);
  }

  /** Whether it can have taken effect alone. */
  isAlone(operation: OnlineOperation): boolean {
    return this.#alone.some((mode) => this.#isEnabled(mode, [operation]));
  }

  /** Whether two calls that were open together can have synchronised. */
  fit(one: OnlineOperation, other: OnlineOperation): boolean {
    return this.#together.some(
      (mode) => this.#isEnabled(mode, [one, other]) || this.#isEnabled(mode, [other, one]),
    );
  }

  /** The class of an ended call and that of its partner, as keys; undefined if it took effect alone. */
  classOf(operation: OnlineOperation): Class | undefined {
    const { method, args } = operation;
    const { pairs, name } = this.spec;
    const outcome = this.#values.normal(operation.outcome);
    const pair = runUserCode(`spec ${name}: pairs of ${method}`, () => pairs?.(method, args, outcome));
    if (!pair) return undefined;
    return { own: this.#values.keyOf(pair), partner: this.#values.keyOf([pair[1], pair[0]]) };
  }

  #isEnabled({ name, roles }: RendezvousMode, members: readonly OnlineOperation[]): boolean {
    if (members.some(({ method }, i) => method !== roles[i])) return false;
    const calls = members.map(({ args }) => args);
    return this.#space.apply(this.#space.initial, name, calls).some(({ next, outcomes }) => {
      if (next !== this.#space.initial)
        throw new SpecError(`spec ${this.spec.name}: it says pairs, but ${name} changes the state`);
      return members.every(
        ({ return: end, outcome }, i) =>
          end === NOT_YET || this.#values.outcomeKey(outcomes[i]) === this.#values.outcomeKey(outcome),
      );
    });
  }
}

/** A class of calls that differ only in time, and the class of their partners. */
export interface Class {
  readonly own: unknown;
  readonly partner: unknown;
}

/* Which objects can be monitored: all plain ones, and rendezvous objects whose calls synchronise in pairs. */

/** Throws a SpecError that says why there is no monitor. */
export function requirePairs(spec: AnySpec): void {
  if (isSyncSpec(spec)) new PairMatcher(spec, new Values(false));
}
