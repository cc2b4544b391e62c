/**
 * Who made the value that an operation on a cell saw, and so on back: for those who check a cause.
 *
 * The source of an operation is the only one that made its value; of several, the only one that was called before it
 * returned, and that no mutator which returned has overwritten for sure before it was called. Cost: O(n) for all.
 */
import { NEVER } from '../../../history/model/columns.js';
import type { Deed } from './evidence-operations.js';

/** Who made it; or the value was there at first; or it is that of a hub, which has no one source; or several may have; or none. */
type Source = Deed | 'first' | 'hub' | 'unclear' | undefined;

export class Lineage {
  readonly #byId: ReadonlyMap<number, Deed>;
  readonly #makers = new Map<number, Deed[]>();
  readonly #initial: number;
  readonly #isHub: boolean;
  /** Mutators that returned, by return, and for each the latest call of these up to it. */
  readonly #returns: readonly Deed[];
  readonly #latestCalls: readonly number[];
  #sure: ReadonlySet<Deed> | undefined;

  constructor(deeds: readonly Deed[], initial: number) {
    this.#initial = initial;
    this.#byId = new Map(deeds.map((deed) => [deed.id, deed]));
    for (const deed of deeds) {
      if (deed.makes === undefined) continue;
      const makers = this.#makers.get(deed.makes);
      if (makers) makers.push(deed);
      else this.#makers.set(deed.makes, [deed]);
    }
    this.#returns = deeds
      .filter(({ makes, return: returned }) => makes !== undefined && returned !== NEVER)
      .sort((a, b) => a.return - b.return);
    let latest = -1;
    this.#latestCalls = this.#returns.map(({ call }) => (latest = Math.max(latest, call)));
    this.#isHub =
      this.#returns.some(({ makes }) => makes === initial) &&
      this.#returns.every(({ sees }) => sees !== undefined);
  }

  of(id: number): Deed | undefined {
    return this.#byId.get(id);
  }

  sourceOf({ sees, call, return: returned }: Deed): Source {
    if (sees === undefined) return undefined;
    if (sees === this.#initial && this.#isHub) return 'hub';
    const makers = this.#makers.get(sees) ?? [];
    if (sees !== this.#initial && makers.length === 1) return makers[0];
    if (sees === this.#initial && makers.length === 0) return 'first';
    const latest = this.#latestCallBefore(call);
    const possible: Source[] = makers.filter((maker) => maker.call < returned && maker.return > latest);
    if (sees === this.#initial && latest < 0) possible.push('first');
    return possible.length > 1 ? 'unclear' : possible[0];
  }

  /** From source to source. Without a root if it is unclear where that ends; `isLost`: in a value that nobody made, or it goes round. */
  wayBack(from: Deed): {
    readonly way: readonly Deed[];
    readonly root: Deed | 'first' | undefined;
    readonly isLost: boolean;
  } {
    const way = new Set<Deed>();
    for (let deed = from; ; ) {
      if (way.has(deed)) return { way: [...way], root: undefined, isLost: true };
      way.add(deed);
      const source = this.sourceOf(deed);
      if (source === 'hub' || deed.sees === undefined) return { way: [...way], root: deed, isLost: false };
      if (typeof source !== 'object')
        return {
          way: [...way],
          root: source === 'first' ? source : undefined,
          isLost: source === undefined,
        };
      deed = source;
    }
  }

  /** Did it take effect in every order? It returned, or somebody who did saw that, or what came of it. */
  isSure(deed: Deed): boolean {
    if (deed.return !== NEVER) return true;
    this.#sure ??= this.#findSure();
    return this.#sure.has(deed);
  }

  #findSure(): ReadonlySet<Deed> {
    const sure = new Set<Deed>();
    for (const seer of this.#byId.values()) {
      if (seer.return === NEVER) continue;
      let source = this.sourceOf(seer);
      while (typeof source === 'object' && source.return === NEVER && !sure.has(source)) {
        sure.add(source);
        source = this.sourceOf(source);
      }
    }
    return sure;
  }

  /** Of a hub: is the value never taken away again, from where this stands? */
  isToTheEnd(from: Deed): boolean {
    const swaps = new Map<Source, Deed>();
    for (const deed of this.#byId.values())
      if (deed.makes !== undefined && this.isSure(deed)) swaps.set(this.sourceOf(deed), deed);
    let last = from.makes === undefined ? this.sourceOf(from) : from;
    if (typeof last !== 'object' && last !== 'first') return false;
    for (let next = swaps.get(last); next && next !== last; next = swaps.get(last)) last = next;
    const isOpen = typeof last === 'object' && last.makes !== this.#initial;
    return isOpen && this.#isHub && ![...this.#byId.values()].some((deed) => this.#mayTake(deed));
  }

  /** Never returned, but may have replaced any value. */
  #mayTake(deed: Deed): boolean {
    if (deed.return !== NEVER) return false;
    return deed.makes === this.#initial || (deed.sees === undefined && this.isSure(deed));
  }

  /** The latest call of a mutator that returned before a moment. */
  #latestCallBefore(moment: number): number {
    let [low, high] = [0, this.#returns.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#returns[middle].return < moment) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : this.#latestCalls[low - 1];
  }
}
