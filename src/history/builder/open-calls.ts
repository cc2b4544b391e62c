/**
 * The open calls of each process among events: one, or several where all may overlap.
 *
 * Cost: O(open calls of the process) a call.
 */
export class OpenCalls {
  /** Process to its open entries. */
  readonly #open: number[][] = [];

  of(process: number): readonly number[] {
    return this.#open[process] ?? NONE;
  }

  add(process: number, entry: number): void {
    while (this.#open.length <= process) this.#open.push([]);
    this.#open[process].push(entry);
  }

  delete(process: number, entry: number): void {
    const open = this.#open[process];
    const place = open.indexOf(entry);
    if (place < 0) return;
    // by hand: `splice` would make a list each time
    for (let i = place + 1; i < open.length; i++) open[i - 1] = open[i];
    open.pop();
  }
}

const NONE: readonly number[] = [];
