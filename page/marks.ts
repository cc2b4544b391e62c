/** Annotations as marks: a moment, or a span from a text that says "start" to the next that says "stop" in its place. */
import { printable } from '../src/base/values/show.js';
import type { Annotation } from '../src/history/model/operation.js';

export interface Mark {
  readonly text: string;
  /** Between two events: half a moment before the event that came next. */
  readonly from: number;
  /** The same as `from` for what is no span; infinity for one that has no end. */
  readonly to: number;
}

const START = /\bstart\b/;

export function marksOf(annotations: readonly Annotation[]): Mark[] {
  const ended = new Set<number>();
  return annotations.flatMap(({ text, moment }, i) => {
    if (ended.has(i)) return [];
    const from = moment - 0.5;
    if (!START.test(text)) return [{ text: printable(text), from, to: from }];
    const stop = `${text.slice(0, text.search(START))}stop`;
    const end = annotations.findIndex((other, j) => j > i && !ended.has(j) && other.text.startsWith(stop));
    if (end >= 0) ended.add(end);
    return [
      { text: printable(text), from, to: end < 0 ? Number.POSITIVE_INFINITY : annotations[end].moment - 0.5 },
    ];
  });
}
