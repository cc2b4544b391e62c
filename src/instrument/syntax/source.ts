/** A file to instrument: its text, its tree, the position of each offset; and the error for a file that cannot be instrumented. */

import { extname } from 'node:path';
import { InputError } from '../../base/errors.js';
import { formatPosition, type SourcePosition } from '../../base/source-position.js';
import { type Of, tools } from './tree.js';

/** A construct that cannot be instrumented, and its position. */
export interface Problem extends SourcePosition {
  /** What it is, and what to write instead. */
  readonly message: string;
}

/** A file cannot be instrumented. A rewriter goes through the whole file first, so all problems are reported together. */
export class InstrumentError extends InputError {
  override readonly name = 'InstrumentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${formatPosition(problem)}: ${problem.message}`).join('\n'));
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
