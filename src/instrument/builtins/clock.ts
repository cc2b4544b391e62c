/**
 * Time as threads see it: one clock for all, which never goes back.
 *
 * It stands still as long as nobody waits for it: all that a test does may happen in one millisecond, and
 * what is made of two looks does not depend on the schedule. A call that looks for a third time waits: now the clock
 * goes on, by a millisecond, a second, a quarter of an hour, and then by days, so that whatever time is waited for comes soon.
 *
 * A look is an access like any other: it reads the clock, or moves it. Code that can not be interrupted sees
 * what its thread has seen last.
 */
import { READ, UPDATE } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import type { Host } from '../model/host.js';

/** 1 January 2026. */
const BEGINNING = 1_767_225_600_000;
/** A call sees it stand still so often. */
const STILL = 2;
const MOST_STEPS = 3;

export class Clock {
  /** Shared by all threads, in all executions: its field is a location. */
  readonly #hand = { now: BEGINNING };
  /** Thread to how often its call has looked, and what it has seen last. */
  readonly #looks: number[] = [];
  readonly #seen: number[] = [];

  reset(): void {
    this.#hand.now = BEGINNING;
    this.#looks.length = 0;
    this.#seen.length = 0;
  }

  begin(thread: number): void {
    this.#looks[thread] = 0;
  }

  /** Milliseconds since 1970. */
  *look(host: Host, site: number): Coroutine<number> {
    const memory = host.memory!;
    const { current: thread } = memory;
    const looks = this.#looks[thread]++;
    const steps = Math.min(looks - STILL, MOST_STEPS);
    host.sharing.keep(this.#hand);
    host.announce(steps < 0 ? READ : UPDATE, this.#hand, 'now', site);
    memory.isPlain = false;
    yield host.p;
    if (steps >= 0) this.#hand.now += 1_000 ** steps;
    // who looks again will see another time: that is no loop for nothing
    else memory.touch();
    this.#seen[thread] = this.#hand.now;
    return host.saw(this.#hand.now);
  }

  last(thread: number): number {
    return this.#seen[thread] ?? BEGINNING;
  }

  static sinceStart(now: number): number {
    return now - BEGINNING;
  }

  /** What the next looks depend on. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(Math.min(this.#looks[thread] ?? 0, STILL + MOST_STEPS));
    visit(this.last(thread));
    if (thread === 0) visit(this.#hand.now);
  }
}
