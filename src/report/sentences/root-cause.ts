/** The root cause of a failing test: the blocks that must be atomic, the interruptions, how that was tried, or why no block suffices. */
import { basename } from 'node:path';
import { InputError } from '../../base/errors.js';
import type { SourcePosition } from '../../base/source-position.js';
import { printable, show } from '../../base/values/show.js';
import type { Point } from '../../execution/atomic-blocks.js';
import { VERBS, WRITE } from '../../execution/memory/access.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';
import type { TestResult } from '../../explore/result.js';
import { areEqual } from '../../explore/scenario/test-case.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import {
  type BlamedBlock,
  type Interruption,
  isOfPackage,
  leftBehind,
} from '../../root-cause/blamed-block.js';
import type { Explanation, FailingRun, PartialRepair, TriedRepair } from '../../root-cause/explain.js';
import { linesKey } from '../../root-cause/repairs/repair.js';
import type { BlockDeadlock } from '../../root-cause/trials.js';
import type { Explained, SourceOf } from '../common/report-types.js';
import { count, grouped } from '../common/verdict-words.js';
import { brokenGuarantee } from './blame.js';
import { join, type Phrase, type Sentence, SIGNS, type Signs, say, Words } from './words.js';

/** Accesses named in a sentence. */
const MOST_BETWEEN = 3;

/** The root cause in a few sentences, without the source. */
export function causeText(explained: Explained): string {
  const { explanation } = explained;
  const [first] = explanation.repairs;
  if (first === undefined) return noCauseText(explained);
  return `${blameText(first, explanation)} ${verificationText(first, explained)}`;
}

/** An exception while explaining. The violation does not depend on it. */
export function faultText(error: unknown): string {
  const [message] = String(error instanceof Error ? error.message : error).split('\n', 1);
  if (error instanceof InputError) return `Root cause: not found. ${printable(message.replace(/\.$/, ''))}.`;
  const name = error instanceof Error ? `${error.name}: ` : '';
  return `Root cause: not found, because of a bug in straightedge; please report this line: ${printable(name + message)}. The violation does not depend on it.`;
}

/** In async code, the blocks are awaits. */
const isOfTasks = ({ collected: { result } }: Explanation): boolean => result.backend.name === 'async';

export function blameText({ repair }: TriedRepair, explanation: Explanation): string {
  const isTasks = isOfTasks(explanation);
  const places = repair.map(({ file, start, end }) =>
    start.line === end.line
      ? `inside line ${start.line} of ${printable(basename(file))}`
      : `between lines ${start.line} and ${end.line} of ${printable(basename(file))}`,
  );
  const isOneLine = repair.length === 1 && repair[0].start.line === repair[0].end.line;
  const where = isTasks
    ? `during ${isOneLine ? 'an await' : 'the awaits'} at ${repairText(repair)}`
    : places.join(' or ');
  const rule = isTasks
    ? `Either keep other calls out there, for example with a lock, or make the state valid before the ${isOneLine ? 'await' : 'first await'}.`
    : `${repair.length > 1 ? 'Each of these' : isOneLine ? 'This line' : 'These lines'} must run atomically.`;
  const ofPackages = repair.filter(({ file }) => isOfPackage(file));
  const calls = ofPackages.map(({ file, calledAt }) => {
    const caller = calledAt ? `; your code calls it at ${placeText(calledAt)}` : '';
    return ` ${printable(basename(file))} belongs to a package (${printable(packageOf(file))})${caller}.`;
  });
  return `Root cause: another call runs ${where}. ${rule}${[...new Set(calls)].join('')}`;
}

const packageOf = (file: string): string =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? '';

/** Why no block is confirmed, with the place and the schedule. */
export function noCauseText({ explanation, placeOf }: Explained): string {
  const { reason, collected } = explanation;
  switch (reason?.kind) {
    case 'sequential':
      return sequentialText(explanation, reason.failing, placeOf);
    case 'not recorded': {
      const trace = reason.failing?.trace;
      return `Root cause: not found. The calls overlap, but no interruption was recorded that has a place in your source. They may share state that is not recorded, such as what a timer of the object changes.${trace ? `${leftText(trace)} ${scheduleText(trace, trace.steps, placeOf)}` : ''}`;
    }
    case 'wait': {
      const hasPartial = explanation.partial.some((one) => removedAll(one, collected.violating));
      return `Root cause: ${hasPartial ? 'no blocks that also suffice for the other tests' : 'no block'} can be atomic. ${deadlockText(reason.deadlock, reason.repair, placeOf)} A block that waits for another call cannot be atomic; look at the code that wakes it. ${scheduleText(reason.deadlock.trace, reason.deadlock.steps, placeOf)}`;
    }
    case 'insufficient': {
      const { trace } = reason.failing;
      return `Root cause: no block suffices. ${repairText(reason.repair)} would have to be atomic, and another schedule still fails. ${scheduleText(trace, trace.steps, placeOf)}`;
    }
    default:
      return `Root cause: not found. ${count(collected.violating.length, 'failing order')} ${collected.violating.length === 1 ? 'was' : 'were'} found before a limit was reached; try a smaller test or a larger --timeout.`;
  }
}

/** The calls fail one at a time, too. */
function sequentialText(
  explanation: Explanation,
  failing: FailingRun | undefined,
  placeOf: Explained['placeOf'],
): string {
  const fault = failing?.trace.isStuck ? 'a call is still blocked' : 'the result is still incorrect';
  const how = isOfTasks(explanation)
    ? `Even if the calls run one at a time, ${fault}.`
    : `The calls could have run sequentially, and ${fault}.`;
  const intro = `Root cause: not an interruption. ${how}`;
  if (failing === undefined) return `${intro} Compare the object with its expected results.`;
  const { operation, trace, result } = failing;
  const rest = `${leftText(trace)} ${scheduleText(trace, trace.steps, placeOf)}`;
  const broken = brokenGuarantee(trace.errors[operation]);
  // one call of a kit may make several calls of the object
  if (broken !== undefined)
    return `Root cause: not found. The calls of the test break the guarantee even if they run one at a time: ${broken}.${rest}`;
  const last = trace.steps.findLast((step) => step.operation === operation);
  const place = last && stepPlace(last, placeOf);
  return `${intro} Compare ${printable(result.backend.calls[operation].method)}${place ? ` (${place})` : ''} with its expected results.${rest}`;
}

/** ` Code of put(1) by A ran after that call had returned: timer of 1 ms (buffer.ts:8). This may be the cause.` */
function leftText(trace: Trace): string {
  const left = leftBehind(trace);
  if (left === undefined) return '';
  const { does, place } = left.task;
  return ` Code of ${callText(trace, left.operation)} ran after that call had returned: ${printable(does)} (${printable(place)}). This may be the cause.`;
}

/** `put(1) by A waits at buffer.ts:8, inside buffer.ts:8-9, for another call; take() by B cannot run.` */
function deadlockText(
  { trace, operation, site, victim }: BlockDeadlock,
  repair: readonly BlamedBlock[],
  placeOf: Explained['placeOf'],
): string {
  const other = victim === operation ? 'no other call can run' : `${callText(trace, victim)} cannot run`;
  const [place, blocks] = [placeText(placeOf(site)), repairText(repair)];
  return `${callText(trace, operation)} waits at ${place}${place === blocks ? '' : `, inside ${blocks},`} for another call; ${other}.`;
}

/** `put(1) by A` */
function callText({ history, idOf }: Trace, operation: number): string {
  const call = history.at(history.positionsById()[idOf[operation]]);
  return `${new Words(history, SIGNS).labels.call(call)} by ${printable(call.process)}`;
}

const MOST_RUNS = 12;

/** `Schedule: put(1) by A to buffer.ts:9, take() by B to buffer.ts:14.` Steps of one call in a row are one part. */
function scheduleText(trace: Trace, steps: readonly TraceStep[], placeOf: Explained['placeOf']): string {
  const runs = steps.filter(({ operation }, i) => steps.at(i + 1)?.operation !== operation);
  const texts = runs.slice(0, MOST_RUNS).map((step) => {
    const place = stepPlace(step, placeOf);
    return `${callText(trace, step.operation)}${place === '' ? '' : ` to ${place}`}`;
  });
  return `Schedule: ${texts.join(', ')}${runs.length > MOST_RUNS ? `, and ${count(runs.length - MOST_RUNS, 'more part')}` : ''}.`;
}

const stepPlace = ({ site, task }: TraceStep, placeOf: Explained['placeOf']): string =>
  site >= 0 ? placeText(placeOf(site)) : printable(task?.place ?? '');

/** The lines of a repair: `stack.ts:16-17 and stack.ts:22`. With columns if other repairs have the same lines. */
export const repairText = (
  repair: readonly BlamedBlock[],
  others: readonly (readonly BlamedBlock[])[] = [],
): string => {
  const hasColumns = others.some((other) => other !== repair && linesKey(other) === linesKey(repair));
  const point = ({ line, column }: Point): string => (hasColumns ? `${line}:${column}` : String(line));
  return repair
    .map(({ file, start, end }) => {
      const [from, to] = [point(start), point(end)];
      return `${printable(basename(file))}:${from}${from === to ? '' : `-${to}`}`;
    })
    .join(' and ');
};

/** The other tests that show a cause, each with the command that runs it again. */
export function testsText({ explanation, saved }: Explained): string[] {
  const [first] = explanation.repairs;
  const { tests, reason, collected } = explanation;
  const commandOf = (result: TestResult): string =>
    saved.has(result) ? ` (npx straightedge replay ${saved.get(result)})` : '';
  const texts = tests.map(({ result, blocks }) => {
    const needed = repairText(blocks.map((block) => first.repair[block]));
    return `Another failing test${commandOf(result)} also needs ${needed}. Its calls: ${testText(result)}.`;
  });
  if (reason === undefined || !('failing' in reason) || reason.failing === undefined) return texts;
  const { result } = reason.failing;
  const isSame = areEqual(result.test, collected.result.test);
  const which = isSame ? 'another schedule of the same test' : 'a failing test';
  return [...texts, `Based on ${which}${commandOf(result)}. Its calls: ${testText(result)}.`];
}

/** `A: put(1), take(); B: take()` */
const testText = ({ test: { threads, before, after } }: TestResult): string => {
  const calls = (list: readonly PlainCall[]): string =>
    list
      .map(([method, ...args]) => `${printable(method)}(${args.map((arg) => show(arg)).join(', ')})`)
      .join(', ');
  return [
    ...(before.length > 0 ? [`before: ${calls(before)}`] : []),
    ...threads.map((list, thread) => `${String.fromCharCode(65 + thread)}: ${calls(list)}`),
    ...(after.length > 0 ? [`after: ${calls(after)}`] : []),
  ].join('; ');
};

/** The calls that ran between two accesses of a block, and what they did there. */
export function betweenSentence(
  { first, last, by }: Interruption,
  { history, idOf, awaits }: Trace,
  sourceOf: SourceOf,
  signs: Signs,
): Sentence {
  const { labels, ellipsis } = new Words(history, signs);
  const position = history.positionsById();
  const callOf = ({ operation }: TraceStep): Phrase => {
    const call = history.at(position[idOf[operation]]);
    return { text: `${labels.call(call)} by ${printable(call.process)}`, operations: [idOf[operation]] };
  };
  // two calls of a thread may have the same text
  const names = by.map((step) => callOf(step).text);
  const interrupting = by.filter((_, i) => awaits === undefined || names.indexOf(names[i]) === i);
  const did = interrupting.slice(0, MOST_BETWEEN).map((step) => {
    if (awaits !== undefined) return say`${callOf(step)} continues`;
    const source = sourceOf(step.site);
    const name = source?.name ? ` ${printable(source.name)}` : '';
    const value =
      step.kind === WRITE && step.value !== undefined
        ? `${name === '' ? '' : ' ='} ${step.value.replaceAll('…', ellipsis)}`
        : '';
    const place = source ? ` (${placeText(source.place)})` : '';
    return say`${callOf(step)} ${VERBS[step.kind]}${name}${value}${place}`;
  });
  const more =
    interrupting.length > MOST_BETWEEN
      ? `, and ${count(interrupting.length - MOST_BETWEEN, 'more access', 'more accesses')}`
      : '';
  if (awaits !== undefined) return say`While ${callOf(last)} waits there, ${join(did, ', ')}${more}.`;
  const where = gapText(sourceOf(first.site)?.place, sourceOf(last.site)?.place);
  return say`${where}${callOf(last)}, ${join(did, ', ')}${more}.`;
}

/** `Between lines 8 and 9 of ` */
function gapText(from: SourcePosition | undefined, to: SourcePosition | undefined): string {
  if (from === undefined || to === undefined) return 'In ';
  if (from.file !== to.file) return `Between ${placeText(from)} and ${placeText(to)} in `;
  return from.line === to.line
    ? `Inside line ${from.line} of `
    : `Between lines ${from.line} and ${to.line} of `;
}

const placeText = ({ file, line }: SourcePosition): string => `${printable(basename(file))}:${line}`;

const wholeText = (larger: number): string =>
  `These are whole methods, because no smaller block suffices${larger > 0 ? ' for the other tests, too' : ''}.`;
const allAwaits = (repair: readonly BlamedBlock[]): string => {
  const methods = [...new Set(repair.flatMap((block) => block.methods))].map(printable);
  return `No other awaits are in ${methods.join(' and ')}, so no smaller block helps.`;
};

/** How a repair was tried, and the result. */
export function verificationText(
  { repair, verification, forbidden, larger }: TriedRepair,
  { explanation, placeOf }: Explained,
): string {
  const { passing } = explanation.collected;
  const isTasks = isOfTasks(explanation);
  const share = passing.length === 0 ? '' : ` ${preventedText(forbidden, passing.length)}`;
  const whole = repair.every(({ isWhole }) => isWhole)
    ? ` ${isTasks ? allAwaits(repair) : wholeText(larger)}`
    : '';
  const tests = (word: string): string =>
    `this test${larger > 0 ? ` ${word} of ${count(larger, explanation.isKit ? 'other test of the kit' : 'larger test', explanation.isKit ? 'other tests of the kit' : 'larger tests')}` : ''}`;
  switch (verification?.kind) {
    case 'confirmed':
      return isTasks
        ? `Consistent with all schedules of ${tests('and')}: in each one that fails, another call runs there. This says nothing about a lock there, which delays calls and leads to other schedules; --patch explores such changes.${share}${whole}`
        : `Confirmed: if ${repair.length === 1 ? 'it is' : 'they are'} atomic, no schedule of ${tests('or')} fails; all schedules were explored.${share}${whole}`;
    case 'refuted':
      return `Not sufficient: another schedule still fails.${share}${whole}`;
    case 'deadlocks':
      return `Not possible: ${deadlockText(verification.deadlock, repair, placeOf)}`;
    default:
      return `Not confirmed: not all schedules were explored before the limit.${share}${whole}`;
  }
}

/** How many executions that pass would be impossible; `of` all that were collected. */
function preventedText(prevented: number, of: number): string {
  if (of === 1)
    return `The only correct order ${prevented === 0 ? 'remains possible' : 'becomes impossible'}.`;
  if (prevented === 0) return `${of === 2 ? 'Both' : `All ${grouped(of)}`} correct orders remain possible.`;
  return `${grouped(prevented)} of ${grouped(of)} correct orders ${prevented === 1 ? 'becomes' : 'become'} impossible.`;
}

/** The result of another repair than the first. */
export function otherText({ verification }: TriedRepair): string {
  switch (verification?.kind) {
    case 'confirmed':
      return 'also suffices';
    case 'refuted':
      return 'does not suffice';
    case 'deadlocks':
      return 'would wait inside for another call';
    default:
      return 'was not confirmed';
  }
}

/** Does a repair that does not suffice elsewhere remove all violations of this test? */
const removedAll = ({ removed }: Pick<PartialRepair, 'removed'>, violating: readonly unknown[]): boolean =>
  removed === violating.length;

/** The result of a repair that removes some violations only. */
export const partialText = (
  { removed }: PartialRepair,
  { collected: { violating }, isKit }: Explanation,
): string =>
  removedAll({ removed }, violating)
    ? `suffices for this test but not for ${isKit ? 'others of the kit' : 'larger ones, with more calls'}`
    : `would prevent only ${removed} of ${count(violating.length, 'failing order')}`;

/** The executions on which the conclusion is based. */
export function basisText({ collected: { violating, passed, isWhole }, isCut }: Explanation): string {
  const seen = `${count(violating.length, 'failing order')} and ${count(passed, 'correct one')}`;
  return `Based on ${isWhole ? 'all executions: ' : ''}${seen}${isWhole ? '' : ' (a limit was reached)'}.${isCut ? ' There are too many repairs to list; some are left out.' : ''}`;
}
