/** The result of an exploration or a replay as data of a page: the failure with its history and steps, or the coverage. */
import type { Trace } from '../../explore/model/trace-types.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type {
  Explained,
  ExplorationReport,
  PatchReport,
  ReplayReport,
  SourceOf,
} from '../common/report-types.js';
import { expectedBy, whyUnexplained } from '../common/verdict-words.js';
import { blame } from '../sentences/blame.js';
import { evidenceText, patchNotes, speedText } from '../sentences/root-cause.js';
import { coverageText, verdictDetail } from '../text/coverage.js';
import { NONDETERMINISM, notesOf, sequentialTexts, violationInWords } from '../text/exploration.js';
import { divergedTexts } from '../text/replay.js';
import { styleOf } from '../text/style.js';
import { causeData, SourceFiles, stepsData } from './cause-data.js';
import { packHistory } from './history-data.js';
import { pageData, uncheckedData } from './page-data.js';
import type { CoreData, PageData, PatchData } from './page-types.js';

interface FailurePage {
  readonly file: string;
  readonly scenario: Scenario;
  /** Such as `deadlock`. */
  readonly headline: string;
  /** The verdict if there is no failure. */
  readonly verdict: 'violation' | 'linearizable' | 'undecided';
  /** Of a violation: what was explored, and how it went. */
  readonly explored: TestResult | undefined;
  readonly trace: Trace | undefined;
  readonly sourceOf: SourceOf;
  readonly explained: Explained | undefined;
  readonly explainFault: string | undefined;
  readonly patching?: PatchReport | undefined;
  /** What else there is to say, a sentence each. */
  readonly notes: readonly string[];
}

export function failureData(page: FailurePage): PageData {
  const { file, scenario, headline, verdict, explored, trace, sourceOf, explained, explainFault, notes } =
    page;
  const name = `${scenario.name}, ${expectedBy(scenario)}`;
  const violation = explored?.violation;
  if (violation?.kind === 'nondeterminism') {
    const data = uncheckedData(file, violation.histories[1]);
    const runs = violation.histories.map(packHistory);
    return { ...data, spec: name, headline, verdict, notes: [NONDETERMINISM, ...notes], runs };
  }
  if (!violation || !trace) return { ...uncheckedData(file, EMPTY), spec: name, headline, verdict, notes };
  const blamed = blame(violation, trace, scenario);
  const { history } = trace;
  const { spec } = scenario;
  const data: PageData =
    blamed.verdict && spec
      ? pageData({ file, spec: name, history, verdict: blamed.verdict, ms: NO_TIME }, () => spec)
      : { ...uncheckedData(file, history), spec: name, verdict, core: wholeCore(history, blamed) };
  const files = new SourceFiles();
  const steps = stepsData(trace, sourceOf, files);
  const fault = explainFault === undefined ? undefined : { summary: explainFault, repairs: [] };
  const cause = explained ? causeData(explained, trace, sourceOf, files) : fault;
  const patches = page.patching && patchData(page.patching, spec !== undefined);
  return {
    ...data,
    headline,
    notes: [...data.notes, ...notes],
    trace: { steps, files: files.data },
    ...(cause && { cause: { ...cause, ...(patches && { patches }) } }),
  };
}

const patchData = ({ search, testCommand }: PatchReport, hasSpec: boolean): PatchData[] =>
  search.patches.map((patch) => ({
    title: patch.title,
    diff: patch.diff,
    notes: [evidenceText(patch, hasSpec, testCommand), speedText(patch), ...patchNotes(patch)],
  }));

const NO_TIME = { read: 0, check: 0 };
const EMPTY: History = new HistoryBuilder().finish();

/** Without a spec all calls belong to it. */
function wholeCore({ columns }: History, { fault, reason }: ReturnType<typeof blame>): CoreData {
  const all = Array.from(columns.id);
  return {
    title: whyUnexplained(false),
    part: 0,
    fault,
    operations: all,
    shown: all,
    minimal: true,
    reasons: [{ sentence: reason }],
  };
}

export function explorationPage({
  file,
  exploration,
  failure,
  sourceOf,
  explained,
  explainFault,
}: ExplorationReport): FailurePage {
  const { scenario, verdict } = exploration;
  const style = styleOf({});
  const detail = verdictDetail(exploration, style);
  const headline = {
    holds: `no violation${detail}`,
    violation: violationInWords(failure?.explored.violation, scenario),
    undecided: `undecided${detail}`,
  }[verdict];
  return {
    file,
    scenario,
    headline,
    verdict: verdict === 'holds' ? 'linearizable' : verdict,
    explored: failure?.explored,
    trace: failure?.trace,
    sourceOf,
    explained,
    explainFault,
    notes: [coverageText(exploration, style), ...sequentialTexts(exploration), ...notesOf(exploration)],
  };
}

export function replayPage({
  file,
  scenario,
  path,
  replayed,
  trace,
  sourceOf,
  explained,
  explainFault,
  patching,
}: ReplayReport): FailurePage {
  const isWrong = replayed.kind === 'reproduced';
  return {
    file,
    scenario,
    headline: { reproduced: 'reproduced', passes: 'passes now', diverged: 'diverged' }[replayed.kind],
    verdict: isWrong ? 'violation' : replayed.kind === 'passes' ? 'linearizable' : 'undecided',
    explored: isWrong ? replayed.result : undefined,
    trace,
    sourceOf,
    explained,
    explainFault,
    patching,
    notes: replayed.kind === 'diverged' ? divergedTexts(replayed, path) : [],
  };
}
