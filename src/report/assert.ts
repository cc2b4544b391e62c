/** For tests: nothing if there is an order, otherwise an error that tells all. */
import { check, type Limits } from '../check/index.js';
import type { AnyObject, History, Methods } from '../history/index.js';
import type { Spec } from '../spec/index.js';
import { textReport } from './text/report.js';
import { styleOf } from './text/style.js';

/** The message is the report: verdict, drawing and reason. An undecided history is an error too. */
export class NotLinearizable extends Error {
  override readonly name = 'NotLinearizable';
}

export function assertLinearizable<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  spec: Spec<T, any>,
  limits: Limits = {},
): void {
  const verdict = check(history, spec, limits);
  if (verdict.kind === 'linearizable') return;
  const result = { file: 'history', spec: spec.name, history, verdict, ms: { read: 0, check: 0 } };
  const first =
    verdict.kind === 'violation'
      ? 'No one-at-a-time order of these calls gives these results.'
      : 'Whether some order of these calls gives these results is not known.';
  throw new NotLinearizable(
    `${first}\n\n${textReport(result as unknown as Parameters<typeof textReport>[0], styleOf({}))}`,
  );
}
