/** The result of an exploration or a replay as data of a page: the failure with its history and steps, or the coverage. */
import { relativePath } from '../../base/system-files.js';
import { Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { NOTHING, VERBS } from '../../execution/memory/access.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { interruptions } from '../../root-cause/blamed-block.js';
import { Labels } from '../common/label.js';
import type {
  Explained,
  ExplorationReport,
  PatchReport,
  ReplayReport,
  SourceOf,
} from '../common/report-types.js';
import { expectedBy, whyUnexplained } from '../common/verdict-words.js';
import { blame } from '../sentences/blame.js';
import {
  basisText,
  betweenSentence,
  blameText,
  noCauseText,
  otherText,
  partialText,
  repairText,
  testsText,
  verificationText,
} from '../sentences/root-cause.js';
import { SIGNS } from '../sentences/words.js';
import { coverageText, notesOf, verdictDetail } from '../text/coverage.js';
import { NONDETERMINISM, nearestReason, shape, violationInWords } from '../text/exploration.js';
import { endsOfCalls, sourceAt } from '../text/interleaving.js';
import { divergedTexts, evidenceText, patchNotes, speedText } from '../text/replay.js';
import { styleOf } from '../text/style.js';
import { failedTexts, sequentialTexts } from '../text/warnings.js';
import { evidenceData } from './evidence-data.js';
import { packHistory } from './history-data.js';
import { pageData, uncheckedData } from './page-data.js';
import type {
  CauseData,
  CoreData,
  PageData,
  PatchData,
  RepairData,
  SourceFileData,
  StepData,
  TopicsData,
} from './page-types.js';

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
  /** Without a failure: what was explored. */
  readonly evidence?: TopicsData | undefined;
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
  const { evidence } = page;
  if (!violation || !trace)
    return {
      ...uncheckedData(file, EMPTY),
      ...{ spec: name, headline, verdict, facts: [], notes },
      ...(evidence && { evidence }),
    };
  const blamed = blame(violation, trace, scenario, explored.test);
  const { history } = trace;
  const { spec } = scenario;
  const data: PageData =
    blamed.verdict && spec
      ? pageData({ file, spec: name, history, verdict: blamed.verdict, ms: NO_TIME }, () => spec)
      : {
          ...uncheckedData(file, history),
          spec: name,
          verdict,
          core: wholeCore(history, blamed, titleOf(violation, scenario)),
        };
  const files = new SourceFiles();
  const steps = stepsData(trace, blamed.fault, sourceOf, files);
  const fault = explainFault === undefined ? undefined : { summary: explainFault, repairs: [] };
  const cause = explained ? causeData(explained, trace, sourceOf, files) : fault;
  const patches = page.patching && patchData(page.patching, spec !== undefined);
  return {
    ...data,
    headline,
    facts: [shape(explored.test, trace, explored.backend.name)],
    notes: [...data.notes, ...notes],
    ...(data.core && {
      core: { ...data.core, reasons: [...data.core.reasons, ...nearestReason(violation, scenario)] },
    }),
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

function titleOf(violation: TestResult['violation'], scenario: Scenario): string {
  if (violation?.kind === 'uncaught') return 'Where the error comes from';
  if (violation?.kind === 'outcome' && scenario.tests) return 'Why the guarantee is broken';
  return violation?.kind === 'wait' ? 'Why a call is blocked forever' : whyUnexplained(false);
}

/** Without a spec all calls belong to it. */
function wholeCore(
  { columns }: History,
  { fault, reason }: ReturnType<typeof blame>,
  title: string,
): CoreData {
  const all = Array.from(columns.id);
  return {
    title,
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
  const texts = [
    coverageText(exploration, style),
    ...sequentialTexts(exploration),
    ...(verdict === 'undecided' ? failedTexts(exploration) : []),
    ...notesOf(exploration),
  ];
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
    ...(verdict === 'violation' ? { notes: texts } : evidenceData(exploration, texts)),
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

/** Lines of source shown before and after a line of interest. */
const AROUND = 6;

/** The source that a page shows: for each file, the lines of interest and some around them. */
export class SourceFiles {
  readonly #numbers = new Map<string, number>();
  readonly #files: { readonly lines: readonly string[]; readonly spoken: Set<number> }[] = [];

  /** Adds lines of interest; returns the number of the file. */
  add(name: string, lines: readonly string[], from: number, to: number = from): number {
    const number = this.#numbers.get(name) ?? this.#files.push({ lines, spoken: new Set() }) - 1;
    this.#numbers.set(name, number);
    for (let line = from; line <= to; line++) this.#files[number].spoken.add(line);
    return number;
  }

  get data(): SourceFileData[] {
    return Array.from(this.#numbers, ([name, number]) => {
      const { lines, spoken } = this.#files[number];
      const isNear = (line: number) => [...spoken].some((own) => Math.abs(own - line) <= AROUND);
      return { name, lines: lines.map((text, i) => [i + 1, text] as const).filter(([line]) => isNear(line)) };
    });
  }
}

/** The steps of an execution, with what each read or stored and where it stands. */
function stepsData(trace: Trace, fault: number, sourceOf: SourceOf, files: SourceFiles): StepData[] {
  const { steps, idOf, history } = trace;
  const ends = endsOfCalls(trace, fault, sourceOf, new Labels(history, SIGNS.gives));
  return steps.map(({ operation, kind, site, value, isStored = false, task }, i): StepData => {
    const source = task ? undefined : sourceOf(site);
    const at = task ? sourceAt(task.place) : source && { ...source.place, lines: source.lines };
    return {
      operation: idOf[operation],
      access: task ? task.does : kind === NOTHING && !source ? '' : VERBS[kind],
      name: task ? (at ? '' : task.place) : (source?.name ?? ''),
      value: value ?? null,
      isStored,
      file: at ? files.add(at.file, at.lines, at.line) : null,
      line: at?.line ?? 0,
      ends: ends[i].map((end) => ({
        operation: idOf[end.operation],
        text: end.blockedAt
          ? end.text.replace('blocked forever', `blocked forever at line ${end.blockedAt.place.line}`)
          : end.text,
      })),
    };
  });
}

/** The root cause: each repair with its lines, the steps inside it, and the interruptions. */
function causeData(explained: Explained, trace: Trace, sourceOf: SourceOf, files: SourceFiles): CauseData {
  const { explanation, linesOf, placeOf } = explained;
  const { repairs, refuted, partial, collected } = explanation;
  const [first] = repairs;
  const tests = testsText(explained);
  if (first === undefined) return { summary: [noCauseText(explained), ...tests].join(' '), repairs: [] };
  const all = [
    ...[...repairs, ...refuted].map((one) => ({
      ...one,
      outcome: one === first ? 'comes first' : otherText(one),
      tried: verificationText(one, explained),
    })),
    ...partial.map((one) => ({ ...one, outcome: partialText(one, explanation) })),
  ];
  return {
    summary: [blameText(first, explanation), ...tests, basisText(explanation)].join(' '),
    repairs: all.map(({ repair, forbidden, outcome, ...one }): RepairData => {
      const blocks = new Blocks(repair, placeOf);
      return {
        name: repairText(
          repair,
          all.map((one) => one.repair),
        ),
        rank: 'rank' in one ? one.rank : null,
        outcome,
        tried: 'tried' in one ? one.tried : '',
        forbidden,
        of: collected.passing.length,
        blocks: repair.map(({ file, start, end }) => ({
          file: files.add(relativePath(file), linesOf(file), start.line, end.line),
          from: start.line,
          to: end.line,
        })),
        inside: trace.steps.flatMap(({ levels }, i) => (blocks.runOf(levels) === NO_RUN ? [] : [i])),
        between: joined(
          interruptions(trace, repair, placeOf).map((own) => ({
            sentence: betweenSentence(own, trace, sourceOf, SIGNS),
            steps: own.by.map((step) => trace.steps.indexOf(step)).filter((i) => i >= 0),
          })),
        ),
      };
    }),
  };
}

/** Interruptions with the same sentence as one, with the steps of all. */
function joined(between: RepairData['between']): RepairData['between'] {
  const byText = new Map<string, RepairData['between'][number]>();
  for (const { sentence, steps } of between) {
    const text = sentence.map((phrase) => phrase.text).join('');
    byText.set(text, { sentence, steps: [...(byText.get(text)?.steps ?? []), ...steps] });
  }
  return [...byText.values()];
}
