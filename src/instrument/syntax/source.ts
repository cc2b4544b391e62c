/** A file to transform: its text, its tree, and the place of each offset. */
import { extname } from 'node:path';
import type { Place } from '../../base/source-position.js';
import { InstrumentError } from './problem.js';
import { tools } from './tools.js';
import type { Of } from './tree.js';

export class Source {
  readonly file: string;
  readonly text: string;
  readonly program: Of<'Program'>;
  /** With `import` or `export`; else it is read as CommonJS. */
  readonly isModule: boolean;
  readonly isTypeScript: boolean;
  /** Line, from 0, to the offset at which it begins. */
  readonly #lineStarts: number[] = [0];

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
    this.isTypeScript = /\.[cm]?tsx?$/.test(file);
    const isCommonJs = /\.c[jt]s$/.test(file);
    const options = { sourceType: isCommonJs ? 'commonjs' : 'unambiguous' } as const;
    const { parseSync } = tools().parser;
    // the extension tells the language; where there is none, it is JavaScript
    let result = parseSync(extname(file) === '' ? `${file}.js` : file, text, options);
    this.isModule = result.module.hasModuleSyntax || /\.m[jt]s$/.test(file);
    if (!this.isModule && !isCommonJs) result = parseSync(file, text, { sourceType: 'commonjs' });
    const error = result.errors.find(({ severity }) => severity === 'Error');
    if (error !== undefined)
      throw new InstrumentError([
        {
          ...this.placeOf(error.labels[0]?.start ?? 0),
          message: `${error.message} (this file can not be read)`,
        },
      ]);
    this.program = result.program;
  }

  placeOf(offset: number): Place {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - this.#lineStarts[low] + 1 };
  }

  offsetOf({ line, column }: Pick<Place, 'line' | 'column'>): number {
    return (this.#lineStarts[line - 1] ?? this.text.length) + column - 1;
  }

  /** The source of a node. */
  textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.text.slice(start, end);
  }
}

/* Where what we add to a file can stand first. */

/** After what has to stand first: `#!`, and directives. */
export function headOf({ program, text }: Source): number {
  let at = 0;
  if (text.startsWith('#!')) at = text.indexOf('\n') + 1;
  for (const statement of program.body) {
    if (!('directive' in statement && statement.directive)) break;
    at = statement.end;
  }
  return at;
}
