/**
 * Watches an object without a state whose calls meet in pairs: exact at every event.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 5: a matching.
 *
 * There are meetings that explain what happened exactly when each call that returned has a partner of its own among those
 * that were open while it was, or may be alone. A call that is open still may be the partner of any that it fits: nobody
 * knows its result. When a call returns, it is what its spec's `pairs` say, and it takes
 *
 *   one that returned, waits for a partner and is what it must have met: of those the first that returned
 *   else one that returned, may be alone, and is what it must have met: again the first
 *   else, if it may be alone itself, none: it is kept as long as somebody who is open can have met it
 *   else one that is open; whoever competes for the same has to have another
 *
 * To take one that returned is never worse: it sets two open calls free, who can still meet each other. To take
 * the first is never worse: calls of one class differ in time only, and who returned later was together with
 * all open calls that the first was with. So pairs of calls that have returned are over, and forgotten.
 *
 * Memory: what is open, and as many that returned; and calls that may be alone, while one who may have met them is open.
 */

import { show } from '../../base/values/show.js';
import { EventError } from '../../history/model/event.js';
import { methodNames, type SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { SpecError } from '../../spec/spec.js';
import type { OnlineOperation } from '../stream/operation.js';
import type { Values } from '../stream/steps.js';
import type { OnlineCause } from '../stream/violation.js';
import { type Class, PairMatcher } from './pairs.js';
import { type PartViolation, Recent, type WatchedObject, type WatchedPart } from './watched-object.js';

/*
 * Calls that have returned, each with an open one that it may have met: a matching that is kept as calls come and go.
 *
 *   H. Kuhn. The Hungarian method for the assignment problem. Naval Research Logistics 2, 1955: augmenting paths.
 *
 * Who can be a partner is known when a call returns, since whoever is called later comes too late. So
 * there are never more calls here than are open. Cost of one change: O(calls · open), mostly O(open).
 */

interface Claim {
  readonly candidates: readonly OnlineOperation[];
  partner: OnlineOperation | undefined;
}

class Partners {
  /** Who returned to its claim, and who is open to who claims it. */
  readonly #claims = new Map<OnlineOperation, Claim>();
  readonly #claimed = new Map<OnlineOperation, OnlineOperation>();

  get size(): number {
    return this.#claims.size;
  }

  has(operation: OnlineOperation): boolean {
    return this.#claims.has(operation);
  }

  /** A call that has returned needs one of these. */
  add(operation: OnlineOperation, candidates: readonly OnlineOperation[]): void {
    this.#claims.set(operation, { candidates, partner: undefined });
  }

  /** It needs none any more. */
  remove(operation: OnlineOperation): void {
    const partner = this.#claims.get(operation)?.partner;
    if (partner) this.#claimed.delete(partner);
    this.#claims.delete(operation);
  }

  /** One that was open is not any more; gives who has lost a partner by that. */
  leave(operation: OnlineOperation): OnlineOperation | undefined {
    const loser = this.#claimed.get(operation);
    this.#claimed.delete(operation);
    const claim = loser && this.#claims.get(loser);
    if (claim) claim.partner = undefined;
    return loser;
  }

  /** Finds a partner for one that has none; where there is none, gives those who have too few, and whom they compete for. */
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

/** Calls that can only have met these, who are fewer. */
interface Shortage {
  readonly calls: readonly OnlineOperation[];
  readonly partners: readonly OnlineOperation[];
}

/** So many calls that may be alone are kept without a look at who could have met them. */
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
  /** What a call is to those that returned and wait for a partner, and to those that may be alone; by return. */
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

  checkCall(method: string): void {
    if (!this.#methods.includes(method))
      throw new EventError(
        `unknown method ${show(method)}; ${this.#fits.spec.name} has ${this.#methods.join(', ')}`,
        'method',
      );
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

  /** Finds one that has returned for a call that returns; where there is none, it waits. */
  #settle(operation: OnlineOperation): void {
    const own = this.#fits.classOf(operation);
    const isAlone = this.#fits.isAlone(operation);
    const waiting = own && this.#take(this.#waiting, own, operation);
    if (waiting) this.#partners.remove(waiting);
    else if (isAlone) this.#keep(own, operation);
    else if (!own || !this.#take(this.#spare, own, operation)) this.#wait(own, operation);
  }

  /** The first of these that is what a call must have met, and was open while that was. */
  #take(lists: Map<unknown, OnlineOperation[]>, { partner }: Class, operation: OnlineOperation) {
    const list = lists.get(partner) ?? [];
    const at = list.findIndex(({ return: end }) => end > operation.call);
    if (at < 0) return undefined;
    const [taken] = list.splice(at, 1);
    if (list.length === 0) lists.delete(partner);
    if (lists === this.#spare) this.#spares--;
    if (!this.#fits.fit(taken, operation))
      throw new SpecError(
        `spec ${this.#fits.spec.name}: pairs and meetings differ about ${taken.method} and ${operation.method}: they should meet, but it does not allow that`,
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

  /** One that may be alone: of each class there need be no more than could be met. */
  #keep(own: Class | undefined, operation: OnlineOperation): void {
    if (!own || !this.#isOfUse(operation)) return;
    const list = push(this.#spare, own.own, operation);
    if (list.length > this.#open.size) list.shift();
    else this.#spares++;
    if (this.#spares > this.#spareRoom) this.#forget();
  }

  /** Lets go of those that nobody who is open can have met. */
  #forget(): void {
    this.#spares = 0;
    for (const [key, list] of this.#spare) {
      const kept = list.filter((operation) => this.#isOfUse(operation));
      if (kept.length === 0) this.#spare.delete(key);
      else this.#spare.set(key, kept);
      this.#spares += kept.length;
    }
    this.#spareRoom = Math.max(LEAST_SPARE, 2 * this.#spares);
  }

  #isOfUse(operation: OnlineOperation): boolean {
    return this.open.some((other) => other.call < operation.return && this.#fits.fit(operation, other));
  }
}

function push(lists: Map<unknown, OnlineOperation[]>, key: unknown, operation: OnlineOperation) {
  const list = lists.get(key) ?? [];
  if (list.push(operation) === 1) lists.set(key, list);
  return list;
}

const causeOf = ({ calls, partners }: Shortage): OnlineCause => ({
  kind: partners.length === 0 ? 'lonely' : 'too few partners',
  operations: [...calls, ...partners],
});
