/**
 * What serial runs of a test have shown, as Line-Up writes it (PLDI 2010, section 4.2 and figure 7).
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
 * An observation is what each thread did, with its results; below it stand all serial histories in which that
 * happened. An operation that has to wait is marked B, and its history ends with #. Ours: values are JSON, `threw` for
 * errors, and the test stands with its set, so that a file can hold many.
 */
import { stringify } from '../../base/values/json-values.js';
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import type { NumberedCall, TestCase } from '../scenario/test-case.js';
import type { SequentialHistory, SequentialTrie } from './sequential-trie.js';
import { escaped } from './xml.js';

/** One set; undefined where an argument or a result is none that JSON can hold. */
export function observationSet(
  matrix: TestCase,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
  trie: SequentialTrie,
): string | undefined {
  const sections = new Map<string, SequentialHistory[]>();
  for (const history of trie.histories()) {
    const key = history
      .map(({ operation, outcome }) => `${operation}:${outcome}`)
      .sort()
      .join();
    sections.set(key, [...(sections.get(key) ?? []), history]);
  }
  try {
    const written = Array.from(sections.values(), (histories) => observation(calls, outcomes, histories));
    return `<observationset test="${escaped(testText(matrix))}">\n${written.join('')}</observationset>\n`;
  } catch {
    return undefined;
  }
}

/** A whole file. */
export const observationsText = (sets: readonly string[]): string =>
  `<observations version="1">\n${sets.join('')}</observations>\n`;

/** Columns, and what comes before and after them where there is anything. */
export function testText({ threads, before, after }: TestCase): string {
  return stringify(before.length + after.length > 0 ? { before, threads, after } : threads);
}

function observation(
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
  histories: readonly SequentialHistory[],
): string {
  const outcomeOf = new Map(histories[0].map(({ operation, outcome }) => [operation, outcome]));
  const operations = [...outcomeOf.keys()].sort((a, b) => a - b);
  const idOf = new Map(operations.map((operation, i) => [operation, i + 1]));
  const processes = new Map(calls.toSorted((a, b) => a.thread - b.thread).map((c) => [c.process, c.thread]));
  const threads = Array.from(processes, ([process, thread]) => {
    const ids = operations
      .filter((operation) => calls[operation].thread === thread)
      .map((operation) => `${idOf.get(operation)}${outcomeOf.get(operation) === OPEN ? 'B' : ''}`);
    return `    <thread id="${process}">${ids.join(' ')}</thread>\n`;
  });
  const ops = operations.map((operation) => {
    const { method, args } = calls[operation];
    const details = [...valuesOf(args), ...resultOf(outcomes.at(outcomeOf.get(operation)!))].join(' ');
    const head = `    <op id="${idOf.get(operation)}" name="${escaped(method)}"`;
    return details === '' ? `${head}/>\n` : `${head}>${details}</op>\n`;
  });
  const told = histories.map((history) => `    <history>${historyText(history, idOf)}</history>\n`);
  return `  <observation>\n${[...threads, ...ops, ...told].join('')}  </observation>\n`;
}

const valuesOf = (args: readonly unknown[]): string[] =>
  args.length === 0 ? [] : [`value="${escaped(args.map((arg) => stringify(arg)).join(', '))}"`];

function resultOf(outcome: ReturnType<Outcomes['at']>): string[] {
  if (outcome.kind === 'threw') return [`threw="${escaped(outcome.error)}"`];
  if (outcome.kind !== 'returned' || outcome.value === undefined) return [];
  return [`result="${escaped(stringify(outcome.value))}"`];
}

function historyText(history: SequentialHistory, idOf: ReadonlyMap<number, number>): string {
  return history
    .map(({ operation, outcome }) => {
      const id = idOf.get(operation)!;
      return outcome === OPEN ? `${id}[ #` : `${id}[ ]${id}`;
    })
    .join(' ');
}
