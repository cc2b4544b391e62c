/**
 * Proofs for any number of calls: how many states the most general client has, and the shortest counterexamples.
 *
 * Each object is explored by 2 threads, then 3 and 4, until it has a violation or too many states. A row is wrong if a correct object
 * has a violation, if a faulty one is proved for the number of threads that its fault needs, or if it fails with fewer or otherwise.
 * A search that does not close is never wrong: it claims nothing.
 */
import { cpuTime } from '../../bench/measure.js';
import { Deadline } from '../../src/explore/model/deadline.js';
import { type Proof, prove } from '../../src/explore/prove/prove.js';
import { scenariosIn } from '../lib/scenarios.js';
import type { Table } from '../lib/table.js';
import { matrixText } from '../lib/tests.js';

/** States after which a search is given up, and the largest number of threads. */
const MOST_STATES = 10_000;
const MOST_THREADS = 4;

interface Input {
  readonly file: 'locks' | 'waiting' | 'containers';
  readonly name: string;
  /** The fault, and the number of threads that it needs. */
  readonly fault?: readonly [kind: 'outcome' | 'wait', threads: number];
  /** For how many threads the object is made. */
  readonly threads?: number;
}

interface Row extends Input {
  readonly threads: number;
  readonly states: number;
  readonly seconds: number;
  readonly verdict: 'proved' | 'outcome' | 'wait' | 'not closed';
  /** The shortest counterexample. */
  readonly steps?: number | undefined;
  readonly calls?: string | undefined;
  /** What grows. */
  readonly advice?: string | undefined;
  readonly isRight: boolean;
}

const of = (file: Input['file'], inputs: readonly Omit<Input, 'file'>[]): Input[] =>
  inputs.map((input) => ({ file, ...input }));

const INPUTS: readonly Input[] = [
  ...of('locks', [
    { name: 'spinLock' },
    { name: 'testThenSetLock', fault: ['outcome', 2] },
    { name: 'ticketLock4' },
    { name: 'ticketLock2', fault: ['outcome', 3] },
    { name: 'futexLock' },
    { name: 'forgetfulFutexLock', fault: ['wait', 3] },
    { name: 'lateFutexLock', fault: ['wait', 2] },
    { name: 'petersonLock', threads: 2 },
    { name: 'turnFirstLock', fault: ['outcome', 2], threads: 2 },
    { name: 'filterLock2', threads: 2 },
    { name: 'filterLock3', threads: 3 },
    { name: 'leakyFilterLock3', fault: ['outcome', 3], threads: 3 },
    { name: 'politeLock', fault: ['wait', 2], threads: 2 },
  ]),
  ...of('waiting', [
    { name: 'futexSemaphore' },
    { name: 'forgetfulSemaphore', fault: ['wait', 4] },
    { name: 'spinReadWriteLock' },
    { name: 'lossyReadWriteLock', fault: ['outcome', 2] },
    { name: 'futexReadWriteLock' },
    { name: 'silentReadWriteLock', fault: ['wait', 2] },
    { name: 'countDownLatch' },
    { name: 'lossyLatch', fault: ['wait', 2] },
    { name: 'manualEvent' },
    { name: 'lateManualEvent', fault: ['wait', 2] },
  ]),
  ...of('containers', [
    { name: 'spscRing', threads: 2 },
    { name: 'indexFirstRing', fault: ['outcome', 2], threads: 2 },
    { name: 'ticketRing' },
    { name: 'sequenceFirstRing', fault: ['outcome', 2] },
    { name: 'tryRing', fault: ['outcome', 2] },
    { name: 'versionSeqlock' },
    { name: 'uncheckedSeqlock', fault: ['outcome', 2] },
    { name: 'treiberStack' },
    { name: 'doubleReadStack', fault: ['outcome', 2] },
    { name: 'poolStack' },
    { name: 'untaggedPoolStack', fault: ['outcome', 2] },
    { name: 'garbageQueue' },
    { name: 'poolQueue' },
    { name: 'swingingQueue', fault: ['outcome', 2] },
  ]),
];

export const proofs: Table<Input, Row> = {
  inputs: () => INPUTS,
  nameOf: ({ name }) => name,
  rowsOf,
  headOf: () =>
    'object               threads   states    CPU s  verdict     shortest counterexample, or what grows',
  textOf: ({ name, threads, states, seconds, verdict, steps, calls, advice }) =>
    [
      name.padEnd(20),
      String(threads).padStart(7),
      (calls === undefined ? String(states) : '').padStart(8),
      seconds.toFixed(1).padStart(8),
      ` ${verdict.padEnd(10)}`,
      ` ${calls === undefined ? (advice ?? '') : `${steps} steps: ${calls}`}`,
    ].join(' '),
};

function rowsOf(input: Input, seed: number): Row[] {
  const scenario = scenariosIn(`proofs/scenarios/${input.file}.scenario.ts`)[input.name];
  const rows: Row[] = [];
  let before = 0;
  for (let threads = 2; threads <= (input.threads ?? MOST_THREADS); threads++) {
    const begin = cpuTime();
    const options = { ...scenario.prove, lockFree: false, maxStates: MOST_STATES, seed, threads };
    const proof = prove(scenario, options, new Deadline(Number.POSITIVE_INFINITY));
    const spent = cpuTime() - begin;
    const row = rowOf(input, threads, proof, Math.max(0, spent - before) / 1_000);
    rows.push(row);
    if (row.verdict !== 'proved') break;
    before = spent;
  }
  return rows;
}

function rowOf(input: Input, threads: number, proof: Proof, seconds: number): Row {
  const { isProved, counterexample, sizes, states = 0, advice } = proof;
  const verdict = isProved ? 'proved' : (counterexample?.kind ?? 'not closed');
  const [kind, least] = input.fault ?? [];
  const isFaulty = least !== undefined && threads >= least;
  return {
    ...input,
    threads,
    states: isProved ? sizes[sizes.length - 1].states : states,
    seconds,
    verdict,
    isRight: verdict === 'not closed' || verdict === (isFaulty ? kind : 'proved'),
    ...(verdict === 'not closed' && { advice }),
    ...(counterexample && { steps: counterexample.schedule.length, calls: matrixText(counterexample.test) }),
  };
}
