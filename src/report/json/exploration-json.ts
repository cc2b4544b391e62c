/** The results of `explore`, `replay` and `explain` as JSON. Field names are a contract: docs/reference/json-output.md. */
import { relative } from 'node:path';
import { relativePath } from '../../base/system-files.js';
import { show } from '../../base/values/show.js';
import { check } from '../../check/check.js';
import { VERBS } from '../../execution/memory/access.js';
import type { AbandonedTest, ExploredBatch } from '../../explore/agenda.js';
import { withComparableResults } from '../../explore/automata/spec-automaton.js';
import type { FailureStep } from '../../explore/backend.js';
import type { Exploration } from '../../explore/explore.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { Proof } from '../../explore/prove/prove.js';
import { isExhaustive, type TestResult, wholeCoverage } from '../../explore/result.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import type { History } from '../../history/history.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import type { CalledFunction } from '../../instrument/runtime/calls.js';
import { type BlamedBlock, leftBehind } from '../../root-cause/blamed-block.js';
import type { NoBlockReason } from '../../root-cause/explain.js';
import type { RejectedPatch } from '../../root-cause/patches/patches.js';
import type {
  Explained,
  ExplorationReport,
  PatchReport,
  ReplayReport,
  SourceOf,
} from '../common/report-types.js';
import { isLearned, specName } from '../common/verdict-words.js';
import { counterexampleDocument, type JsonDocument, valueDocument } from './json.js';

function explanationDocument({ explanation, saved }: Explained): JsonDocument {
  const { collected, repairs, refuted, partial, tests, reason, isCut } = explanation;
  const isAsync = collected.result.backend.name === 'async';
  return {
    violating: collected.violating.length,
    passing: collected.passed,
    isWhole: collected.isWhole,
    repairs: [...repairs, ...refuted].map(({ repair, rank, forbidden, verification, larger }) => ({
      rank,
      blocks: repair.map(blockDocument),
      forbidden,
      of: collected.passing.length,
      ...(verification && {
        verification: isAsync && verification.kind === 'confirmed' ? 'consistent' : verification.kind,
      }),
      larger,
    })),
    partial: partial.map(({ repair, removed, forbidden }) => ({
      blocks: repair.map(blockDocument),
      removed,
      forbidden,
      of: collected.passing.length,
    })),
    ...(tests.length > 0 && {
      tests: tests.map(({ result, blocks }) => ({ ...failingDocument(result, saved), blocks })),
    }),
    ...(reason && { reason: reasonDocument(reason, saved) }),
    ...(isCut && { isCut }),
  };
}

const failingDocument = (result: TestResult, saved: Explained['saved']): JsonDocument => ({
  test: testDocument(result.test),
  ...(saved.has(result) && { saved: saved.get(result) }),
});

function testDocument({ threads, before, after }: TestCase): JsonDocument {
  const list = (calls: readonly PlainCall[]) => calls.map((call) => call.map(valueDocument));
  return {
    threads: threads.map(list),
    ...(before.length > 0 && { before: list(before) }),
    ...(after.length > 0 && { after: list(after) }),
  };
}

function reasonDocument(reason: NoBlockReason, saved: Explained['saved']): JsonDocument {
  const { kind } = reason;
  if (kind === 'wait') {
    const { test, steps, operation, victim } = reason.deadlock;
    return {
      kind,
      test: testDocument(test),
      schedule: steps.map((step) => step.operation),
      operation,
      victim,
    };
  }
  return {
    kind,
    ...(reason.failing && failingDocument(reason.failing.result, saved)),
    ...(kind !== 'insufficient' && reason.failing && leftBehind(reason.failing.trace)),
  };
}

const blockDocument = ({ file, start, end, methods, isWhole, calledAt }: BlamedBlock): JsonDocument => ({
  file: relativePath(file),
  start,
  end,
  methods,
  ...(isWhole && { isWhole }),
  ...(calledAt && { calledAt: { ...calledAt, file: relativePath(calledAt.file) } }),
});

/**
 * Converts an exploration to a JSON document.
 *
 * @example
 * const report = { file: 'pool.scenario.ts', exploration, failure: undefined, sourceOf: () => undefined, saved: undefined, ms: { explore: 0 } };
 * const { verdict } = explorationJson(report);
 */
export function explorationJson({
  file,
  exploration,
  failure,
  saved,
  sourceOf,
  explained,
  explainFault,
  ms,
}: ExplorationReport): JsonDocument {
  const { verdict, reason, scenario, seed, abandoned, alwaysThrew, blockedInSequence } = exploration;
  const { isSynchronous, races, warnings, atomic, controlled, proof } = exploration;
  const { neverEnded, hasNoResults, held, learned } = exploration;
  return {
    file,
    verdict,
    scenario: scenario.name,
    ...(specName(scenario) && { spec: specName(scenario) }),
    seed,
    ms,
    coverage: coverageDocument(exploration),
    ...(proof && { proof: proofDocument(proof) }),
    ...(failure && { failure: failureDocument(failure.explored, failure.trace, { scenario, sourceOf }) }),
    ...explanationField({ explained, explainFault }),
    ...(saved && { saved: saved.path, token: saved.token }),
    ...(reason !== undefined && { reason }),
    ...(isSynchronous && { isSynchronous }),
    ...filled({ abandoned: abandoned.map(abandonedDocument), alwaysThrew, blockedInSequence, neverEnded }),
    ...(hasNoResults && { hasNoResults }),
    ...filled({ held, learned, races }),
    ...(warnings && { atomicity: warnings }),
    ...filled({ atomic: atomic.map(calledDocument), controlled: controlled.map(calledDocument) }),
  };
}

/** The lists that are not empty. */
const filled = (lists: Readonly<Record<string, readonly unknown[]>>): JsonDocument =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

export function replayDocument({
  file,
  scenario,
  replayed,
  trace,
  sourceOf,
  explained,
  explainFault,
  patching,
}: ReplayReport): JsonDocument {
  return {
    file,
    verdict: replayed.kind,
    scenario: scenario.name,
    ...(specName(scenario) && { spec: specName(scenario) }),
    ...(replayed.kind === 'reproduced' && {
      failure: failureDocument(replayed.result, trace, { scenario, sourceOf }),
    }),
    ...explanationField({ explained, explainFault }),
    ...(patching && patchDocument(patching)),
    ...(replayed.kind === 'diverged' && {
      step: replayed.step,
      ...(replayed.before && { before: stepDocument(replayed.before) }),
      ...(replayed.now && { now: stepDocument(replayed.now) }),
    }),
  };
}

const explanationField = ({
  explained,
  explainFault,
}: Pick<ExplorationReport, 'explained' | 'explainFault'>): JsonDocument => ({
  ...(explained && { explanation: explanationDocument(explained) }),
  ...(explainFault !== undefined && { explanationFault: explainFault }),
});

function patchDocument({ search, saved, isApplied, testCommand }: PatchReport): JsonDocument {
  const rejectedDocument = ({ family, title, file, because, test, text }: RejectedPatch): JsonDocument => ({
    family,
    title,
    file,
    because,
    ...(test && { test: valueOrText(test.threads) }),
    ...(text !== undefined && { text }),
  });
  return {
    patches: search.patches.map(({ path: _, before: __, after: ___, ...patch }, i) => ({
      rank: i + 1,
      ...patch,
      ...(saved[i] !== undefined && { saved: saved[i] }),
    })),
    unrefuted: search.unrefuted.map(rejectedDocument),
    rejected: search.rejected.map(rejectedDocument),
    skipped: search.skipped,
    ...(isApplied && { isApplied }),
    ...(testCommand !== undefined && { testCommand }),
  };
}

function coverageDocument({ batches, results, scenario, assumptions }: Exploration): JsonDocument {
  const sum = (
    of: 'executions' | 'steps' | 'states' | 'classes' | 'histories' | 'sequential' | 'unfinished',
  ) => results.reduce((total, one) => total + one[of], 0);
  return {
    isExhaustive: isExhaustive(assumptions),
    assumptions,
    tests: batches.map((batch) => batchDocument(batch, wholeCoverage(assumptions))),
    executions: sum('executions'),
    steps: sum('steps'),
    states: sum('states'),
    classes: sum('classes'),
    histories: sum('histories'),
    ...(isLearned(scenario) && { learned: sum('sequential') }),
    ...(sum('unfinished') > 0 && { unfinished: sum('unfinished') }),
  };
}

/** A proof holds only together with its threads, values, bound and memory model. */
const proofDocument = (proof: Proof): JsonDocument => {
  const { isProved, sizes, hasArguments, counterexample, races, ...about } = proof;
  return { proved: isProved, memory: 'sequential consistency', threads: sizes, ...about };
};

/** Each test counts once: by the best that was done for it. */
function batchDocument(
  { choice, threads, callsPerThread, tests, results }: ExploredBatch,
  whole: string,
): JsonDocument {
  const right = results.filter(({ violation }) => violation === undefined);
  const covers = (kind: string) => right.filter(({ coverage }) => coverage[0]?.kind === kind);
  const bounds = covers('bound').map(({ coverage: [first] }) =>
    first.kind === 'bound' ? first.preemptions : 0,
  );
  return {
    choice,
    threads,
    callsPerThread,
    count: tests.length,
    started: results.length,
    [whole]: right.filter(({ coverage }) => coverage.some(({ kind }) => kind === 'all')).length,
    ...(bounds.length > 0 && { bounded: bounds.length, preemptions: Math.min(...bounds) }),
    ...(covers('samples').length > 0 && { sampled: covers('samples').length }),
  };
}

const calledDocument = ({
  name,
  file,
  line,
  column,
  isGivenShared,
  isObserved,
}: CalledFunction): JsonDocument => ({
  name,
  file: relative('.', file),
  line,
  column,
  ...(isGivenShared && { isGivenShared }),
  ...(!isObserved && { isUnobserved: true }),
});

const abandonedDocument = ({ batch, test, reason }: AbandonedTest): JsonDocument => ({
  choice: batch.choice,
  threads: batch.threads,
  callsPerThread: batch.callsPerThread,
  test,
  reason,
});

const stepDocument = ({ thread, access, place }: FailureStep): JsonDocument => ({ thread, access, place });

function failureDocument(
  { test: testCase, violation }: TestResult,
  trace: Trace | undefined,
  { scenario: { spec }, sourceOf }: { scenario: Exploration['scenario']; sourceOf: SourceOf },
): JsonDocument {
  const test = {
    ...(testCase.before.length > 0 && { before: valueOrText(testCase.before) }),
    threads: valueOrText(testCase.threads),
    ...(testCase.after.length > 0 && { after: valueOrText(testCase.after) }),
  };
  if (violation?.kind === 'nondeterminism')
    return { property: 'nondeterminism', test, histories: violation.histories.map(historyDocument) };
  if (!violation || !trace) return { test };
  const { exclusive: held } = violation;
  const verdict =
    violation.kind !== 'uncaught' && spec && check(trace.history, () => withComparableResults(spec));
  return {
    property: violation.kind === 'wait' ? 'progress' : 'safety',
    ...(violation.kind === 'uncaught' && { uncaught: violation.error }),
    ...(held && { exclusive: { ...held, holders: held.holders.map((k) => trace.idOf[k]) } }),
    operation: trace.idOf[violation.operation],
    test,
    history: historyDocument(trace.history),
    ...(verdict &&
      verdict.kind === 'violation' && {
        counterexample: counterexampleDocument(verdict.counterexample),
      }),
    steps: stepDocuments(trace, sourceOf),
    schedule: trace.schedule,
  };
}

/** The lines of our format, as objects; undefined where a value is none that JSON can hold. */
function historyDocument(history: History): JsonDocument[] | undefined {
  try {
    return Array.from(writeJsonLines(history), (line) => JSON.parse(line) as JsonDocument);
  } catch {
    return undefined;
  }
}

/** As `valueDocument`, or a text for people. */
function valueOrText(value: unknown): unknown {
  try {
    return valueDocument(value);
  } catch {
    return show(value);
  }
}

function stepDocuments({ steps, history, idOf }: Trace, sourceOf: SourceOf): JsonDocument[] {
  const position = history.positionsById();
  return steps.map(({ operation, kind, site, value, task }) => {
    const { process } = history.at(position[idOf[operation]]);
    const own = { process, operation: idOf[operation] };
    if (task) return { ...own, task: task.does, ...(task.place !== '' && { place: task.place }) };
    const source = sourceOf(site);
    return {
      ...own,
      access: VERBS[kind],
      ...(source && source.name !== '' && { name: source.name }),
      ...(value !== undefined && { value }),
      ...(source && { ...source.place, text: source.text.trim() }),
    };
  });
}
