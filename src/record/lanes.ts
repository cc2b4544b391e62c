/** Names for calls of one caller that overlap: `A`, `A.2`, `A.3` … A process makes one call at a time. */
export class Lanes {
  readonly #name: string;
  readonly #isBusy: boolean[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** The first lane that is free. */
  enter(): number {
    const free = this.#isBusy.indexOf(false);
    const lane = free < 0 ? this.#isBusy.length : free;
    this.#isBusy[lane] = true;
    return lane;
  }

  leave(lane: number): void {
    this.#isBusy[lane] = false;
  }

  nameOf(lane: number): string {
    return lane === 0 ? this.#name : `${this.#name}.${lane + 1}`;
  }
}
