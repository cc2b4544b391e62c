/**
 * The result of a check as data of a page.
 *
 * A page has the whole history up to a limit; of a longer one, the operations around the faulty operation. The reasons
 * are the sentences that the terminal prints.
 */
import { showLines } from '../../base/values/show.js';
import { isRendezvousCause } from '../../check/model/causes.js';
import type { Counterexample } from '../../check/model/verdict.js';
import type { SpecOf } from '../../check/parts/parts.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { Consistency } from '../../consistency/measure.js';
import type { History } from '../../history/history.js';
import { FAILED } from '../../history/model/columns.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { chooseOperations, meanwhileText } from '../common/choose-operations.js';
import { type CheckedHistory, described } from '../common/report-types.js';
import { count, explainedBy, unexplainedBy, WIDENED, whyUnexplained } from '../common/verdict-words.js';
import { consistencyLines, consistencyTitle } from '../sentences/consistency.js';
import { EVIDENCE_TITLE, evidenceLines } from '../sentences/contradictions.js';
import { reasons } from '../sentences/reasons.js';
import { declinedInWords, doubtInWords, othersInWords } from '../sentences/undecided.js';
import { nearestAllowed, SIGNS } from '../sentences/words.js';
import { packHistory } from './history-data.js';
import { ordersOf, PartTabs, rendezvousOf } from './orders-data.js';
import type { CoreData, PageData, TopicData } from './page-types.js';

/** Operations that a page can hold and stay quick. */
const MOST_OPERATIONS = 200_000;

export function pageData(result: CheckedHistory, specOf: AnySpecOf): PageData {
  const { file, spec, history, verdict, consistency, all } = described({ ...result, specOf });
  const counterexample = verdict.kind === 'violation' ? verdict.counterexample : undefined;
  // rendezvous objects have no linearizations to walk through
  const isRendezvous = history.objects.some((object) => isSyncSpec(specOf(object)));
  const tabs = isRendezvous
    ? undefined
    : new PartTabs(history, specOf as SpecOf, verdict, consistency?.parts);
  const kept = keep(history, counterexample);
  return {
    file,
    spec,
    verdict: verdict.kind,
    ...(verdict.kind === 'linearizable' && { headline: explainedBy(verdict.witness) }),
    ...(counterexample && { headline: unexplainedBy(isRendezvousCause(counterexample.cause)) }),
    facts: [
      ...factsOf(history),
      ...(verdict.stats.checker === ''
        ? []
        : [`${verdict.kind === 'undecided' ? 'tried' : 'decided by'} ${verdict.stats.checker}`]),
    ],
    notes: notesOf({ verdict, history, consistency, specOf }, history.length - kept.length),
    history: packHistory(kept),
    omitted: history.length - kept.length,
    parts: tabs?.data ?? [],
    partOf: tabs ? Array.from(kept.columns.id, (id) => tabs.numberOf[id] ?? 0) : [],
    ...(counterexample && { core: coreOf(counterexample, history, specOf, tabs) }),
    ...(consistency && {
      consistency: {
        title: consistencyTitle(consistency).replace(/:$/, ''),
        lines: consistencyLines(consistency, history, SIGNS, { all: all === true }).map((line) => ({
          ...line,
          ...barsOf(line.topic, consistency),
        })),
      },
    }),
    ...(verdict.kind === 'linearizable' && {
      evidence: { title: EVIDENCE_TITLE, lines: evidenceLines(history, verdict.witness) },
    }),
    orders: tabs ? ordersOf(verdict, specOf as SpecOf, tabs) : [],
    rendezvous: rendezvousOf(verdict, history, specOf),
  };
}

/** What is drawn as bars beside the items of a line. */
function barsOf(topic: string, { stale, contradictions }: Consistency): Pick<TopicData, 'bars'> {
  const byName = { 'by key': stale.byPart, 'by process': stale.byProcess }[topic];
  if (byName) return { bars: { kind: 'by name', amounts: byName.map(({ reads }) => reads) } };
  return topic === 'over time' ? { bars: { kind: 'over time', amounts: contradictions.overTime } } : {};
}

/** A history without a verdict. */
export function uncheckedData(file: string, history: History): PageData {
  const kept = keep(history, undefined);
  const omitted = history.length - kept.length;
  return {
    file,
    spec: '',
    verdict: 'unchecked',
    facts: factsOf(history),
    notes: omittedNote(omitted),
    history: packHistory(kept),
    omitted,
    parts: [],
    partOf: [],
    orders: [],
    rendezvous: [],
  };
}

const factsOf = (history: History): string[] => [
  count(history.length, 'operation'),
  count(history.processes.length, 'process', 'processes'),
];

const omittedNote = (omitted: number): string[] =>
  omitted > 0 ? [`${count(omitted, 'operation')} omitted: the page would be too large.`] : [];

/** The core, and what was called around its fault; all, where that is not too much. */
function keep(history: History, counterexample: Counterexample | undefined): History {
  if (history.length <= MOST_OPERATIONS) return history;
  const core = new Set(counterexample?.core.columns.id);
  const fault = counterexample ? history.positionsById()[counterexample.cause.operation] : 0;
  const first = Math.max(0, Math.min(fault - MOST_OPERATIONS / 2, history.length - MOST_OPERATIONS));
  const { id } = history.columns;
  return history.select((k) => (k >= first && k < first + MOST_OPERATIONS) || core.has(id[k]));
}

function coreOf(
  counterexample: Counterexample,
  history: History,
  specOf: AnySpecOf,
  tabs: PartTabs | undefined,
): CoreData {
  const { core, minimal, cause } = counterexample;
  const { outcome } = history.at(history.positionsById()[cause.operation]);
  const nearest = nearestAllowed(outcome, cause.allowed);
  const shown = chooseOperations(counterexample, history, specOf);
  const meanwhile = meanwhileText(shown, history);
  const sources =
    tabs && shown.length < MOST_DRAWN ? sourcesOfAllowed(counterexample, history, shown, tabs) : [];
  return {
    title: whyUnexplained(isRendezvousCause(cause)),
    part: tabs?.numberOf[cause.operation] ?? 0,
    fault: cause.operation,
    operations: Array.from(core.columns.id),
    shown: [...shown.columns.id, ...sources].sort((a, b) => a - b),
    ...(meanwhile !== undefined && { meanwhile }),
    minimal,
    reasons: reasons(counterexample, history, SIGNS),
    ...(nearest &&
      outcome.kind === 'returned' && {
        compared: {
          returned: showLines(outcome.value, nearest.value),
          allowed: showLines(nearest.value, outcome.value),
        },
      }),
  };
}

/** Beyond this, a drawing is large enough. */
const MOST_DRAWN = 8;

/** Of the value that was allowed: the last operation that inserted it before the fault, unless the drawing has one. */
function sourcesOfAllowed(
  { cause }: Counterexample,
  history: History,
  shown: History,
  { numberOf }: PartTabs,
): number[] {
  const [outcome] = cause.allowed;
  if (cause.allowed.length !== 1 || outcome.kind !== 'returned') return [];
  if (outcome.value === null || outcome.value === undefined || typeof outcome.value === 'boolean') return [];
  const value = history.tables.values.find(outcome.value);
  const { id, call, return: returned, argument, argumentStart, status } = history.columns;
  const takes = (k: number) =>
    argument.subarray(argumentStart[k], argumentStart[k + 1]).includes(value ?? -1);
  const fault = history.positionsById()[cause.operation];
  const found = Array.from(id.keys()).filter(
    (k) =>
      k !== fault &&
      numberOf[id[k]] === numberOf[cause.operation] &&
      status[k] !== FAILED &&
      call[k] < returned[fault] &&
      takes(k),
  );
  if (found.length === 0 || found.some((k) => shown.columns.id.includes(id[k]))) return [];
  return [id[found.reduce((last, k) => (returned[k] > returned[last] ? k : last))]];
}

function notesOf(
  result: Pick<CheckedHistory, 'verdict' | 'history' | 'consistency' | 'specOf'>,
  omitted: number,
): string[] {
  const { verdict, history } = result;
  const notes = [...omittedNote(omitted), ...(history.tables.isWidened ? [WIDENED] : [])];
  if (verdict.kind === 'undecided') {
    const { advice, parts } = doubtInWords(verdict);
    notes.push(advice, ...parts);
  }
  notes.push(...othersInWords(result, SIGNS.ellipsis));
  return [...notes, declinedInWords(verdict) ?? []].flat();
}
