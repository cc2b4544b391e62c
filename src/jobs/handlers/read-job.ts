/** Reads the history of a job: the first half of `check`, `view` and `convert`. */

import { InputError } from '../../base/errors.js';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import type { RecordMap } from '../../formats/common/reader.js';
import { MethodRenames, readHistory } from '../../formats/read-history.js';
import type { History } from '../../history/history.js';
import { type AnySpec, methodNames } from '../../spec/rendezvous/sync-spec.js';
import { SpecError } from '../../spec/spec.js';
import type { LoadedSpecs } from '../load/spec.js';
import type { Message, ReadJob } from '../model/job.js';
import { watchLimits } from '../model/limit-exceeded.js';

/** Loads the user's function that converts records of another format. */
async function loadMap(path: string): Promise<RecordMap> {
  const { loadModule } = await import('../../config/load-module.js');
  const map = await loadModule(path, 'map');
  if (typeof map !== 'function')
    throw new UsageError(
      `the default export of ${path} is not a function; expected one that converts a record of the file (docs/reference/formats.md)`,
    );
  return map as RecordMap;
}

export async function readJob(
  job: ReadJob,
  specs: LoadedSpecs | undefined,
  post: (message: Message) => void,
): Promise<History> {
  const named = specs?.objects ?? [];
  if (specs) checkRenames(job, named.map(specs.specOf));
  const rename = new MethodRenames(job.rename);
  const history = await readHistory(job.contentFile ?? job.file, {
    rename,
    methodsOf: specs && ((object) => methodNames(specs.specOf(object))),
    jepsen: specs && ((object) => specs.specOf(object).jepsen),
    independent: job.independent,
    clockError: job.clockError,
    watch: watchLimits(job),
    keepTimes: 'html' in job && job.html !== undefined,
    map: job.map === undefined ? undefined : await loadMap(job.map),
  });
  for (const object of named)
    if (object !== undefined && !history.objects.includes(object))
      throw new SpecError(`--spec names object ${JSON.stringify(object)}, which the history does not have`);
  tellIdle(job, rename, post);
  return history;
}

/** Throws if a history is empty: a verdict on nothing hides a recording that failed. */
export function expectOperations(count: number): void {
  if (count === 0)
    throw new InputError('the history has no operations; add --allow-empty if that is expected');
}

/** Warns of renames without effect: they may be misspelt, or the history may be short. */
export function tellIdle(
  { file, quiet }: ReadJob,
  { unused }: MethodRenames,
  post: (message: Message) => void,
): void {
  if (quiet || unused.length === 0) return;
  const text = `${file}: --rename ${unused.join(',')} renames nothing: the history has no such name; the spec's goes first, as in --rename enqueue=add`;
  post({ kind: 'news', text: printable(text) });
}

/** `--rename` gives the names of the spec first, and those of the history second. */
export function checkRenames({ rename }: ReadJob, specs: readonly AnySpec[]): void {
  for (const [from, to] of rename)
    if (!specs.some((spec) => methodNames(spec).includes(to))) {
      const swapped = specs.some((spec) => methodNames(spec).includes(from))
        ? `; did you mean ${from}=${to}?`
        : '';
      throw new UsageError(`--rename ${to}=${from}: no spec has a method ${JSON.stringify(to)}${swapped}`);
    }
}
