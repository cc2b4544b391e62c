/** Reads observation files, also those of Line-Up, as learned runs. write-observations.ts describes the format. */

import { parseJson } from '../../base/values/json-reader.js';
import { untag } from '../../base/values/json-values.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Outcomes } from '../../execution/outcomes.js';
import type { Outcome } from '../../history/model/operation.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { FAILED, UNKNOWN } from '../automata/configurations.js';
import type { NumberedCall, TestCase } from '../scenario/test-case.js';
import { EXTERNAL, LearnedRuns } from './learned-runs.js';
import { type Element, parseXml, testText, unescaped } from './write-observations.js';

/** A call with its outcome; undefined if it does not return. */
interface Observed {
  readonly call: PlainCall;
  readonly outcome: Outcome | undefined;
}

interface Observation {
  /** Thread to its operations, by id. */
  readonly threads: ReadonlyMap<string, readonly string[]>;
  readonly operations: ReadonlyMap<string, Observed>;
  /** Runs as words: `1[` starts operation 1, `]1` delivers it, `~` is an external event, `#` a stuck end. */
  readonly histories: readonly (readonly string[])[];
}

/** A test and its observations. */
export interface ObservationSet {
  readonly matrix: TestCase;
  readonly observations: readonly Observation[];
}

/** The observations of a test, if there are any. */
export function setFor(
  matrix: TestCase,
  sets: readonly ObservationSet[] | undefined,
): ObservationSet | undefined {
  // some arguments have no text, and need none without a file
  if (sets === undefined) return undefined;
  const text = testText(matrix);
  return sets.find((set) => testText(set.matrix) === text);
}

const VERSION = '1';

export function parseObservations(text: string): ObservationSet[] {
  const roots = parseXml(text.trim());
  const sets = roots.flatMap((root) => {
    if (root.name !== 'observations') return [root];
    const { version } = root.attributes;
    if (version !== VERSION)
      throw new ScenarioError(
        `these observations have version ${version}; this straightedge reads version ${VERSION}`,
      );
    return root.children;
  });
  const other = sets.find(({ name }) => name !== 'observationset');
  if (other || sets.length === 0)
    throw new ScenarioError(`${other ? `<${other.name}>` : 'nothing'} where <observationset> was expected`);
  return sets.map(setOf);
}

/** All observations as runs of the test. */
export function observedRuns(
  { observations }: ObservationSet,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
  hasWaiters: boolean,
): LearnedRuns {
  const learned = new LearnedRuns(calls.length, hasWaiters);
  for (const { threads, operations, histories } of observations) {
    const number = numbersOf(threads, calls);
    const outcomeOf = (id: string): number => outcomeNumber(operations.get(id)!.outcome, outcomes);
    for (const words of histories) {
      let node = learned.root;
      for (let i = 0; i < words.length; i++) {
        const word = words[i];
        if (word === '#') learned.stuck.add(node);
        if (word !== '~' && !word.endsWith('[')) continue;
        const delivered = new Map<number, number>();
        for (; words[i + 1]?.startsWith(']'); i++) {
          const id = words[i + 1].slice(1);
          delivered.set(number.get(id)!, outcomeOf(id));
        }
        const operation = word === '~' ? EXTERNAL : number.get(word.slice(0, -1))!;
        node = learned.add(node, { operation, event: '', number: 0, delivered });
      }
    }
  }
  return learned;
}

function outcomeNumber(outcome: Outcome | undefined, outcomes: Outcomes): number {
  if (outcome?.kind === 'failed') return FAILED;
  return outcome === undefined || outcome.kind === 'pending' ? UNKNOWN : outcomes.numberOf(outcome);
}

/** Ids to operations of the program: those of a thread come in its order. */
function numbersOf(threads: Observation['threads'], calls: readonly NumberedCall[]): Map<string, number> {
  const numbers = new Map<string, number>();
  const left = new Map(Array.from(threads, ([process, ids]) => [process, [...ids]]));
  calls.forEach(({ process }, operation) => {
    const id = left.get(process)?.shift();
    if (id !== undefined) numbers.set(id, operation);
  });
  return numbers;
}

function setOf({ attributes, children }: Element): ObservationSet {
  const observations = children.map(observationOf);
  if (attributes.test !== undefined) return { matrix: matrixOf(attributes.test), observations };
  // Line-Up's own have one test, and an observation in which all of it has been done
  const whole = observations.reduce((most, one) => (one.operations.size > most.operations.size ? one : most));
  const threads = Array.from(whole.threads.values(), (ids) =>
    ids.map((id) => whole.operations.get(id)!.call),
  );
  return { matrix: { threads, before: [], after: [] }, observations };
}

function matrixOf(text: string): TestCase {
  const test = untag(parseJson(text)) as TestCase | TestCase['threads'];
  return 'threads' in test ? test : { threads: test, before: [], after: [] };
}

function observationOf({ name, children }: Element): Observation {
  if (name !== 'observation') throw new ScenarioError(`<${name}> where <observation> was expected`);
  const named = (wanted: string) => children.filter((child) => child.name === wanted);
  const threads = named('thread').map(
    ({ attributes, text }) => [attributes.id, words(text).map((word) => word.replace(/B$/, ''))] as const,
  );
  const waiting = new Set(
    named('thread').flatMap(({ text }) => words(text).filter((word) => word.endsWith('B'))),
  );
  const operations = new Map(
    named('op').map((op) => [op.attributes.id, observedOf(op, waiting.has(`${op.attributes.id}B`))]),
  );
  const histories = named('history').map(({ text }) => words(text));
  const placed = new Set(threads.flatMap(([, ids]) => ids));
  const ids = histories.flat().flatMap((word) => /^(\w+)\[$|^\](\w+)$/.exec(word)?.slice(1) ?? []);
  const unknown = ids.find((id) => id !== undefined && !(operations.has(id) && placed.has(id)));
  if (unknown !== undefined)
    throw new ScenarioError(
      `a <history> contains operation ${unknown}, but no <op> or no <thread> does; expected both`,
    );
  return { threads: new Map(threads), operations, histories };
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function observedOf({ attributes, text }: Element, isWaiting: boolean): Observed {
  const detail = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  const value = detail('value');
  const args = value === undefined ? [] : (parsed(`[${unescaped(value)}]`) as unknown[]);
  return {
    call: [attributes.name, ...args],
    outcome: isWaiting ? undefined : outcomeOf(detail),
  };
}

function outcomeOf(detail: (name: string) => string | undefined): Outcome {
  const [result, threw] = [detail('result'), detail('threw')];
  if (detail('failed') !== undefined) return { kind: 'failed' };
  if (detail('unknown') !== undefined) return { kind: 'pending' };
  if (threw !== undefined) return { kind: 'threw', error: unescaped(threw) };
  return { kind: 'returned', value: result === undefined ? undefined : parsed(unescaped(result)) };
}

/** JSON; any other text, such as Line-Up's `Fail`, stands for itself. */
function parsed(text: string): unknown {
  try {
    return untag(parseJson(text));
  } catch {
    return text;
  }
}
