/** Where what we add to a file can stand first. */
import type { Source } from './source.js';

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
