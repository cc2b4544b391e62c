/** The objects that random histories are made of: ready-made ones, and some that need what those do not. */

import { counter } from '../../src/objects/cells/counter.js';
import { casRegister, register } from '../../src/objects/cells/register.js';
import { deque, queue, stack } from '../../src/objects/collections/container.js';
import { map } from '../../src/objects/collections/map.js';
import { priorityQueue } from '../../src/objects/collections/priority-queue.js';
import { set } from '../../src/objects/collections/set.js';
import { txnMap } from '../../src/objects/collections/txn-map.js';
import { latch } from '../../src/objects/locks/event.js';
import { mutex, semaphore } from '../../src/objects/locks/mutex.js';
import { blocked, oneOf, refuse, type Spec, threw } from '../../src/spec/spec.js';
import type { Subject } from './random-history.js';

/** A queue that hands out any of its two oldest items, and may claim to be empty while one is left. */
const lossyQueue: Spec = {
  name: 'lossy queue',
  initial: [],
  methods: {
    enqueue: (items: readonly number[], item: number) => [[...items, item], undefined],
    dequeue: (items: readonly number[]) =>
      oneOf(
        ...items.slice(0, 2).map((item, i) => [items.filter((_, j) => j !== i), item] as const),
        ...(items.length <= 1 ? [[items, null] as const] : []),
      ),
  },
};

/** A box for one item that can be closed: taking waits, a closed one throws. */
const box: Spec = {
  name: 'box',
  initial: { open: true },
  methods: {
    put: (state: Box, item: number) =>
      state.open ? [{ ...state, item }, undefined] : [state, threw('Closed')],
    take: (state: Box) =>
      state.item !== undefined
        ? [{ open: state.open }, state.item]
        : state.open
          ? blocked
          : [state, threw('Closed')],
    close: (state: Box) => [{ ...state, open: false }, undefined],
  },
  readOnly: (_method, _args, outcome) => outcome.kind === 'threw',
};
type Box = { open: boolean; item?: number };

/** An account that refuses what it can not pay, waits while it is frozen, and pays out less if it so chooses. */
const account: Spec = {
  name: 'account',
  initial: { money: 1, frozen: false },
  methods: {
    deposit: (state: Account) => [{ ...state, money: state.money + 1 }, undefined],
    withdraw: ({ money, frozen }: Account, amount: number) =>
      frozen
        ? blocked
        : amount > money
          ? refuse('balance too low')
          : [{ money: money - amount, frozen }, undefined],
    empty: ({ money, frozen }: Account) =>
      oneOf(
        money > 0 ? [{ money: 0, frozen }, money] : refuse('nothing there'),
        money > 1 ? [{ money: 1, frozen }, money - 1] : refuse('too little there'),
      ),
    freeze: (state: Account) => [{ ...state, frozen: !state.frozen }, undefined],
  },
};
type Account = { money: number; frozen: boolean };

export const subjects: Readonly<Record<string, Subject>> = {
  register: {
    spec: register({ initial: 0 }) as Spec,
    calls: [['write', 0], ['write', 1], ['read'], ['read']],
  },
  'cas-register': {
    spec: casRegister({ initial: 0 }) as Spec,
    calls: [['write', 1], ['read'], ['cas', 0, 1], ['cas', 1, 2], ['cas', 1, 0]],
  },
  counter: {
    spec: counter() as Spec,
    calls: [['increment'], ['decrement', 1], ['increment', 2], ['read'], ['read']],
  },
  queue: {
    spec: queue() as Spec,
    calls: [['enqueue', 1], ['enqueue', 2], ['enqueue', null], ['dequeue'], ['dequeue'], ['peek']],
  },
  'queue without peek': {
    spec: queue() as Spec,
    calls: [['enqueue', 1], ['enqueue', 2], ['dequeue'], ['dequeue']],
  },
  stack: { spec: stack() as Spec, calls: [['push', 1], ['push', 2], ['pop'], ['pop'], ['peek']] },
  deque: { spec: deque() as Spec, calls: [['pushFront', 1], ['pushBack', 2], ['popFront'], ['popBack']] },
  'priority-queue': {
    spec: priorityQueue() as Spec,
    calls: [['insert', 1, 0], ['insert', 2, 0], ['insert', 3], ['deleteMin'], ['deleteMin'], ['min']],
  },
  set: {
    spec: set() as Spec,
    calls: [
      ['insert', 1],
      ['members'],
      ['add', 1],
      ['add', 2],
      ['remove', 1],
      ['remove', 2],
      ['contains', 1],
      ['contains', 2],
    ],
  },
  map: {
    spec: map() as Spec,
    calls: [
      ['put', 'a', 1],
      ['put', 'b', 2],
      ['get', 'a'],
      ['remove', 'a'],
      ['cas', 'a', 1, 2],
      ['getOrElseUpdate', 'b', 3],
      ['get', 'b'],
    ],
  },
  'txn-map': {
    spec: txnMap({ initial: 0 }) as Spec,
    calls: [
      ['txn', [['r', 'x', null]]],
      ['txn', [['w', 'x', 1]]],
      [
        'txn',
        [
          ['r', 'x', null],
          ['w', 'y', 1],
        ],
      ],
      [
        'txn',
        [
          ['r', 'y', null],
          ['w', 'x', 2],
        ],
      ],
      [
        'txn',
        [
          ['r', 'z', null],
          ['w', 'z', []],
        ],
      ],
      ['txn', [['append', 'z', 1]]],
    ],
  },
  mutex: { spec: mutex() as Spec, calls: [['lock'], ['unlock'], ['tryLock']] },
  semaphore: {
    spec: semaphore({ permits: 2 }) as Spec,
    calls: [['acquire'], ['acquire', 2], ['release'], ['tryAcquire', 2]],
  },
  latch: { spec: latch({ count: 2 }) as Spec, calls: [['signal'], ['wait'], ['count']] },
  'lossy queue': { spec: lossyQueue, calls: [['enqueue', 1], ['enqueue', 2], ['dequeue'], ['dequeue']] },
  box: { spec: box, calls: [['put', 1], ['put', 2], ['take'], ['close']] },
  account: {
    spec: account,
    calls: [['deposit'], ['deposit'], ['withdraw', 1], ['withdraw', 2], ['empty'], ['freeze']],
  },
};
