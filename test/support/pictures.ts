/** The histories whose reports are in the gallery. */
import { parseHistory } from '../../src/formats/read-history.js';
import { sketch } from '../../src/history/drawing/sketch.js';
import type { History } from '../../src/history/history.js';
import { fetchAndAdd } from '../../src/objects/cells/counter.js';
import { register } from '../../src/objects/cells/register.js';
import { queue, stack } from '../../src/objects/collections/container.js';
import { map } from '../../src/objects/collections/map.js';
import { priorityQueue } from '../../src/objects/collections/priority-queue.js';
import { set } from '../../src/objects/collections/set.js';
import { latch } from '../../src/objects/locks/event.js';
import { mutex, ownedMutex } from '../../src/objects/locks/mutex.js';
import { barrier } from '../../src/objects/rendezvous/barrier.js';
import { channel, closeableChannel, counterChannel } from '../../src/objects/rendezvous/channel.js';
import { exchanger } from '../../src/objects/rendezvous/exchanger.js';
import type { AnySpec, SyncSpec } from '../../src/spec/rendezvous/sync-spec.js';
import { refuse, type Spec } from '../../src/spec/spec.js';

const stuck = (lines: readonly string[]): History => parseHistory([...lines, '{"stuck":true}'].join('\n'));
const many = (count: number): History =>
  parseHistory(
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({
        process: `p${i % 3}`,
        method: i % 2 ? 'dequeue' : 'enqueue',
        args: i % 2 ? [] : [i],
        result: i % 2 ? (i === count - 1 ? 'lost' : i - 1) : null,
        call: 2 * i,
        return: 2 * i + 3,
      }),
    ).join('\n'),
  );

const account: Spec = {
  name: 'account',
  initial: 0,
  methods: {
    deposit: (money: number, amount: number) => [money + amount, undefined],
    withdraw: (money: number, amount: number) =>
      amount > money ? refuse('balance too low') : [money - amount, true],
  },
};

export interface Picture {
  readonly history: History;
  readonly spec: AnySpec;
  readonly ascii?: boolean;
  readonly width?: number;
  readonly steps?: number;
  readonly witness?: boolean;
}

/** What searches find out. */
const SEARCHED: Readonly<Record<string, Picture>> = {
  'queue-out-of-order': {
    history: sketch`
      A  |- enqueue(1) -|                     |- dequeue() -> 2 -|
      B                    |- enqueue(2) -|                          |- dequeue() -> 1 -|`,
    spec: queue() as Spec,
  },
  'first-operation-wrong': { history: sketch`A |- dequeue() -> 7 -|`, spec: queue() as Spec },
  'wrong-null-is-shown': { history: sketch`A |- put("x", 1) -| |- get("x") -> null -|`, spec: map() as Spec },
  'in-columns': {
    history: sketch`
      worker-one    |- write({"name":"a long value"}) -|                                     |- read() -> null -|
      worker-two       |- write({"name":"another one"}) -|
      worker-three                                            |- write({"name":"third"}) -?`,
    spec: register() as Spec,
    width: 80,
  },
  'in-columns-ascii': {
    history: sketch`
      worker-one    |- write({"name":"a long value"}) -|                                     |- read() -> null -|
      worker-two       |- write({"name":"another one"}) -|`,
    spec: register() as Spec,
    width: 60,
    ascii: true,
  },
  'failed-and-annotated': {
    history: parseHistory(
      [
        '{"process":"A","method":"write","args":[1],"call":1,"return":2}',
        '{"annotation":"node 2 killed","at":3}',
        '{"process":"B","method":"write","args":[2],"failed":"refused","call":4,"return":9}',
        '{"process":"A","method":"read","args":[],"result":2,"call":5,"return":8}',
      ].join('\n'),
    ),
    spec: register() as Spec,
  },
  'two-orders': {
    history: sketch`
      A  |- enqueue(0) -| |- enqueue(1) -|
      B                    |- enqueue(2) -|  |- dequeue() -> 0 -| |- dequeue() -> 3 -|`,
    spec: queue() as Spec,
  },
  'first-return-of-several': {
    history: sketch`
      A  |- enqueue(1) ----------------|
      B     |- dequeue() -> 7 -|`,
    spec: queue() as Spec,
  },
  'reads-left-out': {
    history: sketch`
      A  |- write(1) -|  |- read() -> 1 -|  |- write(2) -|
      B     |- read() -> null -|                            |- read() -> 1 -|
      C                                       |- read() -> 2 -|`,
    spec: register() as Spec,
  },
  'only-reads-before': {
    history: sketch`A |- read() -> null -| |- read() -> 7 -|`,
    spec: register() as Spec,
  },
  refused: {
    history: sketch`
      A  |- deposit(100) -| |- withdraw(80) -> true -|
      B                      |- withdraw(50) -> true -|`,
    spec: account,
  },
  'refused-wait': {
    history: stuck([
      '{"process":"A","method":"deposit","args":[1],"call":1,"return":2}',
      '{"process":"B","method":"withdraw","args":[5],"call":3}',
    ]),
    spec: account,
  },
  'long-history': { history: many(60), spec: queue() as Spec, width: 120 },
  'needless-wait': {
    history: stuck([
      '{"process":"A","method":"lock","args":[],"call":1,"return":2}',
      '{"process":"A","method":"unlock","args":[],"call":3,"return":4}',
      '{"process":"B","method":"lock","args":[],"call":5}',
    ]),
    spec: mutex() as Spec,
  },
  'must-wait': { history: sketch`A |- wait() -|`, spec: latch() as Spec },
  'control-characters': {
    history: sketch`"a\\u001b[31m" |- write("\\u001b[2J\\u202e") -| |- read() -> "\\u0007" -|`,
    spec: register() as Spec,
  },
  undecided: { history: many(60), spec: queue() as Spec, steps: 5 },
  witness: {
    history: sketch`A |- enqueue(1) -|
                             B    |- dequeue() -> 1 -|`,
    spec: queue() as Spec,
    witness: true,
  },
  'witness-ascii': {
    history: sketch`
      A  |- write(1) -------------------|
      B     |- read() -> 2 -|  |- read() -> 1 -|
      C  |- write(2) -----------?`,
    spec: register() as Spec,
    witness: true,
    ascii: true,
  },
  'witness-in-columns': {
    history: sketch`
      A  |- put("session-4711", "anna@example.org") -|
      B     |- put("session-4711", "bert@example.org") -|  |- get("session-4711") -> "anna@example.org" -|`,
    spec: map() as Spec,
    witness: true,
    width: 98,
  },
};

/** What monitors find out. */
const MONITORED: Readonly<Record<string, Picture>> = {
  'fetch-and-add-same-twice': {
    history: sketch`
      A  |- add(1) -> 0 -|  |- add(1) -> 1 -|
      B                       |- add(1) -> 1 -|`,
    spec: fetchAndAdd() as Spec,
  },
  'fetch-and-add-passed-over': {
    history: sketch`
      A  |- add(2) -> 0 -|
      B     |- read() -> 1 -|`,
    spec: fetchAndAdd() as Spec,
  },
  'fetch-and-add-backwards': {
    history: sketch`
      A  |- add(1) -> 1 -|
      B     |- add(1) -?    |- add(1) -> 0 -|`,
    spec: fetchAndAdd() as Spec,
  },
  'fetch-and-add-unreached': {
    history: sketch`
      A  |- add(1) -> 0 -|  |- read() -> 4 -|
      B     |- add(1) -?
      C     |- add(1) -?`,
    spec: fetchAndAdd() as Spec,
  },
  'owned-mutex-two-holders': {
    history: sketch`
      A  |- lock("A") -|                            |- unlock("A") -|
      B                 |- tryLock("B") -> true -|`,
    spec: ownedMutex() as Spec,
  },
  'owned-mutex-not-held': {
    history: sketch`
      A  |- lock("A") -|  |- unlock("A") -|
      B                     |- unlock("B") -|`,
    spec: ownedMutex() as Spec,
  },
  'owned-mutex-surely-held': {
    history: sketch`
      A  |- lock("A") -|                               |- unlock("A") -|
      B                  |- unlock("B") ! NotLocked -|`,
    spec: ownedMutex() as Spec,
  },
  'owned-mutex-surely-free': {
    history: sketch`
      A  |- lock("A") -|  |- unlock("A") -|                             |- lock("A") -|
      B                                      |- tryLock("B") -> false -|`,
    spec: ownedMutex() as Spec,
  },
  'set-key-alone': {
    history: sketch`
      A  |- add(1) -> true ---------------------------------------------------------------------------|
      B     |- remove(1) -> true -|  |- add(1) -> true -|  |- add(2) -> true -|  |- contains(1) -> false -|`,
    spec: set() as Spec,
  },
  'queue-overtaken': {
    history: sketch`
      A  |- enqueue(1) -|                     |- dequeue() -> 2 -|
      B                    |- enqueue(2) -|                          |- dequeue() -> 1 -|`,
    spec: queue() as Spec,
  },
  'queue-overtaken-at-first': {
    history: sketch`A  |- enqueue(1) -|  |- dequeue() -> 1 -|`,
    spec: queue({ initial: [5, 6] }) as Spec,
  },
  'queue-too-few-pending': {
    history: sketch`
      A  |- enqueue(1) -|  |- enqueue(2) -|  |- enqueue(3) -|  |- dequeue() -> 3 -|
      B    |- dequeue() -?`,
    spec: queue() as Spec,
  },
  'queue-never-empty': {
    history: sketch`
      A  |- enqueue(1) -|  |- enqueue(2) -|  |- dequeue() -> 1 -|
      B                  |- dequeue() -> null --------------------------|`,
    spec: queue() as Spec,
  },
  'queue-in-turns': {
    history: sketch`
      A  |- enqueue(1) ---|  |- peek() -> 1 -|  |- peek() -> 2 -|
      B   |- enqueue(2) -|                                        |- peek() -> 1 -|`,
    spec: queue() as Spec,
  },
  'queue-from-nowhere': {
    history: sketch`
      A  |- enqueue(1) -|  |- enqueue(2) -|  |- dequeue() -> 1 -|
      B                                          |- dequeue() -> 7 -|`,
    spec: queue() as Spec,
  },
  'queue-taken-twice': {
    history: sketch`
      A  |- enqueue(1) -|  |- dequeue() -> 1 -|
      B                        |- dequeue() -> 1 -|`,
    spec: queue() as Spec,
  },
  'queue-too-early': {
    history: sketch`A  |- dequeue() -> 1 -|  |- enqueue(1) -|`,
    spec: queue() as Spec,
  },
  'queue-too-late': {
    history: sketch`A  |- enqueue(1) -|  |- dequeue() -> 1 -|  |- peek() -> 1 -|`,
    spec: queue() as Spec,
  },
  'stack-tangled': {
    history: sketch`
      A  |- push(1) -|                  |- pop() -> 1 -|
      B                 |- push(2) -|                    |- pop() -> 2 -|`,
    spec: stack() as Spec,
  },
  'stack-tangled-at-first': {
    history: sketch`A  |- pop() -> 5 -|`,
    spec: stack({ initial: [5, 6] }) as Spec,
  },
  'stack-tangle-of-three': {
    history: sketch`
      A  |- push(1) -|               |- pop() -> 1 -----------------|
      B                 |- push(2) -|               |- pop() -> 2 ---|  |- pop() -> 3 -|
      C                 |- push(3) ---------------|`,
    spec: stack() as Spec,
  },
  'stack-tangled-by-a-peek': {
    history: sketch`
      A  |- push(1) -|  |- push(2) -|
      B                               |- peek() -> 1 -|`,
    spec: stack() as Spec,
  },
  'stack-too-few-pending': {
    history: sketch`
      A  |- push(1) -|  |- push(2) -|  |- push(3) -|  |- pop() -> 1 -|
      B    |- pop() -?`,
    spec: stack() as Spec,
  },
  'priority-queue-not-the-first': {
    history: sketch`
      A  |- insert(5) -|  |- insert(1) -|  |- deleteMin() -> 5 -|
      B                                                            |- deleteMin() -> 1 -|`,
    spec: priorityQueue() as Spec,
  },
  'priority-queue-not-the-first-in-turns': {
    history: sketch`
      A  |- insert("c", 3) -| |- insert("a", 1) -|  |- deleteMin() -> "c" --------------------------------------|
      B                                                |- insert("b", 2) -|  |- deleteMin() -> "a" -|`,
    spec: priorityQueue() as Spec,
  },
};

/** Calls that meet. */
const MEETING: Readonly<Record<string, Picture>> = {
  'channel-witness': {
    history: sketch`
      A  |- send(1) -------------|
      B     |- receive() -> 1 -|     |- receive() -> 2 -|
      C        |- send(2) -------------------------------|`,
    spec: channel() as SyncSpec,
    witness: true,
  },
  'channel-witness-ascii': {
    history: sketch`
      A  |- send(1) ------------------------|
      B     |- send(2) -----------------|
      C        |- receive() -> 1 -------------|
      D           |- receive() -> 2 -|`,
    spec: channel() as SyncSpec,
    witness: true,
    ascii: true,
  },
  'channel-too-few-partners': {
    history: sketch`
      A  |- send(1) ------|
      B     |- send(1) -----|
      C        |- receive() -> 1 -|`,
    spec: channel() as SyncSpec,
  },
  'channel-lonely': {
    history: sketch`
      A  |- send(1) --------|
      B     |- receive() -> 2 -|`,
    spec: channel() as SyncSpec,
  },
  'channel-met-nobody': {
    history: sketch`
      A  |- send(1) -|                        |- send(3) -------|
      B    |- receive() -> 1 -|                 |- receive() -> 3 -|
      C                         |- send(2) -|`,
    spec: channel() as SyncSpec,
  },
  'channel-should-meet': {
    history: stuck([
      '{"process":"A","method":"send","args":[1],"call":0}',
      '{"process":"B","method":"receive","args":[],"call":1}',
    ]),
    spec: channel() as SyncSpec,
  },
  'channel-left-behind': {
    history: stuck([
      '{"process":"A","method":"receive","args":[],"result":2,"call":0,"return":5}',
      '{"process":"B","method":"send","args":[2],"call":1}',
      '{"process":"A","method":"send","args":[1],"call":6}',
    ]),
    spec: channel() as SyncSpec,
  },
  'exchanger-odd-groups': {
    history: sketch`
      A  |- exchange(1) -> 1 -----|
      B     |- exchange(1) -> 1 -----|
      C        |- exchange(1) -> 1 -----|`,
    spec: exchanger() as SyncSpec,
  },
  'counter-channel-unmet': {
    history: sketch`
      A  |- send("a") -> 1 -----------|
      B     |- receive() -> ["a", 1] -|    |- receive() -> ["b", 3] -|
      C                                      |- send("b") -> 3 ----------|`,
    spec: counterChannel() as SyncSpec,
  },
  'barrier-one-round-ahead': {
    history: sketch`
      T0    |- sync(0) -|  |- sync(0) -|
      T1  |- sync(1) ----------------------|`,
    spec: barrier() as SyncSpec,
  },
  'closeable-channel-met-and-closed': {
    history: sketch`
      A  |- receive() -> 2 -|  |- close() -|
      B     |- send(2) ! Closed ------------------|`,
    spec: closeableChannel() as SyncSpec,
  },
};

export const PICTURES: readonly (Picture & {
  readonly name: string;
  readonly algorithm: 'search' | 'monitor' | 'auto';
})[] = [SEARCHED, MONITORED, MEETING].flatMap((pictures) =>
  Object.entries(pictures).map(([name, picture]) => ({
    name,
    algorithm:
      pictures === SEARCHED
        ? ('search' as const)
        : pictures === MONITORED
          ? ('monitor' as const)
          : ('auto' as const),
    ...picture,
  })),
);
