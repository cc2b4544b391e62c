/**
 * A patch as text: edits of one file that keep its style, and the unified diff of the result.
 *
 * Positions come from the syntax tree, edits are made on the text: lines without an edit stay byte for byte. Indentation,
 * semicolons and the style of private members are those of the file. An edit that cannot keep them throws `EditRefused`, and
 * the candidate is dropped.
 *
 * The diff is a longest common subsequence of lines, by dynamic programming between the common ends. Cost: O(n·m) for the
 * n and m lines in between.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type MagicString from 'magic-string';
import { tools } from '../../../instrument/syntax/tree.js';
import type { ClassSource, Method, Statement } from './source.js';

/** A family cannot make this edit. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
}

/** The code that a family may change. */
export interface FamilyContext {
  readonly cls: ClassSource;
  /** All classes of the file. */
  readonly classes: readonly ClassSource[];
  /** The methods with the blamed lines, and the public methods through which they are reached. */
  readonly blamed: ReadonlySet<Method>;
  readonly entries: ReadonlySet<Method>;
}

/** An edit that a family proposes. */
interface Proposal {
  readonly family: string;
  /** What the patched code does, without a full stop. */
  readonly title: string;
  readonly edit: (draft: Draft) => void;
  readonly warnings?: readonly string[];
  /** Can work be lost or done twice if an await fails or takes long? Such a patch needs more evidence, and is never first. */
  readonly losesWork?: boolean;
  /** Is the edit about what happens after a failure? Then the original is no reference for that. */
  readonly changesFailures?: boolean;
  /** Do calls with different first arguments still overlap? */
  readonly isKeyed?: boolean;
  /** Later edits of a group are larger: they are not needed if one before them holds. Default: the edit is alone. */
  readonly group?: string;
}

export type Family = (context: FamilyContext, add: (proposal: Proposal) => void) => void;

export type Edit = (draft: Draft) => void;

/** Several edits as one. */
export const all =
  (edits: readonly Edit[]): Edit =>
  (draft) => {
    for (const edit of edits) edit(draft);
  };

/** Edits of one file. */
export class Draft {
  readonly cls: ClassSource;
  readonly #text: string;
  readonly #edited: MagicString;
  /** Offsets of the lines that are removed. */
  readonly #removed = new Set<number>();

  constructor(cls: ClassSource) {
    this.cls = cls;
    this.#text = cls.source.text;
    this.#edited = new (tools().MagicString)(this.#text);
  }

  get text(): string {
    return this.#edited.toString();
  }

  insert(offset: number, text: string): void {
    this.#edited.appendLeft(offset, text);
  }

  replace({ start, end }: { readonly start: number; readonly end: number }, text: string): void {
    this.#edited.overwrite(start, end, text);
  }

  /** Inserts statements on lines of their own before a statement. */
  before(statement: Statement, ...lines: readonly string[]): void {
    const pad = this.cls.indentAt(statement.start);
    this.insert(statement.start, lines.map((line) => `${line}\n${pad}`).join(''));
  }

  /** Inserts lines after the line on which a statement ends. */
  after(statement: Statement, ...lines: readonly string[]): void {
    const pad = this.cls.indentAt(statement.start);
    this.insert(this.#lineEnd(statement.end), lines.map((line) => `\n${pad}${line}`).join(''));
  }

  /** Removes a statement, with its line if nothing else stands there but a comment. Returns the removed text. */
  remove(statement: Statement): string {
    const start = this.#text.lastIndexOf('\n', statement.start - 1);
    const end = this.#lineEnd(statement.end);
    const before = this.#text.slice(start + 1, statement.start);
    const after = this.#text.slice(statement.end, end).trim();
    if (before.trim() !== '' || (after !== '' && !after.startsWith('//')))
      throw new EditRefused('a shared line');
    const above = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start).trim();
    if (above.startsWith('//') || above.endsWith('*/')) throw new EditRefused('a statement with a comment');
    this.#edited.remove(start, end);
    this.#removed.add(start + 1);
    return this.#text.slice(statement.start, end).trimEnd();
  }

  /** Removes a statement with the comment lines above it, and the comment behind it. */
  removeWithComment(statement: Statement): void {
    let start = this.#text.lastIndexOf('\n', statement.start - 1);
    const end = this.#lineEnd(statement.end);
    const beside = this.#text.slice(start + 1, statement.start) + this.#text.slice(statement.end, end);
    if (!/^\s*(\/\/.*)?$/.test(beside)) throw new EditRefused('a shared line');
    this.#removed.add(start + 1);
    for (;;) {
      const above = this.#text.lastIndexOf('\n', start - 1);
      if (above < 0 || !/^\s*\/\//.test(this.#text.slice(above + 1, start))) break;
      this.#removed.add(above + 1);
      start = above;
    }
    this.#edited.remove(start, end);
  }

  /** Removes a statement whose text is not needed. A comment behind it stays, on a line of its own. */
  drop(statement: Statement): void {
    const comment = this.remove(statement)
      .slice(statement.end - statement.start)
      .trim();
    const start = this.#text.lastIndexOf('\n', statement.start - 1);
    if (comment !== '') this.insert(start, `\n${this.cls.indentAt(statement.start)}${comment}`);
  }

  /** Indents the lines after the one with offset `from`, up to `to`. */
  indent(from: number, to: number): void {
    for (
      let at = this.#text.indexOf('\n', from) + 1;
      at > 0 && at < to;
      at = this.#text.indexOf('\n', at) + 1
    )
      if (this.#text[at] !== '\n' && !this.#removed.has(at)) this.#edited.appendRight(at, this.cls.unit);
  }

  /** Puts statements of one list between a head and a tail, each line of which is indented like them. */
  enclose(statements: readonly Statement[], head: readonly string[], tail: readonly string[]): void {
    const [first] = statements;
    const last = statements[statements.length - 1];
    const pad = this.cls.indentAt(first.start);
    if (this.#text.slice(this.#text.lastIndexOf('\n', first.start - 1) + 1, first.start).trim() !== '')
      throw new EditRefused('a shared line');
    this.insert(first.start, head.map((line) => `${line}\n${pad}`).join('') + this.cls.unit);
    const end = this.#lineEnd(last.end);
    this.indent(first.start, end);
    this.insert(end, tail.map((line) => `\n${pad}${line}`).join(''));
  }

  /** Puts the whole body of a method, with its comments, between a head and a tail. */
  encloseBody({ node, body }: Method, head: readonly string[], tail: readonly string[]): void {
    const pad = this.cls.indentAt(node.start) + this.cls.unit;
    const last = this.#text.lastIndexOf('\n', body.end - 1);
    if (last <= body.start) throw new EditRefused('a body on one line');
    this.indent(body.start, last + 1);
    this.insert(body.start + 1, head.map((line) => `\n${pad}${line}`).join(''));
    this.insert(last, tail.map((line) => `\n${pad}${line}`).join(''));
  }

  /** Adds a field after the last one. */
  addField(line: string): void {
    const last = this.cls.fields.at(-1);
    const pad = this.#memberIndent();
    const at = last ? this.#lineEnd(last.node.end) : this.cls.node.body.start + 1;
    // without semicolons, some members would continue the line
    const end = /^\s*[[(*]/.test(this.#text.slice(at)) ? ';' : this.cls.semicolon;
    this.insert(at, `\n${pad}${line}${end}${last ? '' : '\n'}`);
  }

  /** Adds a method after the last one. */
  addMethod(lines: readonly string[]): void {
    const pad = this.#memberIndent();
    const end = this.#text.lastIndexOf('\n', this.cls.node.body.end - 1);
    if (end <= this.cls.node.body.start) throw new EditRefused('a class on one line');
    this.insert(end, `\n\n${lines.map((line) => pad + line).join('\n')}`);
  }

  #memberIndent(): string {
    const [first] = this.cls.node.body.body;
    return first ? this.cls.indentAt(first.start) : this.cls.unit;
  }

  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset - 1);
    return end < 0 ? this.#text.length : end;
  }
}

/** Lines of the original, from 0, that are replaced by others. Lines keep their line ends. */
interface ChangedLines {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The ranges of lines that differ, in order. */
export function changedLines(before: string, after: string): ChangedLines[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail++;
  const [n, m] = [a.length - head - tail, b.length - head - tail];
  // common[i][j]: the longest common subsequence of the lines from i and from j on
  const common = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      common[i][j] =
        a[head + i] === b[head + j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const changes: { from: number; to: number; lines: string[] }[] = [];
  let open: (typeof changes)[number] | undefined;
  for (let i = 0, j = 0; i < n || j < m; ) {
    if (i < n && j < m && a[head + i] === b[head + j]) {
      open = undefined;
      i++;
      j++;
      continue;
    }
    if (open === undefined) {
      open = { from: head + i, to: head + i, lines: [] };
      changes.push(open);
    }
    if (i < n && (j === m || common[i + 1][j] >= common[i][j + 1])) {
      i++;
      open.to++;
    } else open.lines.push(b[head + j++]);
  }
  return changes.map((change, i) => slid(change, a, changes.at(i + 1)?.from ?? a.length));
}

/** Added lines that may stand further down start with an empty line, if they can: a new method starts there. */
function slid(change: ChangedLines, lines: readonly string[], end: number): ChangedLines {
  let { from, lines: added } = change;
  if (from !== change.to) return change;
  for (; from < end && lines[from] === added[0]; from++) {
    if (added[0].trim() === '') break;
    added = [...added.slice(1), added[0]];
  }
  return added[0].trim() === '' ? { from, to: from, lines: added } : change;
}

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** A diff that `git apply` accepts. `path` is relative to the folder in which it is applied. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const name = path.replaceAll('\\', '/');
  const old = linesOf(before);
  const hunks: ChangedLines[][] = [];
  for (const change of changedLines(before, after)) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.from - last.to <= 2 * CONTEXT) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  let shift = 0;
  const texts = hunks.map((changes) => {
    const from = Math.max(0, changes[0].from - CONTEXT);
    const to = Math.min(old.length, changes[changes.length - 1].to + CONTEXT);
    const lines: string[] = [];
    let at = from;
    for (const change of changes) {
      lines.push(...old.slice(at, change.from).map((line) => ` ${line}`));
      lines.push(...old.slice(change.from, change.to).map((line) => `-${line}`));
      lines.push(...change.lines.map((line) => `+${line}`));
      at = change.to;
    }
    lines.push(...old.slice(at, to).map((line) => ` ${line}`));
    const added = changes.reduce((sum, change) => sum + change.lines.length - (change.to - change.from), 0);
    const header = `@@ -${range(from, to - from)} +${range(from + shift, to - from + added)} @@`;
    shift += added;
    return [
      header,
      ...lines.map((line) => line.replace(/\n$/, '') + (line.endsWith('\n') ? '' : NO_NEWLINE)),
    ].join('\n');
  });
  return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${texts.join('\n')}\n`;
}

const NO_NEWLINE = '\n\\ No newline at end of file';

/** A range of lines in the header of a hunk: of an empty one, the line before it. */
const range = (from: number, count: number): string => `${count === 0 ? from : from + 1},${count}`;

/** A text that replaces the characters from `start` to `end` of the original. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function textEdits(before: string, after: string): TextEdit[] {
  const starts = [0];
  for (const line of linesOf(before)) starts.push(starts[starts.length - 1] + line.length);
  return changedLines(before, after).map(({ from, to, lines }) => ({
    start: starts[from],
    end: starts[to],
    text: lines.join(''),
  }));
}

/** Lines that a diff adds or removes. */
export const countChangedLines = (before: string, after: string): number =>
  changedLines(before, after).reduce((sum, { from, to, lines }) => sum + to - from + lines.length, 0);

/** The path that git knows a file by: relative to the root of the repository. */
export function gitPath(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return relative(folder, path);
    if (folder === dirname(folder)) return undefined;
  }
}
