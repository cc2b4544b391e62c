/** Why an explored execution is a violation: by the spec if there is one, otherwise by learned runs. */
import { printable } from '../../base/values/show.js';
import { check } from '../../check/check.js';
import type { Verdict } from '../../check/model/verdict.js';
import { withComparableResults } from '../../explore/automata/spec-automaton.js';
import type { HeldResources } from '../../explore/model/engine.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { guaranteesOf } from '../../explore/scenario/test-case.js';
import { describeOutcome, type Operation, type Outcome } from '../../history/model/operation.js';
import type { Exclusive } from '../../objects/locks/mutex.js';
import { Labels } from '../common/label.js';
import { bad, endedIn, good, processName, type Sentence, say } from './words.js';

export interface Blame {
  /** The operation at fault, by id. */
  readonly fault: number;
  /** What the spec says of it, if there is one. */
  readonly verdict: Verdict | undefined;
  /** The reason, worded without a spec. */
  readonly reason: Sentence;
}

/** How the text of an error of a kit begins. */
const BROKEN = 'BrokenGuarantee: ';

/** Explains a violation that has a trace. */
export function blame(
  violation: Extract<NonNullable<TestResult['violation']>, { readonly operation: number }>,
  { history, idOf, errors }: Trace,
  { spec, exclusive, backend, tests }: Pick<Scenario, 'spec' | 'exclusive' | 'backend' | 'tests'>,
  test: TestResult['test'],
): Blame {
  const broken =
    tests && violation.kind === 'outcome'
      ? brokenSentence(errors[violation.operation], guaranteesOf({ tests }, test))
      : undefined;
  if (broken !== undefined) return { fault: idOf[violation.operation], verdict: undefined, reason: broken };
  const checked = violation.kind !== 'uncaught' && spec && check(history, () => withComparableResults(spec));
  const verdict = checked && checked.kind === 'violation' ? checked : undefined;
  const fault = verdict?.counterexample.cause.operation ?? idOf[violation.operation];
  const position = history.positionsById();
  const operation = history.at(position[fault]);
  const call = {
    text: `${new Labels(history, '').call(operation)} by ${processName(operation.process)}`,
    operations: [fault],
  };
  const isQuiescent = backend === 'async' && spec === undefined;
  const allowed = violation.kind === 'outcome' && verdict === undefined ? (violation.allowed ?? []) : [];
  const right =
    allowed.length === 0
      ? []
      : say` If the others return the same in such ${isQuiescent ? 'a run' : 'an order'}, it returns ${good(allowed.join(' or '))}.`;
  const identity = differsInIdentity(operation.outcome, allowed)
    ? " Only identity differs, that is, which results are the same object. If that does not matter, try `identity: 'none'` in the scenario."
    : '';
  const ended = endedIn(operation.outcome, allowed.length > 0 ? [operation.outcome] : []);
  const pending = [...history].filter(({ outcome }) => outcome.kind === 'pending').length;
  const blocked = violation.isLostWakeUp
    ? 'If it starts after the other calls have returned, it is not blocked: its wake-up was lost.'
    : `${isQuiescent && pending > 1 ? 'These calls are never all blocked' : 'It is never blocked'} if the calls run one at a time, in an order that respects real time, and the others return the same results.`;
  return {
    fault,
    verdict,
    reason: violation.exclusive
      ? heldReason(violation.exclusive, exclusive, call, operation, (k) => history.at(position[idOf[k]]))
      : violation.isUnfair
        ? say`${call} ${violation.kind === 'wait' ? 'is blocked' : endedIn(operation.outcome, [])}. This happens only if a call overtakes one that started earlier, which the scenario forbids (\`fair: true\`).`
        : violation.kind === 'uncaught'
          ? say`During ${call}, ${printable(violation.error ?? '')}, and nothing catches it. In Node this ends the process.`
          : violation.kind === 'wait'
            ? say`Deadlock: no call can continue, and ${call} is blocked. ${blocked}`
            : isQuiescent
              ? say`${call} ${ended}. That is impossible if the calls run one at a time, in any order that respects real time.${right}${identity}`
              : say`${call} ${ended}, but no sequential order of these calls that respects real time allows that.${right}`,
  };
}

/** Calls of a kit throw a sentence about the guarantee that is broken. */
export const brokenGuarantee = (error: string | undefined): string | undefined =>
  error?.startsWith(BROKEN) ? printable(error.slice(BROKEN.length)) : undefined;

function brokenSentence(error: string | undefined, guarantees: readonly string[]): Sentence | undefined {
  const sentence = brokenGuarantee(error);
  if (sentence === undefined) return undefined;
  return guarantees.length === 0
    ? say`Broken guarantee: ${sentence}.`
    : say`Broken guarantee: ${guarantees.join(', or ')}. Seen: ${sentence}.`;
}

/** Is a result allowed that differs only in the numbers of objects? */
function differsInIdentity(outcome: Outcome, allowed: readonly string[]): boolean {
  const withoutNumbers = (text: string): string => text.replaceAll(/‹([^‹›]+) \d+›/g, '$1');
  const isObject = outcome.kind === 'returned' && Object(outcome.value) === outcome.value;
  const own = withoutNumbers(describeOutcome(outcome));
  return isObject && allowed.some((text) => withoutNumbers(text) === own);
}

/** Why a call that takes or gives back a resource is a violation. */
function heldReason(
  { resource, isSame, holders, max }: HeldResources,
  spec: Exclusive | undefined,
  call: { readonly text: string; readonly operations: readonly number[] },
  { outcome, process, method }: Operation,
  operationOf: (k: number) => Operation,
): Sentence {
  const others = holders.map(operationOf);
  const names = [...new Set(others.map((one) => processName(one.process)))].join(' and ');
  const operations = others.map(({ id }) => id);
  const held = others.length === 1 ? '1 is' : `${others.length} are`;
  const few = others.length === 0 ? 'nothing is held' : `only ${held} held, of at most ${max}`;
  const who = processName(process);
  if (outcome.kind === 'pending')
    return method === spec?.take
      ? say`Deadlock: no call can continue, and ${call} is blocked, although ${few}.`
      : say`Deadlock: no call can continue, and ${call} is blocked, although giving back never waits.`;
  if (resource === '')
    return say`${call} ${endedIn(outcome, [outcome])}, although ${who} gives back a resource that it took.`;
  const got = bad(printable(resource));
  return isSame
    ? say`${who} got ${got}, which ${{ text: names, operations }} still holds.`
    : say`${who} got ${got}, although ${{ text: names, operations }} ${others.length === 1 ? 'holds' : 'hold'} ${others.length === 1 ? 'one' : String(others.length)} already; at most ${String(max)} may be held at once.`;
}
