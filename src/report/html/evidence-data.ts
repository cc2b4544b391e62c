/** What an exploration without a failure has tested, as data of a page. */
import { printable, show } from '../../base/values/show.js';
import type { ExploredBatch } from '../../explore/agenda.js';
import type { Exploration } from '../../explore/explore.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { count, grouped } from '../common/verdict-words.js';
import { say } from '../sentences/words.js';
import type { TopicsData } from './page-types.js';

/** A text that starts with its topic. */
const TOPIC = /^(Covered|Assumes|Warning): ([\s\S]+)$/;

/** What was explored: its extent, and the texts that name their topic. The others are notes. */
export function evidenceData(
  { batches, results }: Exploration,
  texts: readonly string[],
): { readonly evidence: TopicsData; readonly notes: readonly string[] } {
  const named = texts.flatMap((text) => {
    const [, topic, rest] = TOPIC.exec(text) ?? [];
    return topic === undefined ? [] : [line(topic.toLowerCase(), `${rest[0].toUpperCase()}${rest.slice(1)}`)];
  });
  const concurrent = results.filter(
    ({ test }) => test.threads.filter((calls) => calls.length > 0).length > 1,
  );
  const calls = new Set(results.flatMap(({ test }) => test.threads.flat().map(callText)));
  const extent = [
    line(
      'overlap',
      `${grouped(concurrent.length)} of ${count(results.length, 'started test')} ${concurrent.length === 1 ? 'has' : 'have'} calls of two or more threads.`,
    ),
    line(
      'calls',
      `${[...calls].slice(0, MOST_CALLS).join(', ')}${calls.size > MOST_CALLS ? ' and others' : ''}.`,
    ),
    {
      ...line('sizes', ''),
      table: [
        ['threads × calls', 'tests', 'started', 'executions'],
        ...batches.filter(({ tests }) => tests.length > 0).map(sizeRow),
      ],
    },
  ];
  return {
    evidence: {
      title: 'What was explored',
      lines: results.length === 0 ? named : [...named.slice(0, 1), ...extent, ...named.slice(1)],
    },
    notes: texts.filter((text) => !TOPIC.test(text)),
  };
}

const line = (topic: string, text: string): TopicsData['lines'][number] => ({
  topic,
  sentence: say`${text}`,
});

/** Calls that are listed. */
const MOST_CALLS = 20;
const callText = ([method, ...args]: PlainCall): string =>
  printable(`${method}(${args.map(show).join(', ')})`);

/** Threads × calls per thread, and what was run of that size. */
function sizeRow({ threads, callsPerThread, choice, tests, results }: ExploredBatch): string[] {
  const executions = results.reduce((sum, one) => sum + one.executions, 0);
  const size = `${threads}×${callsPerThread}${choice === 'random' ? ', random calls' : ''}`;
  return [size, grouped(tests.length), grouped(results.length), grouped(executions)];
}
