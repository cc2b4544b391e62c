/** Observation files, ours and Line-Up's, as what a test may do (write-observations.ts tells how they look). */

import { parseJson } from '../../base/values/json-reader.js';
import { untag } from '../../base/values/json-values.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import type { Outcome } from '../../history/model/operation.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import type { NumberedCall, TestCase } from '../scenario/test-case.js';
import { SequentialTrie } from './sequential-trie.js';
import { testText } from './write-observations.js';
import { type Element, parseXml, unescaped } from './xml.js';

/** An operation as it was observed; undefined where it has to wait. */
interface Observed {
  readonly call: PlainCall;
  readonly outcome: Outcome | undefined;
}

interface Observation {
  /** Thread to its operations, by id. */
  readonly threads: ReadonlyMap<string, readonly string[]>;
  readonly operations: ReadonlyMap<string, Observed>;
  /** The ids of serial histories, in order. */
  readonly histories: readonly (readonly string[])[];
}

/** A test, and what was observed of it. */
export interface ObservationSet {
  readonly matrix: TestCase;
  readonly observations: readonly Observation[];
}

/** What was observed of a test, if it was. */
export function setFor(
  matrix: TestCase,
  sets: readonly ObservationSet[] | undefined,
): ObservationSet | undefined {
  // arguments that no file can hold are no trouble where nothing was observed
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

/** All that was observed, as the histories of the program of the test. */
export function observedTrie(
  { observations }: ObservationSet,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
): SequentialTrie {
  const trie = new SequentialTrie(calls.length);
  for (const { threads, operations, histories } of observations) {
    const number = numbersOf(threads, calls);
    for (const history of histories) {
      let node = trie.root;
      for (const id of history) {
        const { outcome } = operations.get(id)!;
        const ended = outcome === undefined ? OPEN : outcomes.numberOf(outcome);
        node = trie.ended(node, number.get(id)!, ended);
      }
    }
  }
  return trie;
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
  const histories = named('history').map(({ text }) =>
    words(text).flatMap((word) => /^(\w+)\[$/.exec(word)?.[1] ?? []),
  );
  const placed = new Set(threads.flatMap(([, ids]) => ids));
  const unknown = histories.flat().find((id) => !operations.has(id) || !placed.has(id));
  if (unknown !== undefined)
    throw new ScenarioError(`a history tells of operation ${unknown}, but no <op> or no <thread> does`);
  return { threads: new Map(threads), operations, histories };
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function observedOf({ attributes, text }: Element, isWaiting: boolean): Observed {
  const detail = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  const value = detail('value');
  const args = value === undefined ? [] : (parsed(`[${unescaped(value)}]`) as unknown[]);
  return {
    call: [attributes.name, ...args],
    outcome: isWaiting ? undefined : outcomeOf(detail('result'), detail('threw')),
  };
}

function outcomeOf(result: string | undefined, threw: string | undefined): Outcome {
  if (threw !== undefined) return { kind: 'threw', error: unescaped(threw) };
  return { kind: 'returned', value: result === undefined ? undefined : parsed(unescaped(result)) };
}

/** JSON; what is none, as Line-Up's `Fail`, is a text. */
function parsed(text: string): unknown {
  try {
    return untag(parseJson(text));
  } catch {
    return text;
  }
}
