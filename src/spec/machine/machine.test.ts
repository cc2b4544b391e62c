import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import { blocked, type IsCalled, oneOf, type Spec, SpecError, threw } from '../spec.js';
import { DEAD, Machine } from './machine.js';

/** A queue that can be closed: waits when empty, throws when closed. */
const channel: Spec = {
  name: 'channel',
  initial: { items: [], open: true },
  methods: {
    send: (state: Channel, item: unknown) =>
      state.open ? [{ ...state, items: [...state.items, item] }, undefined] : [state, threw('Closed')],
    receive: (state: Channel) =>
      state.items.length > 0
        ? [{ ...state, items: state.items.slice(1) }, state.items[0]]
        : state.open
          ? blocked
          : [state, threw('Closed')],
    close: (state: Channel) => [{ ...state, open: false }, undefined],
    size: (state: Channel) => [state, state.items.length],
  },
  readOnly: (method) => method === 'size',
};
interface Channel {
  readonly items: readonly unknown[];
  readonly open: boolean;
}

/** A bag that gives any of its members. */
const bag: Spec = {
  name: 'bag',
  initial: [],
  methods: {
    put: (members: readonly number[], member: number) => [[...members, member].sort(), undefined],
    take: (members: readonly number[]) =>
      oneOf(...members.map((member, i) => [members.filter((_, j) => j !== i), member] as const)),
  },
};

describe('letters', () => {
  test('are equal for equal method, arguments and outcome, for any caller', () => {
    const history = sketch`
      A  |- send([1]) -|  |- receive() -> [1] -|  |- receive() -?
      B  |- send([1]) -|  |- receive() -> [2] -|  |- receive() -?
      C  |- send([1]) ! Closed --|
    `;
    const letters = [...new Machine(history, channel).lettersOf(history)];
    expect(letters).toEqual([0, 0, 1, 2, 3, 4, 4]);
  });

  test('belong to ids, so a cut of the history has the same', () => {
    const history = sketch`A  |- send(1) -|  |- send(2) -|  |- size() -> 2 -|`;
    const machine = new Machine(history, channel);
    const cut = history.select((k) => k > 0);
    expect([...machine.lettersOf(cut)]).toEqual([1, 2]);
    expect(machine.letterOf(2)).toBe(2);
  });

  test('are distinguished when there are many', () => {
    const builder = new HistoryBuilder();
    for (let k = 0; k < 500; k++) builder.call({ process: `${k}`, method: 'send', args: [k % 250] });
    const history = builder.finish();
    const letters = new Machine(history, channel).lettersOf(history);
    expect(new Set(letters).size).toBe(250);
    expect(letters.every((letter, k) => letter === letters[k % 250])).toBe(true);
  });
});

describe('a step', () => {
  const history = sketch`
    A  |- send(1) -|  |- receive() -> 1 -|  |- receive() -> 2 -|  |- receive() ! Closed -|
    B  |- close() -|  |- receive() -?       |- send(2) ! Closed -|  |- send(2) ! Other -|
  `;
  const machine = new Machine(history, channel);
  const after = (...operations: number[]) =>
    operations.reduce(
      (state, id) => (state === DEAD ? DEAD : machine.step(state, machine.letterOf(id))),
      machine.initial,
    );
  const idOf = (shown: string) =>
    Array.from(history).find(({ method, outcome }) => `${method} ${JSON.stringify(outcome)}`.includes(shown))
      ?.id ?? -1;
  const send = idOf('send {"kind":"returned"');
  const close = idOf('close');
  const receive1 = idOf('"value":1');
  const receive2 = idOf('"value":2');
  const receiveClosed = idOf('receive {"kind":"threw"');
  const receiveUnknown = idOf('pending');

  test('leads to the next state where the outcome fits, and nowhere else', () => {
    expect(machine.describe(after(send))).toBe('{items: [1], open: true}');
    expect(after(send, receive1)).toBe(machine.initial);
    expect(after(send, receive2)).toBe(DEAD);
    expect(after(receiveClosed)).toBe(DEAD);
  });

  test('compares errors by name', () => {
    expect(after(close, receiveClosed)).toBe(after(close));
    expect(after(close, idOf('send {"kind":"threw","error":"Closed"'))).toBe(after(close));
    expect(after(close, idOf('Other'))).toBe(DEAD);
    expect(after(close, send)).toBe(DEAD);
  });

  test('a pending operation fits any outcome unless it blocks', () => {
    expect(after(receiveUnknown)).toBe(DEAD);
    expect(after(send, receiveUnknown)).toBe(machine.initial);
    expect(after(close, receiveUnknown)).toBe(after(close));
  });

  test('blocks where the spec says so', () => {
    const letter = machine.letterOf(receive1);
    expect(machine.mayBlock(machine.initial, letter)).toBe(true);
    expect(machine.mayBlock(after(send), letter)).toBe(false);
    expect(machine.mayBlock(after(close), letter)).toBe(false);
  });

  test('has the outcomes that the spec allows', () => {
    const letter = machine.letterOf(receive2);
    expect(machine.allowedOutcomes(after(send), letter)).toEqual([{ kind: 'returned', value: 1 }]);
    expect(machine.allowedOutcomes(after(close), letter)).toEqual([{ kind: 'threw', error: 'Closed' }]);
    expect(machine.allowedOutcomes(machine.initial, letter)).toEqual([]);
  });

  test('into equal states, found by content, is into one state', () => {
    const queue = sketch`A  |- send(1) -|  |- receive() -> 1 -|  |- send(1) -|`;
    const own = new Machine(queue, channel);
    const once = own.step(own.initial, own.letterOf(0));
    expect(own.step(own.step(once, own.letterOf(1)), own.letterOf(2))).toBe(once);
  });

  test('runs user code once for a state and a letter, but for the spot checks', () => {
    let runs = 0;
    const counting: Spec = {
      name: 'counting',
      initial: 0,
      methods: {
        add: (state: number) => {
          runs++;
          return [(state + 1) % 2, undefined];
        },
      },
    };
    const own = new Machine(sketch`A |- add() -|`, counting);
    let state = own.initial;
    for (let i = 0; i < 1000; i++) state = own.step(state, 0);
    expect(runs).toBe(4);
  });
});

describe('a choice that the spec leaves open', () => {
  const history = sketch`
    A  |- put(1) -|  |- put(2) -|  |- take() -?  |- take() -> 1 -|  |- take() -> 2 -|
  `;
  const machine = new Machine(history, bag);
  const [put1, put2, take, take1, take2] = machine.lettersOf(history);
  const full = machine.step(machine.step(machine.initial, put1), put2);

  test('leads to all the states that some choice leads to, as one', () => {
    const either = machine.step(full, take);
    expect(machine.describe(either)).toBe('[1] or [2]');
    expect(machine.step(either, take1)).toBe(machine.initial);
    expect(machine.step(either, take2)).toBe(machine.initial);
  });

  test('is made by the outcome where it is known', () => {
    expect(machine.describe(machine.step(full, take1))).toBe('[2]');
    expect(machine.step(machine.step(full, take1), take1)).toBe(DEAD);
  });

  test('does not depend on the way there', () => {
    const otherWay = machine.step(machine.step(machine.initial, put2), put1);
    expect(otherWay).toBe(full);
  });

  test('has the outcomes of every choice', () => {
    expect(
      machine.allowedOutcomes(full, take1).map((outcome) => outcome.kind === 'returned' && outcome.value),
    ).toEqual([1, 2]);
  });

  test('blocks where one of the states does', () => {
    expect(machine.mayBlock(machine.initial, take)).toBe(true);
    expect(machine.mayBlock(full, take)).toBe(false);
  });
});

describe('readOnly', () => {
  test('is asked for each letter, with a way to ask what the history calls', () => {
    let called: IsCalled = () => false;
    const asked: unknown[] = [];
    const curious: Spec = {
      ...channel,
      readOnly: (method, args, outcome, calls) => {
        called = calls;
        asked.push([method, args, outcome.kind]);
        return method === 'size';
      },
    };
    const history = sketch`
      A  |- send(1, [2]) -|  |- size() -> 1 -|  |- size() -> 1 -|  |- close() -x
    `;
    const machine = new Machine(history, curious);
    expect(asked).toEqual([
      ['send', [1, [2]], 'returned'],
      ['size', [], 'returned'],
    ]);
    expect(machine.isReadOnly(machine.letterOf(0))).toBe(false);
    expect(machine.isReadOnly(machine.letterOf(1))).toBe(true);
    expect(called('send')).toBe(true);
    expect(called('send', 1)).toBe(true);
    expect(called('send', 1, [2])).toBe(true);
    expect(called('send', 2)).toBe(false);
    expect(called('size')).toBe(true);
    expect(called('receive')).toBe(false);
    expect(called('toString')).toBe(false);
  });

  test('that is not true is an error that names the method and both states', () => {
    const lying: Spec = { ...channel, readOnly: () => true };
    const machine = new Machine(sketch`A  |- send(1) -|`, lying);
    expect(() => machine.step(machine.initial, 0)).toThrow(
      new SpecError(
        'spec channel: send is declared readOnly with this outcome, but changes {items: [], open: true} to {items: [1], open: true}',
      ),
    );
  });
});

describe('a call that the spec does not know', () => {
  test.each(['dequeue', 'toString', '__proto__', 'constructor', 'hasOwnProperty'])(
    '%s is an error',
    (method) => {
      const builder = new HistoryBuilder();
      builder.call({ process: 'A', method: 'close' });
      builder.call({ process: 'B', method });
      expect(() => new Machine(builder.finish(), channel)).toThrow(
        new SpecError(
          `operation 1: unknown method "${method}"; spec channel defines send, receive, close, size`,
        ),
      );
    },
  );

  test('with too few arguments is an error', () => {
    expect(() => new Machine(sketch`A |- send() -|`, channel)).toThrow(
      new SpecError('operation 0: send has 0 of 1 arguments'),
    );
  });

  test('may have more arguments, or leave out those with a default', () => {
    const counter: Spec = {
      name: 'counter',
      initial: 0,
      methods: { add: (state: number, amount = 1) => [state + amount, state] },
    };
    expect(() => new Machine(sketch`A |- add() -> 0 -|  |- add(1, 2) -> 1 -|`, counter)).not.toThrow();
  });
});

test('a method that changes an argument is an error that shows it', () => {
  const greedy: Spec = {
    name: 'greedy',
    initial: 0,
    methods: {
      take: (state: number, items: number[]) => {
        items.length = 0;
        return [state, undefined];
      },
    },
  };
  const machine = new Machine(sketch`A |- take([1, 2]) -|`, greedy);
  expect(() => machine.step(machine.initial, 0)).toThrow(
    new SpecError('spec greedy: take mutates its argument, which is now []'),
  );
});

describe('undefined and null', () => {
  const nothing: Spec = { name: 'nothing', initial: 0, methods: { f: () => [0, undefined] } };
  const history = (fromFile: boolean) => {
    const builder = new HistoryBuilder({ fromFile });
    builder.end(builder.call({ process: 'A', method: 'f' }), { kind: 'returned', value: null });
    return builder.finish();
  };

  test('are one result in a file', () => {
    expect(new Machine(history(true), nothing).step(0, 0)).not.toBe(DEAD);
  });

  test('are two in memory', () => {
    expect(new Machine(history(false), nothing).step(0, 0)).toBe(DEAD);
  });
});
