/**
 * A process of the playground: it runs the `everySchedule` tests of a module and writes the data of a page.
 *
 * `node playground-test.js <module> <output> <milliseconds>`. Runners are not needed: the module gets an `everySchedule`
 * that only collects its tests. They run in order until one fails; each part of a failing test is an operation of the page.
 */
import { writeFileSync } from 'node:fs';
import { loadModule } from '../../config/load-module.js';
import { errorText } from '../../execution/comparable.js';
import type { TestBody } from '../../explore/async/test-body.js';
import type { FailedSchedule } from '../../explore/async/trace.js';
import { type BodyExploreOptions, type BodyResult, exploreBody } from '../../explore/every-schedule.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { type EveryScheduleOptions, MAX_EXECUTIONS } from '../../integrations/every-schedule.js';
import { coverageReport, failureTexts, VACUOUS } from '../../integrations/schedule-report.js';
import { SourceFiles } from '../../report/html/failure-data.js';
import { uncheckedData } from '../../report/html/page-data.js';
import type { PageData, StepData } from '../../report/html/page-types.js';
import { say } from '../../report/sentences/words.js';
import { sourceAt } from '../../report/text/interleaving.js';

interface CollectedTest {
  readonly name: string;
  readonly body: TestBody;
  readonly options: EveryScheduleOptions;
}

const [module, output, milliseconds] = process.argv.slice(2);
try {
  const data = await dataOf(await testsOf(module), Number(milliseconds));
  writeFileSync(output, JSON.stringify(data));
  // user code may have left timers or handles
  process.exit();
} catch (error) {
  process.stderr.write(`error: ${errorText(error)}\n`);
  process.exit(2);
}

async function testsOf(path: string): Promise<CollectedTest[]> {
  const tests: CollectedTest[] = [];
  const collect = (name: string, body: TestBody, options: EveryScheduleOptions = {}) => {
    tests.push({ name, body, options });
  };
  const everySchedule = Object.assign(collect, { only: collect, skip: () => {} });
  const runners = ['vitest', 'jest', 'node-test'].map((name) => [`straightedge/${name}`, { everySchedule }]);
  await loadModule(path, 'test', Object.fromEntries(runners));
  if (tests.length === 0) throw new Error('the module calls everySchedule for no test');
  return tests;
}

/** The page of the first test that fails, or of all that were run. */
async function dataOf(tests: readonly CollectedTest[], timeout: number): Promise<PageData> {
  const passed: { name: string; result: BodyResult; text: string }[] = [];
  const end = performance.now() + timeout;
  for (const { name, body, options: own } of tests) {
    const options: BodyExploreOptions = {
      timeout: Math.max(1, end - performance.now()),
      maxExecutions: own.maxExecutions ?? MAX_EXECUTIONS,
      seed: Number(own.seed ?? 1),
      failures: own.failures ?? 0,
      isStrict: own.strict ?? false,
      maxMicrotaskStarts: own.maxMicrotaskStarts ?? 0,
    };
    const result = await exploreBody(body, options);
    if (result.failed) return failureData(name, result.failed, result.executions);
    if (result.isWhole && !result.isConcurrent) throw new Error(VACUOUS);
    passed.push({ name, result, text: coverageReport(result, options) });
  }
  const isWhole = passed.every(({ result }) => result.isWhole);
  return {
    ...uncheckedData('', new HistoryBuilder().finish()),
    spec: '',
    facts: [],
    verdict: isWhole ? 'linearizable' : 'undecided',
    headline: isWhole ? 'no failure in any schedule' : 'no failure in the schedules that were run',
    evidence: {
      title: 'What was run',
      lines: passed.map(({ name, text }) => ({ topic: name, sentence: say`${text}` })),
    },
  };
}

/** Parts are operations, and macrotasks are steps. */
function failureData(name: string, failed: FailedSchedule, executions: number): PageData {
  const { parts, rows, waiting } = failed;
  const builder = new HistoryBuilder();
  const files = new SourceFiles();
  const idOf = new Map<number, number>();
  const steps: StepData[] = [];
  const begin = (part: number): number => {
    const id = builder.call({ process: parts[part], method: 'run', args: [] });
    idOf.set(part, id);
    steps.push(stepOf(id, '', '', files));
    return id;
  };
  begin(0);
  for (const { part, kind, text, place, outcome } of rows) {
    const id = idOf.get(part) ?? begin(part);
    if (kind === 'task') steps.push(stepOf(id, text, place, files));
    if (kind !== 'end') continue;
    if (outcome) builder.end(id, outcome);
    const [line] = text.split('\n');
    const shown = line.startsWith('! ') ? line : `→ ${line}`;
    const last = steps[steps.length - 1];
    steps[steps.length - 1] = { ...last, ends: [...last.ends, { operation: id, text: shown }] };
  }
  const history = builder.finish();
  const fault = idOf.get(waiting[0]?.part ?? rows.at(-1)?.part ?? 0) ?? 0;
  return {
    ...uncheckedData('', history),
    spec: name,
    verdict: 'violation',
    headline: 'the test fails',
    facts: [`found in execution ${executions}`],
    core: {
      title: 'Why the test fails',
      part: 0,
      fault,
      operations: [...idOf.values()],
      shown: [...idOf.values()],
      minimal: false,
      reasons: failureTexts(failed).map((text) => ({ sentence: say`${text}` })),
    },
    trace: { steps, files: files.data },
  };
}

function stepOf(operation: number, access: string, place: string, files: SourceFiles): StepData {
  const at = sourceAt(place);
  return {
    operation,
    access,
    name: at ? '' : place,
    value: null,
    isStored: false,
    file: at ? files.add(at.file, at.lines, at.line) : null,
    line: at?.line ?? 0,
    ends: [],
  };
}
