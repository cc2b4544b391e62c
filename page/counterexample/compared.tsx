/**
 * A structured result beside the nearest allowed one, line by line. Equal lines far from a difference are folded, except
 * those that say where it is: the lines that open what encloses it, each with the items just before.
 */
import { useState } from 'preact/hooks';

interface Props {
  readonly returned: readonly string[];
  readonly allowed: readonly string[];
}

/** Equal lines shown around a difference. */
const AROUND = 2;

export function Compared({ returned, allowed }: Props) {
  const [isWhole, setWhole] = useState(false);
  const rows = alignedLines(returned, allowed);
  const enclosing = enclosingLines(rows);
  const isNear = (at: number): boolean =>
    enclosing.has(at) ||
    rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== ' ');
  const hidden = rows.filter((_, at) => !isNear(at)).length;
  return (
    <div class="compared">
      <p class="tools">
        <span class="bad">− returned</span>
        <span class="good">+ allowed</span>
        {hidden > 0 && (
          <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Differences only' : `Show ${hidden} equal ${hidden === 1 ? 'line' : 'lines'}`}
          </button>
        )}
      </p>
      <pre class="diff" tabIndex={0} role="group" aria-label="The returned and the allowed result">
        {rows.map(({ mark, text }, at) => {
          if (!isWhole && !isNear(at))
            return isNear(at - 1) || at === 0 ? <span key={at}> …{'\n'}</span> : null;
          return (
            <span key={at} class={{ '-': 'removed', '+': 'added', ' ': '' }[mark]}>
              {mark === '-' ? '−' : mark} {text}
              {'\n'}
            </span>
          );
        })}
      </pre>
    </div>
  );
}

/** For each difference: the lines with less indentation above it, and up to two of their neighbours. */
function enclosingLines(rows: readonly AlignedLine[]): Set<number> {
  const found = new Set<number>();
  const indentOf = (at: number): number => rows[at].text.search(/\S|$/);
  rows.forEach(({ mark }, changed) => {
    if (mark === ' ') return;
    let indent = indentOf(changed);
    for (let at = changed - 1; at >= 0 && indent > 0; at--) {
      if (indentOf(at) >= indent) continue;
      indent = indentOf(at);
      for (let near = at; near >= Math.max(0, at - AROUND) && indentOf(near) === indent; near--)
        found.add(near);
    }
  });
  return found;
}

interface AlignedLine {
  readonly mark: '-' | '+' | ' ';
  readonly text: string;
}

/**
 * Aligns two lists of lines by a longest common subsequence: lines only in the first are marked `-`, only in the second `+`.
 * Cost: quadratic in the lengths, after equal beginnings and ends are cut off.
 */
function alignedLines(one: readonly string[], other: readonly string[]): AlignedLine[] {
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
  let end = 0;
  const least = Math.min(one.length, other.length) - start;
  while (end < least && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  // common[i][j]: the length of a longest common subsequence of a from i and b from j
  const common = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const rows: AlignedLine[] = one.slice(0, start).map((text) => ({ mark: ' ', text }));
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push({ mark: ' ', text: a[i++] });
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1]))
      rows.push({ mark: '-', text: a[i++] });
    else rows.push({ mark: '+', text: b[j++] });
  }
  return [...rows, ...one.slice(one.length - end).map((text) => ({ mark: ' ' as const, text }))];
}
