/**
 * Sites: positions in instrumented files, numbered across all files. Announcements carry them.
 *
 * A site has the name of the field that it accesses. When all files are loaded, reads of *immutable fields*, which no file assigns
 * after construction, need no announcement (syntax/writes.ts).
 */

import type { SourcePosition } from '../../base/source-position.js';
import type { FileInfo } from '../syntax/writes.js';
import { addAccessorName, isAccessor } from './coroutine-versions.js';

/** No name, or one of what containers change by their methods: an element, `length`, `size`, `lastIndex`. */
const CONTAINED = /^(\d*|length|size|lastIndex)$/;

export class Sites {
  /** Site to 1 where a read needs no announcement. */
  immutableReads: Uint8Array = new Uint8Array(0);
  /** Site to the name of its field, empty where it is computed; and to the number of the name. */
  readonly names: string[] = [];
  readonly #places: SourcePosition[] = [];
  readonly #written = new Set<PropertyKey>();
  /** Name to the sites that read it as an immutable field. */
  readonly #immutable = new Map<PropertyKey, number[]>();
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
    for (const name of writes) this.becomesMutable(name);
    for (const name of accessors) {
      addAccessorName(name);
      this.#noLongerImmutable(name);
    }
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

  /** Computes `immutableReads`, when all files are loaded. */
  settle(): void {
    const { length } = this.immutableReads;
    if (length === this.names.length) return;
    const known = this.immutableReads;
    this.immutableReads = new Uint8Array(this.names.length);
    this.immutableReads.set(known);
    for (let site = length; site < this.names.length; site++) {
      const name = this.names[site];
      const isMutable = CONTAINED.test(name) || this.#written.has(name) || isAccessor(name);
      if (isMutable) continue;
      this.immutableReads[site] = 1;
      const sites = this.#immutable.get(name);
      if (sites) sites.push(site);
      else this.#immutable.set(name, [site]);
    }
  }

  /** A field of this name is assigned. If it was read as immutable, what was explored so far is not valid. */
  becomesMutable(key: PropertyKey): void {
    this.#written.add(key);
    this.#noLongerImmutable(key);
  }

  #noLongerImmutable(key: PropertyKey): void {
    for (const site of this.#immutable.get(key) ?? []) this.immutableReads[site] = 0;
    this.#immutable.delete(key);
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
    return this.#immutable.has(key);
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
