/** The source that a page shows: of each file the lines that it speaks of, and some around them. */
import type { SourceFileData } from './page-types.js';

/** Lines that are told before and after. */
const AROUND = 6;

export class SourceFiles {
  readonly #numbers = new Map<string, number>();
  readonly #files: { readonly lines: readonly string[]; readonly spoken: Set<number> }[] = [];

  /** The number of a file, of which lines are spoken of. */
  add(name: string, lines: readonly string[], from: number, to: number = from): number {
    const number = this.#numbers.get(name) ?? this.#files.push({ lines, spoken: new Set() }) - 1;
    this.#numbers.set(name, number);
    for (let line = from; line <= to; line++) this.#files[number].spoken.add(line);
    return number;
  }

  get data(): SourceFileData[] {
    return Array.from(this.#numbers, ([name, number]) => {
      const { lines, spoken } = this.#files[number];
      const isNear = (line: number) => [...spoken].some((own) => Math.abs(own - line) <= AROUND);
      return { name, lines: lines.map((text, i) => [i + 1, text] as const).filter(([line]) => isNear(line)) };
    });
  }
}
