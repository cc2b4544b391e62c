/**
 * Measures checks of rendezvous objects.
 *
 * First, how time grows with the length of a history: channels and exchangers, 8 processes, distinct values and ten
 * values, 10^4 to 10^6 calls, correct and with one incorrect result near the end; each in a process of its own, CPU time,
 * mean and 95 % interval of 5 runs. The exponent is that of the best runs.
 *
 * Then the parameters of figures 10 to 12 of Lawrence and Lowe: threads, and operations of each; the direct algorithm
 * that `auto` chooses, the searches just in time and as soon as possible, and two-step; mean and 95 % interval over ten
 * seeds. The paper measures the time to find a fault with running threads; here it is the check alone, of a history with
 * one incorrect result and of a correct one.
 *
 * `npm run bench -- sync growth` or `sync figures` runs one part, and `sync growth channel` one object.
 */
import { check } from 'straightedge';
import { cpuTime, estimate, exponent, inOwnProcess, ownJob, showEstimate } from './measure.js';
import {
  type RendezvousObject,
  type RendezvousSimulation,
  rendezvousSpec,
  simulateRendezvous,
} from './rendezvous-workload.js';

const SIZES = [10_000, 100_000, 1_000_000];
const RUNS = 5;
const DISTINCT = 2 ** 30;
const SEEDS = 10;
/** Milliseconds after which a check is abandoned, and the algorithm with it for the other seeds. */
const TIMEOUT = 2_000;

const ALGORITHMS = ['auto', 'rendezvous-jit', 'rendezvous-asap', 'two-step'] as const;

interface Measured {
  readonly verdict: string;
  readonly milliseconds: number;
}

const [part, only] = process.argv.slice(2);
if (part?.startsWith('{')) console.log(JSON.stringify(measure(ownJob<RendezvousSimulation>())));
else {
  if (part !== 'figures') growth();
  if (part !== 'growth') figures();
}

function measure(simulation: RendezvousSimulation): Measured {
  const history = simulateRendezvous(simulation);
  const begin = cpuTime();
  const { kind } = check(history, rendezvousSpec(simulation));
  return { verdict: kind, milliseconds: cpuTime() - begin };
}

/** The requested objects. */
function chosen(objects: readonly RendezvousObject[]): readonly RendezvousObject[] {
  return only === undefined ? objects : objects.filter((object) => object === only);
}

function growth(): void {
  console.log('object       values    verdict          calls          CPU ms  µs a call');
  for (const object of chosen(['channel', 'exchanger']))
    for (const values of [DISTINCT, 10])
      for (const wrong of [{}, { wrongAt: 0.9 }]) {
        const rows = SIZES.map((calls) => {
          const job: RendezvousSimulation = { object, values, calls, processes: 8, seed: 1, ...wrong };
          const runs = Array.from({ length: RUNS }, () =>
            inOwnProcess<RendezvousSimulation, Measured>(new URL(import.meta.url), job),
          ).filter((own) => own !== undefined);
          const times = runs.map(({ milliseconds }) => milliseconds);
          const spent = estimate(times);
          console.log(
            object.padEnd(13) +
              (values === DISTINCT ? 'distinct' : String(values)).padEnd(10) +
              [...new Set(runs.map(({ verdict }) => verdict))].join('/').padEnd(13) +
              String(calls).padStart(9) +
              showEstimate(spent).padStart(16) +
              ((1000 * spent.mean) / calls).toFixed(2).padStart(11),
          );
          return [calls, Math.min(...times)] as const;
        });
        console.log(`  exponent over n: ${exponent(rows).toFixed(2)}`);
      }
}

function figures(): void {
  console.log(
    '\nobject           threads × calls   verdict           direct ms    just in time ms as soon as poss. ms        two steps ms',
  );
  const shapes = [
    ...[2, 4, 8, 16].map((threads) => [threads, 4] as const),
    ...[8, 16, 32].map((calls) => [4, calls] as const),
  ];
  // a barrier has no result that could be incorrect
  for (const object of chosen(['channel', 'counter-channel', 'abc', 'barrier']))
    for (const [threads, calls] of object === 'abc'
      ? shapes.map(([t, c]) => [3 * (t >> 1), c] as const)
      : shapes)
      for (const wrong of object === 'barrier' ? [{}] : [{}, { wrongAt: 0.8 }])
        compare(object, threads, calls, wrong);
}

function compare(
  object: RendezvousObject,
  threads: number,
  calls: number,
  wrong: Pick<RendezvousSimulation, 'wrongAt'>,
): void {
  const kinds = new Set<string>();
  const times = ALGORITHMS.map((): number[] => []);
  const isGivenUp = ALGORITHMS.map(() => false);
  // the first seed is for warm-up
  for (let seed = 0; seed <= SEEDS; seed++) {
    const simulation = { object, processes: threads, calls: threads * calls, values: 100, seed, ...wrong };
    const history = simulateRendezvous(simulation);
    const spec = rendezvousSpec(simulation);
    for (const [i, algorithm] of ALGORITHMS.entries()) {
      if (isGivenUp[i]) continue;
      const begin = cpuTime();
      const { kind } = check(history, spec, { algorithm, timeout: TIMEOUT });
      if (kind === 'undecided') isGivenUp[i] = true;
      else kinds.add(kind);
      if (seed > 0) times[i].push(cpuTime() - begin);
    }
  }
  const shown = times.map((own, i) =>
    (isGivenUp[i] ? `over ${TIMEOUT / 1_000} s` : showEstimate(estimate(own))).padStart(19),
  );
  console.log(
    object.padEnd(17) +
      `${threads} × ${calls}`.padStart(15) +
      `   ${[...kinds].join('/').padEnd(13)}` +
      shown.join('').slice(5),
  );
}
