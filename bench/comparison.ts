/**
 * Compares several searches on the same histories: one row of a table.
 *
 * Each history is checked by all searches before the next one is made, and another search goes first each time, so load
 * and warm-up affect all of them equally. Times are CPU times. A search that has used up its time for the row skips the rest, and
 * its total (~) is extrapolated from the runs that it did. A search that reached a limit is capped (!): its time counts
 * up to the limit.
 */
import { check, type History, type Limits, type Spec } from 'straightedge';
import type { Algorithm } from '../src/check/algorithms.js';
import { cpuTime, type Estimate, estimate, short, showEstimate } from './measure.js';

export interface Entrant {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly spec: Spec;
}

/** The measurements of one search in a row. */
interface Cell {
  readonly milliseconds: number[];
  capped: number;
}

/** The step limit of a search for one history, as in Lowe's experiments. */
const STEPS_OF_TREE = 1_000_000;
const STEPS_OF_GRAPH = 3_000_000;
const MILLISECONDS = 10_000;
const WARM_UPS = 2;
/** The largest accepted ratio of the time of `auto` to that of the best single search. */
const MOST_TIMES = 1.5;
const MOST_MORE = 10;

const WIDTH = 15;

export function printHeader(label: string, entrants: readonly Entrant[]): void {
  console.log(`\n${label}`);
  const names = entrants.map(({ name }) => name.padStart(WIDTH)).join('');
  console.log(`${' '.repeat(24)}${names}   best         auto/best`);
}

/**
 * Checks one history per run and prints the row. Each search stops after its time for the row. Returns whether `auto`
 * was fast enough.
 */
export function printRow(
  label: string,
  runs: number,
  seconds: number,
  entrants: readonly Entrant[],
  historyOf: (seed: number) => History,
): boolean {
  const cells = entrants.map((): Cell => ({ milliseconds: [], capped: 0 }));
  const spent = entrants.map(() => 0);
  const warmUps = Math.min(WARM_UPS, runs - 1);
  for (let run = -warmUps; run < runs; run++) {
    const history = historyOf(run + warmUps + 1);
    for (let turn = 0; turn < entrants.length; turn++) {
      const number = (turn + run + warmUps) % entrants.length;
      const isFirst = cells[number].milliseconds.length === 0;
      if (spent[number] > 1_000 * seconds && (run < 0 || !isFirst)) continue;
      const { milliseconds, decided } = timed(history, entrants[number]);
      spent[number] += milliseconds;
      if (run < 0) continue;
      cells[number].milliseconds.push(milliseconds);
      if (!decided) cells[number].capped++;
    }
  }
  return print(`${label} × ${runs}`, runs, entrants, cells);
}

function timed(history: History, { algorithm, spec }: Entrant): { milliseconds: number; decided: boolean } {
  const steps = algorithm.endsWith('tree') ? STEPS_OF_TREE : STEPS_OF_GRAPH;
  const limits: Limits = { maxSteps: steps, timeout: MILLISECONDS };
  const start = cpuTime();
  const { kind } = check(history, spec, { algorithm, ...limits });
  return { milliseconds: cpuTime() - start, decided: kind !== 'undecided' };
}

function print(label: string, runs: number, entrants: readonly Entrant[], cells: readonly Cell[]): boolean {
  const estimates = cells.map(({ milliseconds }) => estimate(milliseconds));
  const { best, ratio, isFast } = judge(entrants, cells, estimates);
  const line = (texts: readonly string[]) => texts.map((text) => text.padStart(WIDTH)).join('');
  console.log(
    `${label.padEnd(16)} mean ms${line(estimates.map(showEstimate))}   ${best.padEnd(12)}${ratio.toFixed(2).padStart(5)}${isFast ? '' : '  too slow'}`,
  );
  const totals = cells.map(({ milliseconds, capped }, i) => {
    const seconds = short((estimates[i].mean * runs) / 1_000);
    const isPartial = milliseconds.length < runs;
    return `${isPartial ? `~${seconds}` : seconds}${capped > 0 ? ` !${capped}/${milliseconds.length}` : ''}`;
  });
  console.log(`${''.padEnd(16)} total s${line(totals)}`);
  return isFast;
}

/** The ratio of `auto` to the best search that has a name, uses the same spec and was never capped. */
function judge(entrants: readonly Entrant[], cells: readonly Cell[], estimates: readonly Estimate[]) {
  const own = entrants.findIndex(({ algorithm }) => algorithm === 'auto');
  let best = own;
  entrants.forEach(({ algorithm, spec }, i) => {
    const isSingle = algorithm !== 'auto' && algorithm !== 'competition';
    if (!isSingle || spec !== entrants[own].spec || cells[i].capped > 0) return;
    if (best === own || estimates[i].mean < estimates[best].mean) best = i;
  });
  const [time, least] = [estimates[own].mean, estimates[best].mean];
  return {
    best: entrants[best].name,
    ratio: time / least,
    isFast: time <= MOST_TIMES * least + MOST_MORE,
  };
}
