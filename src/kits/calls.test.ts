/** The kits of throttled and debounced functions and of circuit breakers. A class has each fault under a name. */
import { expect, test } from 'vitest';
import { sentencesOf } from '../../test/support/fixtures/kits.js';
import { type CircuitOptions, circuitBreakerKit, debounceKit, throttleKit } from './calls.js';

type Run = (value: number) => number;

class Debounced {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #run: Run;
  readonly #wait: number;
  readonly #fault: string;
  #value: number | undefined;

  constructor(run: Run, wait: number, fault = '') {
    this.#run = run;
    this.#wait = wait;
    this.#fault = fault;
  }

  async call(value: number): Promise<void> {
    const fault = this.#fault;
    if (fault === 'clears the timer after an await') await Promise.resolve();
    if (fault === 'keeps the first value') this.#value ??= value;
    else this.#value = value;
    if (fault === 'keeps the first timer' && this.#timer !== undefined) return;
    if (fault !== 'keeps every timer' && fault !== 'clears the timer after an await')
      clearTimeout(this.#timer);
    const before = this.#timer;
    if (fault === 'clears the timer after an await') await Promise.resolve();
    if (fault === 'clears the timer after an await') clearTimeout(before);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#run(fault === 'keeps every timer' ? value : this.#value!);
        this.#value = undefined;
      },
      fault === 'waits half the time' ? this.#wait / 2 : this.#wait,
    );
  }

  cancel(): void {
    if (this.#fault !== 'is not cancelled') clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const debounced = (fault?: string) =>
  debounceKit({
    create: (run, wait) => new Debounced(run, wait, fault),
    call: (own, value) => own.call(value),
    cancel: (own) => own.cancel(),
  });

test('a correct debounced function keeps all guarantees', async () => {
  expect(await sentencesOf(debounced())).toBe('');
});

test.each([
  ['keeps every timer', /too early: the function ran \d+ ms after the last call instead of 100 ms/],
  ['keeps the first timer', /too early/],
  ['keeps the first value', /the last call is lost: it had the value \d, the last run had \d/],
  ['clears the timer after an await', /too early|ran twice|the function ran with undefined/],
  ['waits half the time', /too early: the function ran 50 ms/],
  ['is not cancelled', /the call with \d ran after it was cancelled/],
] as const)('a debounced function that %s', async (fault, says) => {
  expect(await sentencesOf(debounced(fault), says)).toMatch(says);
});

/** Each call returns a promise of the run. */
class DebouncedPromise {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #calls: { readonly resolve: (value: number) => void; readonly reject: (error: unknown) => void }[] = [];
  #value = 0;
  readonly #run: Run;
  readonly #wait: number;
  readonly #fault: string;

  constructor(run: Run, wait: number, fault = '') {
    this.#run = run;
    this.#wait = wait;
    this.#fault = fault;
  }

  call(value: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ resolve, reject });
      this.#value = value;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ends(), this.#wait);
    });
  }

  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    if (this.#fault === 'forgets at a flush who waits') this.#calls = [];
    if (this.#fault === 'does not run at a flush') return;
    this.#ends();
  }

  #ends(): void {
    this.#timer = undefined;
    const result = (async () => this.#run(this.#value))();
    if (this.#fault === 'leaves a copy of the rejection') void result.finally(() => {});
    for (const { resolve, reject } of this.#calls.splice(0))
      if (this.#fault === 'hides errors') result.then(resolve, () => resolve(0));
      else if (this.#fault === 'forgets calls at an error') result.then(resolve, () => {});
      else result.then(resolve, reject);
  }
}

const debouncedPromise = (fault?: string) =>
  debounceKit({
    create: (run, wait) => new DebouncedPromise(run, wait, fault),
    call: (own, value) => own.call(value),
    flush: (own) => own.flush(),
    promises: true,
  });

test('a correct debounced function that returns promises keeps all guarantees', async () => {
  expect(await sentencesOf(debouncedPromise())).toBe('');
});

test.each([
  ['forgets at a flush who waits', /call\(1\) is blocked forever in call\(\)/],
  ['does not run at a flush', /call\(\d\) is blocked forever in call\(\)/],
  ['leaves a copy of the rejection', /uncaught: .*the function failed/],
  ['hides errors', /call\(\d\) returned, but the function failed/],
  ['forgets calls at an error', /call\(\d\) is blocked forever in call\(\)/],
] as const)('a debounced function with promises that %s', async (fault, says) => {
  expect(await sentencesOf(debouncedPromise(fault), says)).toMatch(says);
});

class Throttled {
  #isWaiting = false;
  #next: { readonly value: number } | undefined;
  readonly #run: Run;
  readonly #wait: number;
  readonly #fault: string;

  constructor(run: Run, wait: number, fault = '') {
    this.#run = run;
    this.#wait = wait;
    this.#fault = fault;
  }

  async call(value: number): Promise<void> {
    const fault = this.#fault;
    if (this.#isWaiting) {
      if (fault === 'forgets the last call') return;
      if (fault !== 'keeps the first value' || this.#next === undefined) this.#next = { value };
      return;
    }
    if (fault === 'waits after an await') await Promise.resolve();
    this.#start(value);
  }

  #start(value: number): void {
    const fault = this.#fault;
    this.#isWaiting = true;
    this.#run(value);
    setTimeout(
      () => {
        this.#isWaiting = false;
        const next = this.#next;
        this.#next = undefined;
        if (next === undefined) return;
        if (fault === 'does not wait after the last run') this.#run(next.value);
        else this.#start(next.value);
      },
      fault === 'waits half the time' ? this.#wait / 2 : this.#wait,
    );
  }
}

const throttled = (fault?: string) =>
  throttleKit({
    create: (run, wait) => new Throttled(run, wait, fault),
    call: (own, value) => own.call(value),
  });

test('a correct throttled function keeps all guarantees', async () => {
  expect(await sentencesOf(throttled())).toBe('');
});

test('a throttled function may run at once after a cancel', async () => {
  class Cancelled {
    #own: Throttled;
    readonly #fresh: () => Throttled;
    #runs = 0;
    constructor(run: Run, wait: number) {
      this.#fresh = () => {
        const number = ++this.#runs;
        return new Throttled((value) => (number === this.#runs ? run(value) : value), wait);
      };
      this.#own = this.#fresh();
    }
    call(value: number): Promise<void> {
      return this.#own.call(value);
    }
    cancel(): void {
      this.#own = this.#fresh();
    }
  }
  const kit = throttleKit({
    create: (run, wait) => new Cancelled(run, wait),
    call: (own, value) => own.call(value),
    cancel: (own) => own.cancel(),
  });
  expect(await sentencesOf(kit)).toBe('');
});

test.each([
  ['forgets the last call', /the last call is lost: it had the value \d, the last run had \d/],
  ['keeps the first value', /the last call is lost/],
  ['waits after an await', /too fast: the function ran 0 ms after the last run instead of 100 ms/],
  ['waits half the time', /too fast: the function ran 50 ms after/],
  ['does not wait after the last run', /too fast/],
] as const)('a throttled function that %s', async (fault, says) => {
  expect(await sentencesOf(throttled(fault), says)).toMatch(says);
});

class Breaker {
  #failures = 0;
  #openUntil: number | undefined;
  #isProbing = false;
  readonly #run: () => Promise<string>;
  readonly #options: CircuitOptions;
  readonly #fault: string;

  constructor(run: () => Promise<string>, options: CircuitOptions, fault = '') {
    this.#run = run;
    this.#options = options;
    this.#fault = fault;
  }

  async call(): Promise<string> {
    const fault = this.#fault;
    const isOpen = this.#openUntil !== undefined;
    if (isOpen && Date.now() < this.#openUntil!) throw new Error('the circuit is open');
    if (isOpen && this.#isProbing) throw new Error('the circuit is tried');
    if (isOpen && fault === 'marks a trial after an await') await Promise.resolve();
    if (isOpen && fault !== 'tries with every call') this.#isProbing = true;
    const before = this.#failures;
    try {
      const result = await this.#run();
      this.#failures = 0;
      if (fault !== 'never closes') this.#openUntil = undefined;
      if (fault !== 'never closes') this.#isProbing = false;
      return result;
    } catch (error) {
      this.#failures = fault === 'counts from before the call' ? before + 1 : this.#failures + 1;
      if (fault !== 'stays in the trial after a failure') this.#isProbing = false;
      if (this.#failures >= this.#options.threshold && fault !== 'never opens')
        this.#openUntil = Date.now() + this.#options.reset;
      throw error;
    }
  }
}

const breaker = (fault?: string) =>
  circuitBreakerKit({
    create: (run, options) => new Breaker(run, options, fault),
    call: (own) => own.call(),
  });

test('a correct circuit breaker keeps all guarantees', async () => {
  expect(await sentencesOf(breaker())).toBe('');
});

test('a circuit that a timer closes half keeps all guarantees', async () => {
  class Timed {
    #state: 'closed' | 'open' | 'half' | 'tried' = 'closed';
    #failures = 0;
    readonly #run: () => Promise<string>;
    readonly #options: CircuitOptions;
    constructor(run: () => Promise<string>, options: CircuitOptions) {
      this.#run = run;
      this.#options = options;
    }
    async call(): Promise<string> {
      if (this.#state === 'open' || this.#state === 'tried') throw new Error('the circuit is open');
      if (this.#state === 'half') this.#state = 'tried';
      try {
        const result = await this.#run();
        this.#failures = 0;
        this.#state = 'closed';
        return result;
      } catch (error) {
        const isOpen = (this.#state as string) === 'open';
        if (++this.#failures >= this.#options.threshold && !isOpen) {
          this.#state = 'open';
          setTimeout(() => {
            this.#state = 'half';
          }, this.#options.reset);
        }
        throw error;
      }
    }
  }
  const kit = circuitBreakerKit({
    create: (run, options) => new Timed(run, options),
    call: (own) => own.call(),
  });
  expect(await sentencesOf(kit)).toBe('');
});

test.each([
  ['marks a trial after an await', /2 calls at a time try whether the circuit can be closed, instead of 1/],
  ['tries with every call', /calls at a time try/],
  ['never closes', /the circuit stays open: a call is refused after 100 ms/],
  ['never opens', /the circuit is not open after 2 failures: the function runs again/],
  ['counts from before the call', /the circuit is not open after 2 failures/],
  ['stays in the trial after a failure', /the circuit stays open/],
] as const)('a circuit breaker that %s', async (fault, says) => {
  expect(await sentencesOf(breaker(fault), says)).toMatch(says);
});
