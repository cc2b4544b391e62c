/**
 * An exploration whose tests are explored by others, all at once: threads, or machines.
 *
 * Answers are taken in the order of the tests, whenever they come. So what ends an exploration is the first test that
 * is wrong, not the one that was found first, and whatever was done beyond it is dropped: the result is the same
 * however many there are.
 */
import type { Batch } from './batches.js';
import {
  conclude,
  type Exploration,
  type ExploredBatch,
  isCovered,
  isCoveredBatch,
  isOfSize,
  type SetAside,
} from './conclusion.js';
import type { Explored } from './line-up.js';
import type { Scenario } from './scenario.js';
import { type RangeResult, type TestOptions, type TestRange, Tests } from './test-range.js';
import type { Called } from './transform/index.js';

/** An answer, or why there is none. */
export type RangeAnswer = TestRange & (RangeResult | { readonly setAside: string });

/**
 * Has tests explored. Answers come in the order of the ranges; there are fewer where time ran out.
 * Whoever stops taking answers does not want the rest.
 */
export type RunRanges = (ranges: Iterable<TestRange>) => AsyncIterable<RangeAnswer>;

export interface SpreadOptions extends TestOptions {
  /** Does a violation not end it? */
  readonly keepGoing?: boolean | undefined;
  readonly interrupted?: () => boolean;
  /** Called with what there is so far. */
  readonly onProgress?: (batches: readonly ExploredBatch[]) => void;
}

/** A batch is cut into about so many ranges, of no more than so many tests. */
const RANGES = 64;
const MOST_TESTS = 32;

export async function exploreSpread(
  scenario: Scenario,
  options: SpreadOptions,
  run: RunRanges,
): Promise<Exploration> {
  const { keepGoing, interrupted, onProgress, ...testOptions } = options;
  const isBounded = options.preemptions !== undefined;
  const tests = new Tests(scenario, testOptions);
  const batches: (Batch & { number: number; explored: Explored[] })[] = [];
  const setAside: SetAside[] = [];
  const atomic = new Places();
  const controlled = new Places();
  const ended = () =>
    conclude({
      scenario,
      seed: options.seed,
      batches,
      setAside,
      atomic: atomic.all,
      controlled: controlled.all,
      isInterrupted: interrupted?.() ?? false,
      isBounded,
    });

  /** The batch of this number, as what is known of it. */
  const known = (number: number): (typeof batches)[number] => {
    const last = batches.at(-1);
    if (last?.number === number) return last;
    const next = { ...(tests.batch(number) as Batch), number, explored: [] };
    batches.push(next);
    return next;
  };
  /** Goes through some batches; says whether to go on after them. */
  const goThrough = async (numbers: Iterable<number>, isGrowing: boolean): Promise<boolean> => {
    for await (const answer of run(rangesOf(tests, numbers))) {
      const batch = known(answer.batch);
      if ('setAside' in answer) {
        setAside.push({ batch, from: answer.from, to: answer.to, why: answer.setAside });
        if (isGrowing) return true;
        continue;
      }
      atomic.add(answer.atomic);
      controlled.add(answer.controlled);
      for (const [i, result] of answer.tests.entries()) {
        batch.explored.push(tests.restore(result, answer.batch, answer.from + i));
        if (result.violation === null) {
          if (isGrowing && !isCovered(result, isBounded)) return true;
        } else if (!keepGoing) return false;
      }
      onProgress?.(batches);
    }
    return true;
  };

  if (!(await goThrough(growing(tests), true))) return ended();
  // a size that was not begun was not covered
  const next = Array.from(growing(tests)).find(
    (number) => !batches.some((own) => own.number === number && isWhole(own)),
  );
  if (next !== undefined) known(next);
  for (const number of others(tests)) {
    const last = batches.at(-1);
    const batch = tests.batch(number) as Batch;
    if (last && isCoveredBatch(last, isBounded) && isOfSize(last, batch)) continue;
    known(number);
    if (!(await goThrough([number], false))) return ended();
  }
  return ended();
}

const isWhole = ({ explored, matrices }: ExploredBatch): boolean => explored.length === matrices.length;

/** The numbers of the batches whose sizes grow: they come first. */
function* growing(tests: Tests): Generator<number> {
  for (let number = 0; tests.batch(number)?.choice === 'all'; number++) yield number;
}

function* others(tests: Tests): Generator<number> {
  for (let number = [...growing(tests)].length; tests.batch(number); number++) yield number;
}

function* rangesOf(tests: Tests, numbers: Iterable<number>): Generator<TestRange> {
  for (const batch of numbers) {
    const count = tests.batch(batch)?.matrices.length ?? 0;
    const size = Math.min(MOST_TESTS, Math.ceil(count / RANGES));
    for (let from = 0; from < count; from += size) yield { batch, from, to: Math.min(count, from + size) };
  }
}

/** Places in the source, each once, as they were met first. */
class Places {
  readonly #called = new Map<string, Called>();

  get all(): Called[] {
    return [...this.#called.values()];
  }

  add(list: readonly Called[]): void {
    for (const called of list) {
      const key = `${called.file}:${called.line}:${called.column}`;
      const before = this.#called.get(key);
      this.#called.set(key, {
        ...called,
        isGivenShared: called.isGivenShared || before?.isGivenShared === true,
      });
    }
  }
}
