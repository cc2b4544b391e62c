/**
 * Calls that have returned, each with an open one that it may have met: a matching that is kept as calls come and go.
 *
 *   H. Kuhn. The Hungarian method for the assignment problem. Naval Research Logistics 2, 1955: augmenting paths.
 *
 * Who can be a partner is known when a call returns, since whoever is called later comes too late. So
 * there are never more calls here than are open. Cost of one change: O(calls · open), mostly O(open).
 */
import type { OnlineOperation } from '../stream/operation.js';

interface Claim {
  readonly candidates: readonly OnlineOperation[];
  partner: OnlineOperation | undefined;
}

export class Partners {
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
export interface Shortage {
  readonly calls: readonly OnlineOperation[];
  readonly partners: readonly OnlineOperation[];
}
