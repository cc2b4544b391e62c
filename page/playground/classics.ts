/** The examples of the playground: classic mistakes, and a paragraph on each. */
import aba from './classics/aba.scenario.ts?raw';
import bargingLock from './classics/barging-lock.scenario.ts?raw';
import brokenBarrier from './classics/broken-barrier.scenario.ts?raw';
import checkThenAct from './classics/check-then-act.scenario.ts?raw';
import doubleChecked from './classics/double-checked.scenario.ts?raw';
import fetchedOnce from './classics/fetched-once.ts?raw';
import lostUpdate from './classics/lost-update.scenario.ts?raw';
import lostWakeUp from './classics/lost-wake-up.scenario.ts?raw';
import peterson from './classics/peterson.scenario.ts?raw';
import staleCache from './classics/stale-cache.scenario.ts?raw';
import tornRead from './classics/torn-read.scenario.ts?raw';
import twoLockQueue from './classics/two-lock-queue.scenario.ts?raw';
import { OWN_SPEC } from './question.js';

interface AnyClassic {
  /** Its address: `#lost-update`. */
  readonly id: string;
  readonly title: string;
  /** One paragraph. */
  readonly about: string;
  /** The first line of the result. */
  readonly verdict: string;
}

export interface HistoryClassic extends AnyClassic {
  readonly object: string;
  /** As JSON. */
  readonly options?: string;
  /** With `OWN_SPEC`: a module. */
  readonly spec?: string;
  readonly text: string;
}

export interface ScheduleClassic extends AnyClassic {
  /** A module with a scenario, or with tests by `everySchedule`. */
  readonly text: string;
}

export type Classic = HistoryClassic | ScheduleClassic;

export const isHistory = (classic: Classic): classic is HistoryClassic => 'object' in classic;

const ACCOUNT = `import type { Spec } from 'straightedge';

// An account that is never overdrawn.
const account: Spec = {
  name: 'account',
  initial: 0,
  methods: {
    deposit: (balance: number, amount: number) => [balance + amount, null],
    withdraw: (balance: number, amount: number) =>
      balance >= amount ? [balance - amount, true] : [balance, false],
    balance: (balance: number) => [balance, balance],
  },
};
export default account;
`;

export const CLASSICS: readonly Classic[] = [
  {
    id: 'overtaken',
    title: 'A queue that overtakes',
    about:
      'Two values are put in one after the other, and the second comes out first. Change the drawing: let the two enqueues overlap, and both orders are allowed.',
    verdict: '✗ not linearizable',
    object: 'queue',
    text: `A  |- enqueue(1) -|                   |- dequeue() -> 2 -|
B                    |- enqueue(2) -|                        |- dequeue() -> 1 -|
`,
  },
  {
    id: 'replica-lag',
    title: 'Replica lag',
    about:
      'A write has returned, and a process that reads another replica still gets the old value. The sequence of each process is plausible; only the real-time order between processes shows the fault. The report says which weaker guarantees still hold.',
    verdict: '✗ not linearizable',
    object: 'register',
    options: '{"initial": 0}',
    text: `writer    |- write(1) -|
primary                  |- read() -> 1 -|
replica                                    |- read() -> 0 -|  |- read() -> 1 -|
`,
  },
  {
    id: 'lost-update',
    title: 'Lost update: two equal tickets',
    about:
      'Two processes draw a number from the same counter, and both get 0: each read the counter before the other had written it. One of the two increments is lost.',
    verdict: '✗ not linearizable',
    object: 'fetch-and-add',
    text: `A  |- add(1) -> 0 -|
B      |- add(1) -> 0 -|
C                         |- read() -> 1 -|
`,
  },
  {
    id: 'unknown-outcome',
    title: 'A call without an answer',
    about:
      'A write ran into a timeout, so it is unknown whether it took effect. The later read shows that it did. Such a call may take effect at any time after its start, or never; both are considered. Make the second read return 0: then the write can have taken effect at no time.',
    verdict: '✓ linearizable',
    object: 'register',
    options: '{"initial": 0}',
    text: `A  |- write(1) -?
B        |- read() -> 0 -|   |- read() -> 1 -|
`,
  },
  {
    id: 'herlihy-wing-order',
    title: 'Herlihy–Wing queue: no fixed instant',
    about:
      'In the queue of Herlihy and Wing, an enqueue reserves a slot first and fills it later. Which of two overlapping enqueues comes first is decided only by the dequeues that follow, so no line of the code is the instant at which an enqueue takes effect. The history is linearizable nevertheless: step through the linearization that was found.',
    verdict: '✓ linearizable',
    object: 'queue',
    text: `A  |- enqueue("a") --------------------|
B     |- enqueue("b") -|
C                         |- dequeue() -> "b" -|  |- dequeue() -> "a" -|
`,
  },
  {
    id: 'two-holders',
    title: 'A lock with two holders',
    about:
      'A lock service grants a lease to a second process before the first has released it. The spec keeps the owner of the mutex, so no linearization includes the second lock.',
    verdict: '✗ not linearizable',
    object: 'owned-mutex',
    text: `A  |- lock("A") -|                      |- unlock("A") -|
B                    |- lock("B") -|
`,
  },
  {
    id: 'overdrawn',
    title: 'Check-then-act on an account, with a spec',
    about:
      'Two withdrawals look at the balance, find enough, and both pay out. The spec below says what one withdrawal may do; no sequential order of the two gives both results.',
    verdict: '✗ not linearizable',
    object: OWN_SPEC,
    spec: ACCOUNT,
    text: `A  |- deposit(100) -> null -|  |- withdraw(80) -> true -|
B                                 |- withdraw(80) -> true -|
`,
  },
  {
    id: 'broken-barrier-history',
    title: 'A barrier that opens early',
    about:
      'Calls of a barrier take effect together: two of them must overlap. A and B can pass it together; then no call is left for C, which returned nevertheless. Let a fourth process D call sync while C waits.',
    verdict: '✗ not synchronisation linearizable',
    object: 'barrier',
    options: '{"parties": 2}',
    text: `A  |- sync() ----------------------|
B     |- sync() -|
C                   |- sync() -|
`,
  },
  {
    id: 'lost-update-in-code',
    title: 'Lost update',
    about:
      'add reads the value and writes it one line later. Between the two, another thread reads the same value, and one of the two additions is lost. Step through the interleaving on the right, line by line.',
    verdict: '✗ not linearizable',
    text: lostUpdate,
  },
  {
    id: 'check-then-act',
    title: 'Check-then-act across an await',
    about:
      'The seat is checked before the await and taken after it. All threads of async code share one event loop, but other calls run at each await: both see the free seat. Move the subtraction before the await, and every schedule passes.',
    verdict: '✗ not linearizable',
    text: checkThenAct,
  },
  {
    id: 'fetched-once',
    title: 'A test under every schedule',
    about:
      'An ordinary test with an assertion, and no scenario: everySchedule runs its body under every order of the two parts and of the answers of the stub. Two requests find no token, so both fetch one. Keep the promise instead of the token, and the test passes.',
    verdict: '✗ the test fails',
    text: fetchedOnce,
  },
  {
    id: 'double-checked',
    title: 'Double-checked locking',
    about:
      'The first check is made without the lock, to be fast. It is only safe if the flag is set after the value: here a second thread sees the flag, skips the lock, and reads a value that is not there yet. Swap the two lines.',
    verdict: '✗ not linearizable',
    text: doubleChecked,
  },
  {
    id: 'aba',
    title: 'ABA',
    about:
      'A thread reads the top of a stack and its next node, and pauses. Meanwhile the node is popped and pushed again. The compare-and-set sees the same node and succeeds, with a next node and a value that are old. Give each push a new node, and it passes.',
    verdict: '✗ not linearizable',
    text: aba,
  },
  {
    id: 'torn-read',
    title: 'Torn read',
    about:
      'An update writes two fields in two steps. A read between them sees half of the update: a range that never existed.',
    verdict: '✗ not linearizable',
    text: tornRead,
  },
  {
    id: 'lost-wake-up',
    title: 'Lost wake-up',
    about:
      'take looks for a letter before it holds the lock. If the letter arrives in between, the notification wakes no thread, and the thread waits forever. Check the condition inside the lock, in a loop.',
    verdict: '✗ blocked forever',
    text: lostWakeUp,
  },
  {
    id: 'barging-lock',
    title: 'A lock that lets newcomers barge in',
    about:
      'release frees the lock and then wakes the first waiting call, which takes the lock without checking it. Another call may have taken it in between, so two hold it. Hand the lock over, or check again after waking.',
    verdict: '✗ not linearizable',
    text: bargingLock,
  },
  {
    id: 'stale-cache',
    title: 'Stale cache',
    about:
      'A reader loads the old price and is slow. Meanwhile the price changes and the cache is emptied. Then the reader stores what it had loaded, and all callers read the old price from now on.',
    verdict: '✗ not linearizable',
    text: staleCache,
  },
  {
    id: 'peterson',
    title: 'Peterson with swapped lines',
    about:
      'If all threads see memory accesses in one order, the lock of Peterson needs no atomic instructions, but the order of its two writes matters: first announce that you want to enter, then let the other thread go first. In the other order, both threads can enter. Swap them back, and no schedule fails.',
    verdict: '✗ not linearizable',
    text: peterson,
  },
  {
    id: 'broken-barrier',
    title: 'A broken barrier',
    about:
      'Two threads wait for each other at the barrier and continue together. The count is never reset, so a third call passes alone: the second round is open before the second thread has arrived.',
    verdict: '✗ not synchronisation linearizable (no sequence of rendezvous gives these results)',
    text: brokenBarrier,
  },
  {
    id: 'two-lock-queue',
    title: 'Two-lock queue',
    about:
      'The queue of Michael and Scott has one lock for each end, and a dummy node that keeps them apart, so an enqueue and a dequeue never wait for each other. Every schedule of the tests passes, and the report says what was covered. Remove a lock and see which one was needed.',
    verdict: '✓ no violation',
    text: twoLockQueue,
  },
];
