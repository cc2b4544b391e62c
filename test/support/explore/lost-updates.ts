/** Each `add` reads before it waits: one update of two is lost. */
export class Counter {
  #n = 0;
  async add(by: number): Promise<number> {
    const old = this.#n;
    await Promise.resolve();
    this.#n = old + by;
    return this.#n;
  }
}
