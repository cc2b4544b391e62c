/** What a linearizable history has tested: overlapping operations, unknown outcomes, and faults. */
import type { Witness } from '../../check/model/verdict.js';
import { faultCounts } from '../../consistency/contradictions.js';
import type { History } from '../../history/history.js';
import { NEVER, overlapIn } from '../../history/model/columns.js';
import { count, grouped } from '../common/verdict-words.js';
import { type Sentence, say } from './words.js';

interface EvidenceLine {
  readonly topic: 'overlap' | 'unknown' | 'faults';
  readonly sentence: Sentence;
}

export const EVIDENCE_TITLE = 'What this history tested';

export function evidenceLines(history: History, witness: Witness): EvidenceLine[] {
  const faults = faultCounts(history).map(
    ({ fault, times, operations }) =>
      `${fault} (${count(times, 'time')}, ${count(operations, 'operation')} called during it)`,
  );
  return [
    { topic: 'overlap', sentence: say`${overlapText(history)}` },
    ...unknownLine(history, witness),
    ...(faults.length > 0 ? [{ topic: 'faults' as const, sentence: say`${faults.join('; ')}.` }] : []),
  ];
}

function overlapText({ columns, length }: History): string {
  const { overlapping, mostOpen } = overlapIn(columns);
  return overlapping === 0
    ? 'No two operations overlapped, so the history shows nothing about concurrent calls.'
    : `${grouped(overlapping)} of ${count(length, 'operation')} overlapped another one. At most ${mostOpen} were open at the same time.`;
}

function unknownLine({ columns }: History, { order }: Witness): EvidenceLine[] {
  const pending = new Set(columns.id.filter((_, k) => columns.return[k] === NEVER));
  if (pending.size === 0) return [];
  const effective = order.filter((id) => pending.has(id)).length;
  const sentence = say`${count(pending.size, 'operation has', 'operations have')} no known result. In this linearization, ${tookEffect(effective, pending.size)}.`;
  return [{ topic: 'unknown', sentence }];
}

/** `it took effect`, `2 of them took effect`. */
function tookEffect(effective: number, of: number): string {
  if (of === 1) return effective === 1 ? 'it took effect' : 'it did not take effect';
  return effective === 0 ? 'none of them took effect' : `${grouped(effective)} of them took effect`;
}
