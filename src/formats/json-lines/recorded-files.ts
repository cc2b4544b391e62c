/**
 * The files of one history: which operation and which process is in which file.
 *
 * Each file has its own clock and its own processes. If two files use one name for a process, these are two processes.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { printable } from '../../base/values/show.js';

export class RecordedFiles {
  readonly names: string[] = [];
  /** Process, by its name in the history, to its file. */
  readonly #ofProcess = new Map<string, number>();
  /** Entry to its file. */
  readonly #ofEntry = new GrowingInts();
  /** Names of processes in the current file to their names in the history. */
  #processes = new Map<string, string>();
  /** The number of files that say that no more returns will come. */
  #stuck = 0;

  start(name: string): void {
    this.names.push(printable(name));
    this.#processes = new Map();
  }

  /** The current file says that no more returns will come. */
  markStuck(): void {
    this.#stuck++;
  }

  get areAllStuck(): boolean {
    return this.#stuck === this.names.length;
  }

  /** The name of a process in the history. If an earlier file has it, it becomes `name@file`. */
  processName(name: string): string {
    const known = this.#processes.get(name);
    if (known !== undefined) return known;
    let own = name;
    while (this.#ofProcess.has(own)) own = `${own}@${this.names.at(-1)}`;
    this.#ofProcess.set(own, this.names.length - 1);
    this.#processes.set(name, own);
    return own;
  }

  /** The clock of a process is that of its file. */
  clockOf(process: string): number {
    return this.#ofProcess.get(process) ?? -1;
  }

  /** Adds the next entry to the current file. */
  add(): void {
    this.#ofEntry.push(this.names.length - 1);
  }

  readonly of = (entry: number): number => this.#ofEntry.at(entry);

  nameOf(entry: number): string {
    return this.names[this.of(entry)];
  }
}
