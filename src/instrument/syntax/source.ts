/** A file to instrument: its text, its tree, the position of each offset; and the error for a file that cannot be instrumented. */

import { extname } from 'node:path';
import type MagicString from 'magic-string';
import type { SourceMap } from 'magic-string';
import { InputError, invariant } from '../../base/errors.js';
import { formatPosition, type SourcePosition } from '../../base/source-position.js';
import { type Of, tools } from './tree.js';

/** A construct that cannot be instrumented, and its position. */
export interface Problem extends SourcePosition {
  /** What it is, and what to write instead. */
  readonly message: string;
}

export const problemText = (problem: Problem): string => `${formatPosition(problem)}: ${problem.message}`;

/** A file cannot be instrumented. A rewriter goes through the whole file first, so all problems are reported together. */
export class InstrumentError extends InputError {
  override readonly name = 'InstrumentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemText).join('\n'));
    this.problems = problems;
  }
}

export class Source {
  readonly file: string;
  readonly text: string;
  readonly program: Of<'Program'>;
  /** Has it `import` or `export`? Otherwise it is parsed as CommonJS. */
  readonly isModule: boolean;
  readonly isTypeScript: boolean;
  /** Line, from 0, to the offset of its first character. */
  readonly #lineStarts: number[] = [0];

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
    this.isTypeScript = /\.[cm]?tsx?$/.test(file);
    const isCommonJs = /\.c[jt]s$/.test(file);
    const options = { sourceType: isCommonJs ? 'commonjs' : 'unambiguous' } as const;
    const { parseSync } = tools().parser;
    // the extension determines the language; without one it is JavaScript
    let result = parseSync(extname(file) === '' ? `${file}.js` : file, text, options);
    this.isModule = result.module.hasModuleSyntax || /\.m[jt]s$/.test(file);
    if (!this.isModule && !isCommonJs) result = parseSync(file, text, { sourceType: 'commonjs' });
    const error = result.errors.find(({ severity }) => severity === 'Error');
    if (error !== undefined)
      throw new InstrumentError([
        {
          ...this.placeOf(error.labels[0]?.start ?? 0),
          message: `${error.message} (this file cannot be parsed)`,
        },
      ]);
    this.program = result.program;
  }

  placeOf(offset: number): SourcePosition {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - this.#lineStarts[low] + 1 };
  }

  offsetOf({ line, column }: Pick<SourcePosition, 'line' | 'column'>): number {
    return (this.#lineStarts[line - 1] ?? this.text.length) + column - 1;
  }

  /** The source of a node. */
  textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.text.slice(start, end);
  }
}

/** The first offset at which code can be inserted: after `#!` and directives. */
export function headOf({ program, text }: Source): number {
  let at = 0;
  if (text.startsWith('#!')) at = text.indexOf('\n') + 1;
  for (const statement of program.body) {
    if (!('directive' in statement && statement.directive)) break;
    at = statement.end;
  }
  return at;
}

// Edits of a text in place, so that every line keeps its number.
//
// A node is rewritten as a sequence of strings and of its own children, in source order. The text between the children is replaced; the
// children stay, with the edits that they have. Line breaks of replaced text are kept. Invariant: children are edited before their
// parents, so what a parent inserts at an offset goes around what its child inserted there.

/** A file after rewriting, and the way back to its text. */
export interface RewrittenFile {
  readonly code: string;
  readonly map: SourceMap;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export class Edits {
  readonly #text: string;
  readonly #edited: MagicString;

  constructor(text: string) {
    this.#text = text;
    this.#edited = new (tools().MagicString)(text);
  }

  /** Replaces a range, in which nothing was edited that should stay. */
  replace({ start, end }: Span, text: string): void {
    if (start === end) this.#edited.appendLeft(start, text);
    else this.#edited.update(start, end, text + this.#lineBreaks(start, end) || ' ');
  }

  /** Leaves nothing but line breaks, and not those that were moved with a text. */
  blank({ start, end }: Span, moved = ''): void {
    if (start === end) return;
    const kept = this.#lineBreaks(start, end).slice(moved.split('\n').length - 1);
    this.#edited.overwrite(start, end, kept || ' ');
  }

  before({ start }: Span, text: string): void {
    this.#edited.prependRight(start, text);
  }

  after({ end }: Span, text: string): void {
    this.#edited.appendLeft(end, text);
  }

  /** Inserts between the text that ends and the text that starts at an offset. */
  at(offset: number, text: string): void {
    this.#edited.appendLeft(offset, text);
  }

  /** Rewrites a node as strings and children. */
  write(node: Span, parts: readonly (string | Span)[]): void {
    let from = node.start;
    let text = '';
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      invariant(part.start >= from, 'children are written in the order of the source');
      if (part.start > from) this.replace({ start: from, end: part.start }, text);
      else if (from === node.start) this.before(part, text);
      else this.at(from, text);
      text = '';
      from = part.end;
    }
    this.replace({ start: from, end: node.end }, text);
  }

  /** Removes and returns the edited text of a node, with its line breaks, and puts `text` in its place. */
  move(node: Span, text: string): string {
    const moved = this.#edited.slice(node.start, node.end);
    this.#edited.overwrite(node.start, node.end, text);
    return moved;
  }

  result(file: string): RewrittenFile {
    return {
      code: this.#edited.toString(),
      map: this.#edited.generateMap({ source: file, includeContent: true, hires: 'boundary' }),
    };
  }

  #lineBreaks(start: number, end: number): string {
    return this.#text.slice(start, end).replaceAll(/[^\n]/g, '');
  }
}
