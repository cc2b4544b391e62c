/** Locks: correct ones, and versions with one fault each. */
import { type Scenario, scenario } from 'straightedge';
import { currentThread } from 'straightedge/explore';

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

/** Tests, then tests and sets. */
class SpinLock {
  readonly #word = words(1);
  lock(): void {
    do while (Atomics.load(this.#word, 0) === 1);
    while (Atomics.exchange(this.#word, 0, 1) === 1);
  }
  unlock(): void {
    Atomics.store(this.#word, 0, 0);
  }
}

class TestThenSetLock {
  readonly #word = words(1);
  lock(): void {
    while (Atomics.load(this.#word, 0) === 1);
    Atomics.store(this.#word, 0, 1);
  }
  unlock(): void {
    Atomics.store(this.#word, 0, 0);
  }
}

/** Tickets wrap around, so there are finitely many states; with 2 tickets, 3 threads overtake each other. */
class TicketLock {
  readonly #word = words(2);
  readonly #tickets: number;
  constructor(tickets: number) {
    this.#tickets = tickets;
  }
  lock(): void {
    const mine = Atomics.add(this.#word, 0, 1) % this.#tickets;
    if (mine === this.#tickets - 1) Atomics.sub(this.#word, 0, this.#tickets);
    while (Atomics.load(this.#word, 1) !== mine);
  }
  unlock(): void {
    Atomics.store(this.#word, 1, (Atomics.load(this.#word, 1) + 1) % this.#tickets);
  }
}

/** U. Drepper. Futexes are tricky. 2011. 0: free, 1: taken, 2: taken, and threads may sleep. */
class FutexLock {
  readonly word: Int32Array = words(1);
  lock(): void {
    let was = Atomics.compareExchange(this.word, 0, 0, 1);
    if (was === 0) return;
    if (was === 1) was = Atomics.exchange(this.word, 0, 2);
    while (was !== 0) {
      Atomics.wait(this.word, 0, 2);
      was = Atomics.exchange(this.word, 0, 2);
    }
  }
  unlock(): void {
    if (Atomics.exchange(this.word, 0, 0) === 2) Atomics.notify(this.word, 0, 1);
  }
}

/** Takes the lock with 1 after it was woken, so a second sleeper is forgotten. Two threads never show it. */
class ForgetfulFutexLock extends FutexLock {
  override lock(): void {
    while (Atomics.compareExchange(this.word, 0, 0, 1) !== 0) {
      const was = Atomics.compareExchange(this.word, 0, 1, 2);
      if (was !== 0) Atomics.wait(this.word, 0, 2);
    }
  }
}

/** Reads the word again to sleep on it: it may be free by then, and no thread wakes the sleeper. */
class LateFutexLock extends FutexLock {
  override lock(): void {
    while (Atomics.exchange(this.word, 0, 2) !== 0) Atomics.wait(this.word, 0, Atomics.load(this.word, 0));
  }
}

/** G. Peterson. Myths about the mutual exclusion problem. 1981. */
class PetersonLock {
  readonly wants: boolean[] = [false, false];
  turn = 0;
  lock(): void {
    const me = currentThread();
    this.wants[me] = true;
    this.turn = 1 - me;
    while (this.wants[1 - me] && this.turn !== me);
  }
  unlock(): void {
    this.wants[currentThread()] = false;
  }
}

class TurnFirstLock extends PetersonLock {
  override lock(): void {
    const me = currentThread();
    this.turn = 1 - me;
    this.wants[me] = true;
    while (this.wants[1 - me] && this.turn !== me);
  }
}

/** Peterson's lock for n threads: one of those at a level waits there. */
class FilterLock {
  readonly level: number[];
  readonly victim: number[];
  readonly threads: number;
  constructor(threads: number) {
    this.threads = threads;
    this.level = Array.from({ length: threads }, () => 0);
    this.victim = Array.from({ length: threads }, () => -1);
  }
  lock(): void {
    const me = currentThread();
    for (let level = 1; level < this.threads; level++) {
      this.level[me] = level;
      this.victim[level] = me;
      for (let other = 0; other < this.threads; other++)
        while (other !== me && this.level[other] >= level && this.victim[level] === me);
    }
  }
  unlock(): void {
    this.level[currentThread()] = 0;
  }
}

/** Ignores threads that are at a higher level. */
class LeakyFilterLock extends FilterLock {
  override lock(): void {
    const me = currentThread();
    for (let level = 1; level < this.threads; level++) {
      this.level[me] = level;
      this.victim[level] = me;
      for (let other = 0; other < this.threads; other++)
        while (other !== me && this.level[other] === level && this.victim[level] === me);
    }
  }
}

/** Both announce themselves and wait for the other. */
class PoliteLock extends PetersonLock {
  override lock(): void {
    const me = currentThread();
    this.wants[me] = true;
    while (this.wants[1 - me]);
  }
}

const of = (create: () => { lock(): void; unlock(): void }) =>
  scenario({ backend: 'instrumented', create, calls: [[['lock'], ['unlock']]] });

export const spinLock: Scenario = of(() => new SpinLock());
export const testThenSetLock: Scenario = of(() => new TestThenSetLock());
export const ticketLock4: Scenario = of(() => new TicketLock(4));
export const ticketLock2: Scenario = of(() => new TicketLock(2));
export const futexLock: Scenario = of(() => new FutexLock());
export const forgetfulFutexLock: Scenario = of(() => new ForgetfulFutexLock());
export const lateFutexLock: Scenario = of(() => new LateFutexLock());
export const petersonLock: Scenario = of(() => new PetersonLock());
export const turnFirstLock: Scenario = of(() => new TurnFirstLock());
export const filterLock2: Scenario = of(() => new FilterLock(2));
export const filterLock3: Scenario = of(() => new FilterLock(3));
export const leakyFilterLock3: Scenario = of(() => new LeakyFilterLock(3));
export const politeLock: Scenario = of(() => new PoliteLock());
