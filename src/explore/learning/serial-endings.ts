/**
 * How calls have ended in serial runs, method by method. One that threw in all of them teaches nothing: it throws alike
 * in every schedule, and so nothing is wrong with it, be it as broken as it may.
 */
import { OPEN } from '../../execution/outcomes.js';
import type { SerialTrie } from './serial-trie.js';

export interface SerialEnding {
  readonly method: string;
  /** What it threw last, if it did nothing else; undefined where it has also returned, or waited. */
  readonly threw?: string;
}

/** `thrown`: operation to the last error that it threw. */
export function serialEndings(
  trie: SerialTrie,
  calls: readonly { readonly method: string }[],
  thrown: readonly unknown[],
): SerialEnding[] {
  const endings = new Map<string, SerialEnding>();
  for (const letter of trie.edges.flat()) {
    const operation = trie.operationOf(letter);
    const outcome = trie.outcomeOf(letter);
    const { method } = calls[operation];
    const known = endings.get(method);
    if (known !== undefined && known.threw === undefined) continue;
    // odd numbers are errors: execution/outcomes.ts
    const hasThrown = outcome !== OPEN && outcome % 2 === 1;
    endings.set(method, hasThrown ? { method, threw: String(thrown[operation]) } : { method });
  }
  return [...endings.values()];
}

/** Over all tests: the methods that did nothing else. */
export function alwaysThrew(endings: readonly SerialEnding[]): Required<SerialEnding>[] {
  const others = new Set(endings.flatMap(({ method, threw }) => (threw === undefined ? [method] : [])));
  const threw = endings.flatMap(({ method, threw: error }) =>
    error === undefined || others.has(method) ? [] : [[method, error] as const],
  );
  return Array.from(new Map(threw), ([method, error]) => ({ method, threw: error }));
}
