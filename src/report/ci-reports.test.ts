import { expect, test } from 'vitest';
import { sarifFaults } from '../../test/support/oracles/sarif.js';
import { check } from '../check/check.js';
import { parseHistory } from '../formats/read-history.js';
import { queue } from '../objects/collections/container.js';
import { channel } from '../objects/rendezvous/channel.js';
import type { SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { githubReport, junitReport, sarifReport } from './ci-reports.js';
import { type Diagnostic, toDiagnostic } from './diagnostic.js';

const history = parseHistory(
  [
    '{"process":"A","method":"enqueue","args":["<1>"],"call":1,"return":2}',
    '{"process":"A","method":"enqueue","args":["]]>"],"call":3,"return":4}',
    '{"process":"B","method":"dequeue","result":"]]>","call":5,"return":6}',
  ].join('\n'),
);
const verdict = check(history, queue() as Spec);
const violation = toDiagnostic({
  file: 'a b.jsonl',
  spec: 'queue',
  history,
  verdict,
  ms: { read: 1, check: 2 },
});
const broken: Diagnostic = {
  file: 'x,y:z\n::error::.jsonl',
  outcome: 'error',
  summary: '100% wrong\r\nhere\u0000\ud800',
  text: 'all of it',
  seconds: 0,
  line: 7,
  column: 12,
  related: [],
};
const good: Diagnostic = { ...broken, outcome: 'linearizable', file: 'good.jsonl' };

test('a finding has the line of the fault, and those of the operations that the reason speaks of', () => {
  expect(violation.line).toBe(3);
  expect(violation.related).toEqual([1, 2]);
  expect(violation.summary).toMatch(
    /^dequeue\(\) by B \(operation 2, line 3\) returned "]]>"; allowed: "<1>"\./,
  );
});

test('JUnit: a case for each file, and nothing in it ends an element early', () => {
  const xml = junitReport([violation, broken, good]);
  expect(xml).toContain('tests="3" failures="1" errors="1"');
  expect(xml).toContain('<failure type="violation" message="dequeue() by B');
  expect(xml).toContain('&quot;]]&gt;&quot;; allowed: &quot;&lt;1&gt;&quot;');
  expect(xml).toContain(
    '<testcase name="good.jsonl" classname="straightedge" file="good.jsonl" line="7" time="0.000"/>',
  );
  // tags that are open are closed, in order, and texts have no mark of their own
  const open: string[] = [];
  for (const [, close, name, empty] of xml.matchAll(/<(\/?)(\w+)(?:\s+\w+="[^"<>]*")*\s*(\/?)>/g)) {
    if (close) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
  }
  expect(open).toEqual([]);
  expect(xml).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/);
});

test('GitHub: a command is one line, whatever is in it', () => {
  const text = githubReport([violation, broken, good]);
  expect(text.trimEnd().split('\n')).toHaveLength(2);
  expect(text).toContain(
    '::error file=a b.jsonl,line=3,title=straightedge%3A not linearizable::dequeue() by B',
  );
  expect(text).toContain(
    '::error file=x%2Cy%3Az%0A%3A%3Aerror%3A%3A.jsonl,line=7,col=12,title=straightedge%3A unreadable::100%25 wrong%0D%0Ahere',
  );
});

test('SARIF: it is as the standard wants it, with places', () => {
  const log = JSON.parse(
    sarifReport([violation, broken, good, { ...broken, outcome: 'undecided' }], '1.2.3'),
  ) as {
    runs: [
      {
        results: { ruleId: string; locations: unknown[]; relatedLocations?: unknown[] }[];
        invocations: unknown[];
      },
    ];
  };
  expect(sarifFaults(log)).toEqual([]);
  const [{ results, invocations }] = log.runs;
  expect(results.map(({ ruleId }) => ruleId)).toEqual(['violation', 'undecided']);
  expect(results[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: 'a%20b.jsonl' }, region: { startLine: 3 } } },
  ]);
  expect(results[0].relatedLocations).toHaveLength(2);
  expect(invocations).toHaveLength(1);
});

test('all reporters name synchronisation linearizability', () => {
  const alone = parseHistory('{"process":"A","method":"send","args":[1],"result":null,"call":1,"return":2}');
  const finding = toDiagnostic({
    file: 'alone.jsonl',
    spec: 'channel',
    history: alone,
    verdict: check(alone, channel() as SyncSpec),
    ms: { read: 0, check: 0 },
  });
  expect(githubReport([finding])).toContain(
    'title=straightedge%3A not synchronisation linearizable::send(1) by A',
  );
  expect(junitReport([finding])).toMatch(
    /<failure type="violation" message="send\(1\) by A[^>]*>✗ not synchronisation linearizable/,
  );
  const log = JSON.parse(sarifReport([finding, violation], '1.2.3')) as {
    runs: [
      { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] },
    ];
  };
  expect(sarifFaults(log)).toEqual([]);
  const [{ tool, results }] = log.runs;
  expect(results.map(({ ruleId }) => ruleId)).toEqual(['no-rendezvous', 'violation']);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
});
