/**
 * Several searches of one history, a slice of each in turn; the first result wins.
 *
 * The first search has a head start: it runs alone until it has taken several steps per return. Most histories are
 * decided by then. After that it gets `favour` times the steps of each other search: with a factor of four and two
 * others, the whole costs at most one and a half times the first search, and six times any other, plus the head
 * start.
 */
import type { Search, SearchResult } from '../model/search.js';

/** Steps of the head start per return, and at least. */
const HEAD_START = 4;
const MIN_HEAD_START = 20_000;
/** Steps of one slice. */
const SLICE = 1_000;

export class Competition implements Search {
  readonly #entrants: (() => Search)[];
  readonly #searches: Search[];
  #winner: Search | undefined;

  readonly #headStart: number;
  readonly #favour: number;

  /** The first search starts at once, the others after `headStart` steps. */
  constructor(
    [first, ...others]: readonly (() => Search)[],
    { headStart, favour = 1 }: { headStart?: number; favour?: number } = {},
  ) {
    this.#searches = [first()];
    this.#entrants = others;
    this.#headStart = headStart ?? Math.max(MIN_HEAD_START, HEAD_START * this.returns);
    this.#favour = favour;
  }

  get name(): string {
    return (this.#winner ?? this.#searches[0]).name;
  }
  get steps(): number {
    return this.#sum((search) => search.steps);
  }
  get configurations(): number {
    return this.#sum((search) => search.configurations);
  }
  get bytes(): number {
    return this.#sum((search) => search.bytes);
  }
  get explained(): number {
    return Math.max(...this.#searches.map((search) => search.explained));
  }
  get returns(): number {
    return this.#searches[0].returns;
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (this.steps < limit) {
      if (this.#entrants.length > 0 && this.steps >= this.#headStart)
        for (const entrant of this.#entrants.splice(0)) this.#searches.push(entrant());
      for (const search of this.#searches) {
        const turn = search === this.#searches[0] ? this.#favour * SLICE : SLICE;
        const answer = search.advance(Math.max(1, Math.min(turn, limit - this.steps)));
        if (!answer) continue;
        this.#winner = search;
        return answer;
      }
    }
    return undefined;
  }

  #sum(of: (search: Search) => number): number {
    return this.#searches.reduce((total, search) => total + of(search), 0);
  }
}
