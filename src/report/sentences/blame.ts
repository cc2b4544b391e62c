/** Why an explored execution is wrong: against the spec if there is one, otherwise against what serial runs have shown. */
import { printable } from '../../base/values/show.js';
import { check } from '../../check/check.js';
import type { Verdict } from '../../check/model/verdict.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { Explored } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { Labels } from '../common/label.js';
import { count } from '../common/verdict-words.js';
import { type Sentence, say } from './sentence.js';
import { good } from './words.js';

export interface Blame {
  /** The operation at fault, by id. */
  readonly fault: number;
  /** What the spec says of it, if there is one. */
  readonly verdict: Verdict | undefined;
  /** What there is to say without a spec. */
  readonly why: Sentence;
}

/** Of a violation that has a trace. */
export function blame(
  violation: Extract<NonNullable<Explored['violation']>, { readonly operation: number }>,
  serial: number,
  { history, idOf }: Trace,
  { spec }: Scenario,
): Blame {
  const checked = spec && check(history, () => spec);
  const verdict = checked?.kind === 'violation' ? checked : undefined;
  const fault = verdict?.counterexample.cause.operation ?? idOf[violation.operation];
  const operation = history.at(history.positionsById()[fault]);
  const call = {
    text: `${new Labels(history, '').call(operation)} by ${printable(operation.process)}`,
    operations: [fault],
  };
  const allowed = violation.kind === 'outcome' && verdict === undefined ? (violation.allowed ?? []) : [];
  const right =
    allowed.length === 0 ? [] : say` One after another, it gave ${good(allowed.join(' or '))} here.`;
  return {
    fault,
    verdict,
    why:
      violation.kind === 'wait'
        ? say`Nobody can go on, and ${call} waits, though no serial history leaves it waiting after these results.`
        : say`No order of these calls, one after another, gives these results: ${count(serial, 'serial step')} were learnt, and none fits ${call}.${right}`,
  };
}
