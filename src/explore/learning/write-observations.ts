/**
 * The learned runs of a test in the format of Line-Up (PLDI 2010, section 4.2 and figure 7).
 *
 *     <observationset test="[[[&quot;add&quot;,200]],[[&quot;take&quot;]]]">
 *       <observation>
 *         <thread id="A">1</thread> <thread id="B">2</thread>
 *         <op id="1" name="add">value="200"</op>
 *         <op id="2" name="take">result="200"</op>
 *         <history>1[ ]1 2[ ]2</history>
 *       </observation>
 *     </observationset>
 *
 * An observation gives the calls of each thread with their results, and all runs with these results. A call that does not return is
 * marked B; a run that is stuck ends with #. Additions: values are JSON, `threw` marks errors, each set contains its
 * test, `1[ 2[ ]2 ]1` is a run in which call 2 completes call 1, and ~ is an external event.
 */

import { stringify } from '../../base/values/json-values.js';
import { escapeXml, XML_ENTITIES } from '../../base/values/show.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Outcomes } from '../../execution/outcomes.js';
import { FAILED } from '../automata/configurations.js';
import type { NumberedCall, TestCase } from '../scenario/test-case.js';
import { EXTERNAL, type LearnedRun, type LearnedRuns } from './learned-runs.js';

/*
 * The part of XML that observation files need: elements with attributes and text, comments, and the five predefined
 * entities. Declarations and custom entities are not supported, so a file cannot expand when it is read.
 */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The text of the file, with entities not replaced. */
  readonly text: string;
}

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(XML_ENTITIES).map(([letter, name]) => [name, letter]),
);

/** Control characters, which XML cannot hold, are written as JSON writes them. */
const escaped = (text: string): string =>
  escapeXml(text).replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => NAMES[name]);

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w.-]+\s*=\s*"[^"]*")*)\s*(\/?)>|([^<]+)/y;

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** The elements of a text, one inside of another. */
export function parseXml(source: string): Element[] {
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack: Open[] = [root];
  const fail = (at: number, message: string): never => {
    const lines = source.slice(0, at).split('\n');
    throw new ScenarioError(`line ${lines.length}, column ${lines[lines.length - 1].length + 1}: ${message}`);
  };
  for (let at = 0; at < source.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source);
    if (token === null) return fail(at, 'no element, text or comment of XML');
    const [whole, slash, name, attributes, isEmpty, text] = token;
    const top = stack[stack.length - 1];
    if (text !== undefined) top.text += text;
    else if (slash === '/') {
      if (top.name !== name) return fail(at, `</${name}> where </${top.name}> was expected`);
      stack.pop();
    } else if (name !== undefined) {
      const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
      top.children.push(element);
      if (isEmpty !== '/') stack.push(element);
    }
    at += whole.length;
  }
  if (stack.length > 1) fail(source.length, `the text ends inside of <${stack[stack.length - 1].name}>`);
  return root.children;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/([\w.-]+)\s*=\s*"([^"]*)"/g))
    attributes[name] = unescaped(value);
  return attributes;
}

/** A run without a continuation. */
interface WholeRun {
  readonly run: LearnedRun;
  readonly isStuck: boolean;
}

/** One set; undefined if an argument or a result has no JSON form. */
export function observationSet(
  matrix: TestCase,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
  learned: LearnedRuns,
): string | undefined {
  const sections = new Map<string, WholeRun[]>();
  for (const whole of learned.runs()) {
    const key = Array.from(resultsOf(whole.run), ([operation, outcome]) => `${operation}:${outcome}`)
      .sort()
      .join();
    const section = sections.get(key);
    if (section) section.push(whole);
    else sections.set(key, [whole]);
  }
  try {
    const written = Array.from(sections.values(), (runs) => observation(calls, outcomes, runs));
    return `<observationset test="${escaped(testText(matrix))}">\n${written.join('')}</observationset>\n`;
  } catch {
    return undefined;
  }
}

/** A whole file. */
export const observationsText = (sets: readonly string[]): string =>
  `<observations version="1">\n${sets.join('')}</observations>\n`;

/** The calls of each thread, and those before and after them if there are any. */
export function testText({ threads, before, after }: TestCase): string {
  return stringify(before.length + after.length > 0 ? { before, threads, after } : threads);
}

function observation(calls: readonly NumberedCall[], outcomes: Outcomes, runs: readonly WholeRun[]): string {
  const outcomeOf = resultsOf(runs[0].run);
  const operations = [...outcomeOf.keys()].sort((a, b) => a - b);
  const idOf = new Map(operations.map((operation, i) => [operation, i + 1]));
  const processes = new Map(calls.toSorted((a, b) => a.thread - b.thread).map((c) => [c.process, c.thread]));
  const threads = Array.from(processes, ([process, thread]) => {
    const ids = operations
      .filter((operation) => calls[operation].thread === thread)
      .map((operation) => `${idOf.get(operation)}${outcomeOf.get(operation) === undefined ? 'B' : ''}`);
    return `    <thread id="${process}">${ids.join(' ')}</thread>\n`;
  });
  const ops = operations.map((operation) => {
    const { method, args } = calls[operation];
    const details = [...valuesOf(args), ...resultOf(outcomes, outcomeOf.get(operation))].join(' ');
    const head = `    <op id="${idOf.get(operation)}" name="${escaped(method)}"`;
    return details === '' ? `${head}/>\n` : `${head}>${details}</op>\n`;
  });
  const histories = runs.map(
    ({ run, isStuck }) => `    <history>${runText(run, idOf)}${isStuck ? ' #' : ''}</history>\n`,
  );
  return `  <observation>\n${[...threads, ...ops, ...histories].join('')}  </observation>\n`;
}

const valuesOf = (args: readonly unknown[]): string[] =>
  args.length === 0 ? [] : [`value="${escaped(args.map((arg) => stringify(arg)).join(', '))}"`];

function resultOf(outcomes: Outcomes, number: number | undefined): string[] {
  if (number === undefined) return [];
  if (number < 0) return [number === FAILED ? 'failed="true"' : 'unknown="true"'];
  const outcome = outcomes.at(number);
  if (outcome.kind === 'threw') return [`threw="${escaped(outcome.error)}"`];
  if (outcome.kind !== 'returned' || outcome.value === undefined) return [];
  return [`result="${escaped(stringify(outcome.value))}"`];
}

const runText = (run: LearnedRun, idOf: ReadonlyMap<number, number>): string =>
  run
    .flatMap(({ operation, delivered }) => [
      operation === EXTERNAL ? '~' : `${idOf.get(operation)}[`,
      ...Array.from(delivered.keys(), (ended) => `]${idOf.get(ended)}`),
    ])
    .join(' ');

/** Operation to its outcome; undefined if it started and was not delivered. */
function resultsOf(run: LearnedRun): Map<number, number | undefined> {
  const results = new Map<number, number | undefined>();
  for (const { operation, delivered } of run) {
    if (operation !== EXTERNAL) results.set(operation, undefined);
    for (const [ended, outcome] of delivered) results.set(ended, outcome);
  }
  return results;
}
