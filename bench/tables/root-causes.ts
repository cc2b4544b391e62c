/**
 * Which root causes are behind failing tests: each is made small, and told by what is left.
 *
 * Until all causes of the row are found, in tests no larger than the paper's: of as many calls or fewer, where
 * three threads with one call each count as three. Each is then run again, to see how fast it fails; and with the spec of
 * what is documented, where there is one.
 */
import { type Explored, lineUp, type Matrix, type Scenario, shrink } from 'straightedge/explore';
import { ProcessorPatience } from '../processor-patience.js';
import { processorTime } from '../processor-time.js';
import type { LineUpRow, RootCause } from './line-up-rows.js';
import { cells, sizeOf } from './matrices.js';

export interface FoundCause {
  readonly name: string;
  readonly matrix: Matrix;
  readonly milliseconds: number;
  /** No larger than the paper's, fails at once, and is documented or not as it should be. */
  readonly isRight: boolean;
}

/** Milliseconds to make one test small, and all tests of a row; and in which the smallest has to fail. */
const ONE = 5_000;
const ALL = 30_000;
const AT_ONCE = 2_000;

export function rootCauses(
  { causes }: LineUpRow,
  failures: readonly Explored[],
  scenario: Scenario,
  documented: Scenario | undefined,
  seed: number,
): FoundCause[] {
  const smallest = new Map<string, Matrix>();
  const patience = new ProcessorPatience(ALL);
  const isSmall = ([name, { size }]: [string, RootCause]): boolean => {
    const matrix = smallest.get(name);
    return matrix !== undefined && cells(sizeOf(matrix)) <= cells(size);
  };
  const violates = (one: Scenario, matrix: Matrix): boolean =>
    lineUp(one, matrix, { seed }, new ProcessorPatience(ONE)).violation !== undefined;
  for (const failure of failures) {
    if (patience.isOver() || Object.entries(causes).every(isSmall)) break;
    const { matrix } = shrink(
      scenario,
      failure,
      { seed },
      new ProcessorPatience(Math.min(ONE, patience.left)),
    );
    const methods = matrix.threads.flat().map(([method]) => method);
    const name = Object.keys(causes).find((cause) => causes[cause].tells(methods));
    if (name === undefined) continue;
    const { isDocumented } = causes[name];
    if (documented && isDocumented !== undefined && violates(documented, matrix) === isDocumented) continue;
    const before = smallest.get(name);
    if (before === undefined || cells(sizeOf(matrix)) < cells(sizeOf(before))) smallest.set(name, matrix);
  }
  return Array.from(smallest, ([name, matrix]) => {
    const begin = processorTime();
    const isFound = violates(scenario, matrix);
    const milliseconds = processorTime() - begin;
    return {
      name,
      matrix,
      milliseconds,
      isRight: isFound && milliseconds < AT_ONCE && isSmall([name, causes[name]]),
    };
  });
}
