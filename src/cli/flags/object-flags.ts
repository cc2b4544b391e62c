/** The flags that set up a ready-made object. */
import type { Command } from 'commander';
import { UsageError } from '../../config/usage-error.js';
import { parseCount, parseJson } from '../../jobs/load/parse-flags.js';
import type { ObjectOptions } from '../../objects/by-name.js';

export interface ObjectFlags {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly parties?: number;
}

export function addObjectFlags(command: Command): Command {
  return command
    .option('--initial <json>', 'what the object starts as', parseJson)
    .option('--empty <json>', 'what an empty container answers', parseJson)
    .option('--permits <n>', 'how many permits a semaphore has', parseCount)
    .option('--parties <n>', 'how many meet at a barrier', parseCount);
}

/** Those that are given. */
export const objectOptions = (flags: ObjectFlags): ObjectOptions =>
  Object.fromEntries(
    (['initial', 'empty', 'permits', 'parties'] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => [name, flags[name]]),
  );

/** Asked for here and not by the parser, which would complain of it before it names an option that there is not, as `--spce`. */
export function neededSpec({ spec }: { readonly spec?: string }): string {
  if (spec !== undefined) return spec;
  throw new UsageError(
    '--spec is missing: what the history is of. A ready-made object, as --spec queue, or a spec of your own, as --spec ./my.spec.ts',
  );
}
