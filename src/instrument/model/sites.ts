/**
 * Sites: positions in instrumented files, numbered across all files. Announcements carry them.
 *
 * A site has the name of the field that it accesses. When all files are loaded, reads of *immutable fields*, which no file assigns
 * after construction, need no announcement (syntax/writes.ts).
 */

import type { SourcePosition } from '../../base/source-position.js';
import type { FileInfo } from '../syntax/writes.js';
import { accessorNames, addAccessorName, isAccessor } from './coroutine-versions.js';

/** No name, or one of what containers change by their methods: an element, `length`, `size`, `lastIndex`. */
const CONTAINED = /^(\d*|length|size|lastIndex)$/;

export class Sites {
  /** Site to 1 where a read needs no announcement. */
  immutableReads: Uint8Array = new Uint8Array(0);
  /** Site to the name of its field, empty where it is computed; and to the number of the name. */
  readonly names: string[] = [];
  readonly #places: SourcePosition[] = [];
  readonly #written = new Set<PropertyKey>();
  /** The number of names of mutable fields for which `immutableReads` was computed. */
  #mutable = 0;
  readonly #numbers = new Map<PropertyKey, number>();
  /** Position in a file that is not instrumented to its site. */
  readonly #known = new Map<string, number>();

  /** Adds a file before it runs. Returns the number of its first site. */
  add({ file, sites, writes, accessors }: FileInfo): number {
    const first = this.#places.length;
    for (let i = 0; i < sites.length; i += 3) {
      this.#places.push({ file, line: Number(sites[i]), column: Number(sites[i + 1]) });
      this.names.push(String(sites[i + 2]));
    }
    for (const name of writes) this.#written.add(name);
    for (const name of accessors) addAccessorName(name);
    return first;
  }

  /** The site of a position in a file that is not instrumented, where `name` is accessed. */
  at({ file, line, column }: SourcePosition, name = ''): number {
    const key = `${file}:${line}:${column} ${name}`;
    const known =
      this.#known.get(key) ?? this.add({ file, sites: [line, column, name], writes: [], accessors: [] });
    this.#known.set(key, known);
    return known;
  }

  /** Computes `immutableReads`, when all files are loaded: of new sites, and of all if there are new names of mutable fields. */
  settle(): void {
    if (this.immutableReads.length === this.names.length) return;
    const mutable = this.#written.size + accessorNames();
    const from = mutable === this.#mutable ? this.immutableReads.length : 0;
    const reads = new Uint8Array(this.names.length);
    reads.set(this.immutableReads.subarray(0, from));
    for (let site = from; site < reads.length; site++) {
      const name = this.names[site];
      if (!CONTAINED.test(name) && !this.#written.has(name) && !isAccessor(name)) reads[site] = 1;
    }
    this.immutableReads = reads;
    this.#mutable = mutable;
  }

  /** A field that is read as immutable is assigned by a computed name: what was explored so far is not valid. */
  becomesMutable(key: PropertyKey): void {
    this.#written.add(key);
    this.immutableReads = new Uint8Array(0);
  }

  /** Does a file assign a field of this name after construction? */
  isWritten(key: PropertyKey): boolean {
    return this.#written.has(key);
  }

  placeOf(site: number): SourcePosition {
    return this.#places[site] ?? { file: 'unknown', line: 0, column: 0 };
  }

  /** Is a field read somewhere without an announcement? */
  isReadAsImmutable(key: PropertyKey): boolean {
    return (
      typeof key === 'string' && !CONTAINED.test(key) && !this.#written.has(key) && this.names.includes(key)
    );
  }

  /** A name as a number, from 1: `1` and `'1'` are one. */
  numberOf(given: PropertyKey): number {
    const key = typeof given === 'number' ? String(given) : given;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}
