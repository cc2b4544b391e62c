import { List } from 'immutable';
import { describe, expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../test/support/oracles/evidence.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import { sketch } from '../history/drawing/sketch.js';
import { type MethodsOf, reference } from './reference.js';
import { refuse, SpecError, type Transition } from './spec.js';

class Queue {
  items: unknown[] = [];
  enqueue(item: unknown): void {
    this.items.push(item);
  }
  dequeue(): unknown {
    return this.items.shift() ?? null;
  }
}

class InsufficientFunds extends Error {
  override readonly name = 'InsufficientFunds';
}

class Bank {
  balances: Record<string, number> = {};
  deposit(account: string, amount: number): number {
    this.balances[account] = (this.balances[account] ?? 0) + amount;
    return this.balances[account];
  }
  withdraw(account: string, amount: number): number {
    if ((this.balances[account] ?? 0) < amount) throw new InsufficientFunds(`only ${this.balances[account]}`);
    return this.deposit(account, -amount);
  }
}

class Sealed {
  #items: number[] = [];
  add(item: number): number {
    return this.#items.push(item);
  }
  first(): number | null {
    return this.#items[0] ?? null;
  }
  /** For keys. */
  get content(): readonly number[] {
    return this.#items;
  }
}

/** Walks a spec along calls and gives the results. */
function walk(
  spec: { initial: unknown; methods: object },
  ...calls: [method: string, ...args: unknown[]][]
): unknown[] {
  const methods = spec.methods as Record<
    string,
    (state: unknown, ...args: unknown[]) => Transition<unknown, unknown>
  >;
  let state = spec.initial;
  return calls.map(([method, ...args]) => {
    const [next, result] = methods[method](state, ...args);
    state = next;
    return result;
  });
}

describe('an ordinary class', () => {
  test('is a spec, named after it', () => {
    const spec = reference(() => new Queue());
    expect(spec.name).toBe('Queue');
    expect(walk(spec, ['enqueue', 1], ['enqueue', 2], ['dequeue'], ['dequeue'], ['dequeue'])).toEqual([
      undefined,
      undefined,
      1,
      2,
      null,
    ]);
    expect(reference(() => new Queue(), { name: 'jobs' }).name).toBe('jobs');
  });

  test('explains a concurrent history', () => {
    const history = sketch<MethodsOf<Queue>>`
      A  |- enqueue(1) ------|  |- dequeue() -> 2 -|
      B    |- enqueue(2) -|     |- dequeue() -> 1 -|
    `;
    expectLinearizable(
      history,
      reference(() => new Queue()),
    );
  });

  test('refutes one, and shows the state', () => {
    const history = sketch<MethodsOf<Queue>>`
      A  |- enqueue(1) -|                   |- dequeue() -> 2 -|
      B                   |- enqueue(2) -|
    `;
    const { cause } = expectViolation(
      history,
      reference(() => new Queue()),
    );
    expect(cause).toMatchObject({
      operation: 2,
      allowed: [{ kind: 'returned', value: 1 }],
      longest: [{ order: Int32Array.of(0, 1), state: 'Queue {items: [1, 2]}' }],
    });
  });

  test('that throws answers with the name of the error', () => {
    const overdrawn = sketch<MethodsOf<Bank>>`
      A  |- deposit("a", 5) -> 5 -|  |- withdraw("a", 3) -> 2 -----|
      B                                |- withdraw("a", 3) ! InsufficientFunds -|
    `;
    expectLinearizable(
      overdrawn,
      reference(() => new Bank()),
    );
    const { cause } = expectViolation(
      sketch<MethodsOf<Bank>>`A  |- deposit("a", 5) -> 5 -|  |- withdraw("a", 3) ! InsufficientFunds -|`,
      reference(() => new Bank()),
    );
    expect(cause).toMatchObject({ operation: 1, allowed: [{ kind: 'returned', value: 2 }] });
  });

  test('that throws a refusal is impossible there and has no effect', () => {
    class Account {
      money = 0;
      deposit(amount: number): void {
        this.money += amount;
      }
      withdraw(amount: number): number {
        this.money -= amount;
        if (this.money < 0) throw refuse('balance too low');
        return this.money;
      }
    }
    const account = reference(() => new Account());
    expectLinearizable(
      sketch<MethodsOf<Account>>`
        A  |- deposit(5) ---------------------|  |- withdraw(2) -> 1 -|
        B    |- withdraw(2) -> 3 -|
        C      |- withdraw(9) -?
      `,
      account,
    );
    const { cause } = expectViolation(
      sketch<MethodsOf<Account>>`A  |- deposit(5) -|  |- withdraw(6) -> -1 -|`,
      account,
    );
    expect(cause).toMatchObject({
      operation: 1,
      allowed: [],
      refused: ['balance too low'],
      longest: [{ state: 'Account {money: 5}', refused: ['balance too low'] }],
    });
  });

  test('may throw what is no error', () => {
    class Thrower {
      run(): void {
        throw 'Tantrum';
      }
    }
    expectLinearizable(
      sketch<Thrower>`A  |- run() ! Tantrum -|`,
      reference(() => new Thrower()),
    );
  });

  test('may extend another, and keep immutable values', () => {
    class Counted extends Queue {
      log = List<unknown>();
      override enqueue(item: unknown): void {
        super.enqueue(item);
        this.log = this.log.push(item);
      }
      count(): number {
        return this.log.size;
      }
    }
    const spec = reference(() => new Counted());
    expect(walk(spec, ['enqueue', 1], ['dequeue'], ['count'])).toEqual([undefined, 1, 1]);
  });

  test('that extends a Map counts its own fields', () => {
    class Freezer extends Map<string, number> {
      frozen = false;
      store(key: string): boolean {
        if (!this.frozen) this.set(key, 1);
        return !this.frozen;
      }
      freeze(): void {
        this.frozen = true;
      }
    }
    const spec = reference(() => new Freezer());
    expect(walk(spec, ['freeze'], ['store', 'a'])).toEqual([undefined, false]);
    expect(walk(spec, ['store', 'a'])).toEqual([true]);
  });
});

describe('methods', () => {
  test('are those of the class, not its fields, getters and constructor', () => {
    class Mixed {
      field = 1;
      get half() {
        return this.field / 2;
      }
      run(): number {
        return this.field;
      }
    }
    expect(Object.keys(reference(() => new Mixed()).methods)).toEqual(['run']);
  });

  test('are found in the classes above, the nearest first', () => {
    class Base {
      f(): number {
        return 1;
      }
      g(): number {
        return 1;
      }
    }
    class Derived extends Base {
      override f(): number {
        return 2;
      }
    }
    const spec = reference(() => new Derived());
    expect(Object.keys(spec.methods).sort()).toEqual(['f', 'g']);
    expect(walk(spec, ['f'], ['g'])).toEqual([2, 1]);
  });

  test('that give a promise are an error that says so', () => {
    class Async {
      async run(): Promise<number> {
        throw new Error('later');
      }
    }
    const spec = reference(() => new Async());
    expect(() => walk(spec, ['run'])).toThrow(
      new SpecError('reference Async: run returned a promise; a reference class is synchronous'),
    );
  });
});

describe('states', () => {
  test('are equal when the fields are, whatever the calls', () => {
    const spec = reference(() => new Queue());
    const [once] = spec.methods.enqueue(spec.initial, 1) as Transition<never, void>;
    const [empty] = spec.methods.dequeue(once) as Transition<never, unknown>;
    expect(empty).toBe(spec.initial);
  });

  test('are distinguished by their fields', () => {
    const spec = reference(() => new Queue());
    const [one] = spec.methods.enqueue(spec.initial, 1) as Transition<never, void>;
    const [two] = spec.methods.enqueue(spec.initial, 2) as Transition<never, void>;
    expect(one).not.toBe(two);
  });

  test.each([
    ['#private members', () => new Sealed()],
    ['#private members', () => Object.assign(new Queue(), { inner: new Map([['a', [new Sealed()]]]) })],
    ['a function among its fields', () => Object.assign(new Queue(), { listener: () => 1 })],
  ])('cannot be compared with %s, and need a key', (what, create) => {
    const name = create().constructor.name;
    expect(() => reference(create as () => object)).toThrow(
      new SpecError(
        `reference ${name}: it has ${what}, so instances cannot be compared; pass reference(…, { key: (instance) => … })`,
      ),
    );
  });

  test('that are cyclic cannot be compared either', () => {
    class Ring {
      next: Ring | undefined;
      close(): void {
        this.next = this;
      }
    }
    const spec = reference(() => new Ring());
    expect(() => walk(spec, ['close'])).toThrow(
      new SpecError(
        'reference Ring: a value is nested deeper than 1000 levels, or is cyclic, so instances cannot be compared; pass reference(…, { key: (instance) => … })',
      ),
    );
  });

  test('merge by a key', () => {
    const spec = reference(() => new Sealed(), {
      key: (instance) => instance.content,
    });
    expect(walk(spec, ['add', 1], ['add', 2], ['first'])).toEqual([1, 2, 1]);
    const [one] = spec.methods.add(spec.initial, 1) as Transition<unknown, number>;
    const [again] = spec.methods.add(spec.initial, 1) as Transition<unknown, number>;
    expect(again).toBe(one);
  });

  test('merged by a key that is wrong are caught, and both sequences are named', () => {
    const spec = reference(() => new Sealed(), {
      name: 'sealed',
      key: (instance) => instance.content.length,
    });
    const [one] = spec.methods.add(spec.initial, 1) as Transition<never, number>;
    const [two] = spec.methods.add(spec.initial, 2) as Transition<never, number>;
    expect(two).toBe(one);
    expect(() => spec.methods.first(one)).toThrow(
      new SpecError(
        'reference sealed: two different states have equal keys, one after add(1), the other after add(2). first() gives 1 in the first and 2 in the second. Pass a key that distinguishes them (by default, the order of entries in a Map or Set does not count).',
      ),
    );
  });

  test('merged by a wrong key are caught while a history is checked', () => {
    const spec = reference(() => new Sealed(), { key: ({ content }) => content.length });
    const history = sketch<MethodsOf<Sealed>>`
      A  |- add(1) -?
      B    |- add(2) -?
      C      |- first() -> 3 -|
    `;
    expect(() => expectViolation(history, spec)).toThrow(/two different states have equal keys/);
  });
});

describe('arguments and results', () => {
  test('that the instance keeps and changes do no harm', () => {
    class Keeper {
      lists: number[][] = [];
      keep(list: number[]): number {
        this.lists.push(list);
        return this.lists.length;
      }
      grow(): readonly number[][] {
        for (const list of this.lists) list.push(0);
        return this.lists;
      }
    }
    const history = sketch<MethodsOf<Keeper>>`
      A  |- keep([1]) -> 1 -|  |- grow() -> [[1, 0]] -|  |- grow() -> [[1, 0, 0]] -|
      B    |- keep([1]) -> 2 ---------------------------------------------------------|
    `;
    expectLinearizable(
      history,
      reference(() => new Keeper()),
    );
    expect(history.at(0).args).toEqual([[1]]);
    expect(
      walk(
        reference(() => new Keeper()),
        ['keep', [1]],
        ['grow'],
        ['grow'],
      ),
    ).toEqual([1, [[1, 0]], [[1, 0, 0]]]);
  });

  test('that are instances keep their class, so what comes out equals what went in', () => {
    class Job {
      id: number;
      constructor(id: number) {
        this.id = id;
      }
    }
    const builder = new HistoryBuilder<MethodsOf<Queue>>();
    const enqueue = builder.call({ process: 'A', method: 'enqueue', args: [new Job(1)] });
    builder.end(enqueue, { kind: 'returned', value: undefined });
    builder.end(builder.call({ process: 'A', method: 'dequeue' }), { kind: 'returned', value: new Job(1) });
    expectLinearizable(
      builder.finish(),
      reference(() => new Queue()),
    );
  });
});

test('parts and readOnly are passed on', () => {
  const spec = reference(() => new Bank(), {
    part: (_method, [account]) => String(account),
    readOnly: (_method, _args, outcome) => outcome.kind === 'threw',
  });
  expect(spec.part?.('deposit', ['a', 1])).toBe('a');
  const history = sketch<MethodsOf<Bank>>`
    A  |- deposit("a", 5) -> 5 -|  |- withdraw("a", 3) -> 2 -|
    B  |- deposit("b", 1) -> 1 -|  |- withdraw("b", 3) ! InsufficientFunds -|
  `;
  expectLinearizable(history, spec);
});
