/** The examples of the playground: classic mistakes, and a paragraph on each. */
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

export type Classic = HistoryClassic;

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
      'A write has returned, and a client that reads another replica still gets the old value. Each client by itself sees a sensible sequence; only the order between clients in real time shows the fault. The report says which weaker guarantees still hold.',
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
      'Two clients draw a number from the same counter, and both get 0: each read the counter before the other had written it. One of the two increments is lost.',
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
      'A write ran into a timeout, so it is unknown whether it took effect. The later read shows that it did. Such a call may take effect at any time after its start, or never; both are tried. Make the second read return 0, and no moment is left for it.',
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
      'In the queue of Herlihy and Wing, an enqueue reserves a slot first and fills it later. Which of two overlapping enqueues comes first is decided only by the dequeues that follow, so no line of the code is the instant at which an enqueue takes effect. The history is linearizable all the same: step through the order that was found.',
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
      'A lock service grants a lease to a second client before the first has let go. The owned mutex knows who holds it, so the second lock has no place in any order.',
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
      'Two withdrawals look at the balance, find enough, and both pay out. The spec below says what one withdrawal may do; no order of the two explains both results.',
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
      'Calls of a barrier take effect together: two of them must overlap. A and B can open it together; then no caller is left for C, which returned all the same. Let a fourth process D call sync while C waits.',
    verdict: '✗ not synchronisation linearizable',
    object: 'barrier',
    options: '{"parties": 2}',
    text: `A  |- sync() ----------------------|
B     |- sync() -|
C                   |- sync() -|
`,
  },
];
