/**
 * Luck as a choice. `Math.random` gives one of three values: near 0, near a half, near 1; so what is compared with a
 * bound goes both ways, and what picks one of several picks the first, one in the middle and the last.
 *
 * The engines choose when a call asks at a place for the first time. If it asks there again it gets
 * the other two, then the first one again, and so on: a loop that ends by luck ends, and one that does
 * nothing but try again can be told (execution/memory/spins.ts). No two calls get the same value, so what is made of
 * one, such as an id, is unlike all others.
 *
 * What nobody compares, ids and bytes, is no choice: it depends on the thread and on how often that has asked. The same
 * goes for code that can not be interrupted.
 */
import { access, CHOOSE } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import type { Host } from '../model/host.js';

const CORNERS = 3;
/** Between values near one corner; and how many of them calls and places are told apart by. */
const APART = 2 ** -19;
const MOST_THREADS = 17;
const MOST_PLACES = 8;

export class Luck {
  /** Thread to how many calls it has begun, and how often it has asked for what is no choice. */
  readonly #calls: number[] = [];
  readonly #asked: number[] = [];
  /** Thread to the corner that its call gets next at each site. */
  readonly #corners: Map<number, number>[] = [];

  reset(): void {
    this.#calls.length = 0;
    this.#asked.length = 0;
    this.#corners.length = 0;
  }

  begin(thread: number): void {
    this.#calls[thread] = (this.#calls[thread] ?? 0) + 1;
    this.#corners[thread]?.clear();
  }

  /** At least 0, less than 1. */
  *fraction(host: Host, site: number): Coroutine<number> {
    const memory = host.memory!;
    const { current: thread } = memory;
    this.#corners[thread] ??= new Map();
    const corners = this.#corners[thread];
    let corner = corners.get(site);
    if (corner === undefined) {
      memory.site = site;
      corner = yield access(CHOOSE, CORNERS);
    } else memory.lucky();
    corners.set(site, (corner + 1) % CORNERS);
    const place = [...corners.keys()].indexOf(site) % MOST_PLACES;
    const off = APART * ((this.#calls[thread] * MOST_THREADS + thread) * MOST_PLACES + place);
    const fraction = corner === CORNERS - 1 ? 1 - off : corner / (CORNERS - 1) + off;
    memory.onSight?.(fraction);
    return fraction;
  }

  /** 32 bits, spread by a hash. */
  bits(thread: number): number {
    const asked = (this.#asked[thread] ?? 0) + 1;
    this.#asked[thread] = asked;
    let mixed = Math.imul(asked, 0x9e3779b1) ^ Math.imul(thread + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  bytes<T extends ArrayBufferView>(thread: number, view: T): T {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(thread) >>> 24;
    return view;
  }

  uuid(thread: number): string {
    const digits = Array.from({ length: 4 }, () => this.bits(thread).toString(16).padStart(8, '0')).join('');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  /** What the next answers depend on. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(this.#asked[thread] ?? 0);
    for (const [site, corner] of this.#corners[thread] ?? []) visit(site * CORNERS + corner);
  }
}
