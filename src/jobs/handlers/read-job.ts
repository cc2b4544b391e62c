/**
 * The files of a job: the history that it reads, and what it writes beside its verdict, which is an HTML report,
 * observations or a saved failure.
 *
 * The verdict does not depend on written files. One that cannot be written is reported after the verdict.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../base/errors.js';
import { writeWhole } from '../../base/system-files.js';
import { printable } from '../../base/values/show.js';
import { tryToWrite, UsageError } from '../../config/usage-error.js';
import type { ReadOptions, RecordMap } from '../../formats/common/reader.js';
import { MethodRenames, readHistory, readTogether } from '../../formats/read-history.js';
import type { History } from '../../history/history.js';
import { type AnySpec, isSyncSpec, methodNames } from '../../spec/rendezvous/sync-spec.js';
import { fieldsSeenBy, type Spec, SpecError } from '../../spec/spec.js';
import type { LoadedSpecs } from '../load/spec.js';
import { isReadyMade, type Message, type ReadJob, type Reply, type VerdictReply } from '../model/job.js';
import { watchLimits } from '../model/limit-exceeded.js';

/** The folder of saved failures. */
export const FOLDER = '.straightedge';

/** Adds an HTML report to a verdict, which is known from now on. */
export function withHtml<R extends VerdictReply>(
  answer: R,
  path: string | undefined,
  html: () => string,
  post: (message: Message) => void,
): R {
  if (path === undefined) return answer;
  post({ kind: 'known', answer: answer as unknown as Reply<never> });
  post({ kind: 'progress', text: `writing ${path}` });
  const fault = tryToWrite(path, () => writeWhole(path, html()));
  if (fault === undefined) return { ...answer, isWritten: true };
  return { ...answer, unwritten: [...(answer.unwritten ?? []), fault] };
}

/** Writes `.straightedge/name-N.ending`, for the first N that is free or has this text, and returns the path. */
export function saveNumbered(name: string, ending: string, text: string): string {
  mkdirSync(FOLDER, { recursive: true });
  for (let n = 1; ; n++) {
    const path = join(FOLDER, `${name}-${n}.${ending}`);
    if (!existsSync(path)) writeWhole(path, text);
    else if (readFileSync(path, 'utf8') !== text) continue;
    return path;
  }
}

/** A ready-made function that converts records of another format, or the user's. */
export async function loadMap(path: string): Promise<RecordMap> {
  if (isReadyMade(path)) {
    const { recordMaps } = await import('../../formats/record-maps.js');
    if (Object.hasOwn(recordMaps, path)) return recordMaps[path as keyof typeof recordMaps];
    throw new UsageError(
      `unknown record map ${JSON.stringify(path)}; expected ${Object.keys(recordMaps).join(', ')} or the path of a module, such as ./${path}.map.ts`,
    );
  }
  const { loadModule } = await import('../../config/load-module.js');
  const map = await loadModule(path, 'map');
  if (typeof map !== 'function')
    throw new UsageError(
      `the default export of ${path} is not a function; expected one that converts a record of the file (node_modules/straightedge/docs/reference/formats.md)`,
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
  const options: ReadOptions = {
    rename,
    methodsOf: specs && ((object) => methodNames(specs.specOf(object))),
    jepsen: specs && ((object) => specs.specOf(object).jepsen),
    independent: job.independent,
    clockError: job.clockError,
    extraFields: job.extraFields,
    partial: job.partial,
    onCut: (line, file = job.file, hasEvents) =>
      post({
        kind: 'news',
        text: printable(
          `${file}: the file is cut off on line ${line}; ${hasEvents ? 'the last event is left out' : 'an operation that it no longer has may be the reason of a violation'}`,
        ),
      }),
    watch: watchLimits(job),
    keepTimes: needsTimes(job) || named.some((object) => specs && seesInterval(specs.specOf(object))),
    recordMap: job.map === undefined ? undefined : await loadMap(job.map),
  };
  const history = job.together
    ? await readTogether(job.together, options)
    : await readHistory(job.contentFile ?? job.file, options);
  for (const object of named)
    if (object !== undefined && !history.objects.includes(object))
      throw new SpecError(`--spec names object ${JSON.stringify(object)}, which the history does not have`);
  tellIdle(job, rename, post);
  return history;
}

/** Whether a method of a spec sees the times of its operations. */
const seesInterval = (spec: AnySpec): boolean =>
  !isSyncSpec(spec) &&
  methodNames(spec).some((method) => fieldsSeenBy(spec as Spec, method).includes('interval'));

/** Files up to this size keep their times, so that a report can measure how stale reads are. */
const SMALL_FILE = 4_000_000;

function needsTimes(job: ReadJob): boolean {
  if ('html' in job && job.html !== undefined) return true;
  if (!('consistency' in job && 'faults' in job)) return false;
  if (job.consistency === true || (job.faults as readonly unknown[]).length > 0) return true;
  const files = job.together ?? [job.contentFile ?? job.file];
  const size = files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity),
    0,
  );
  return size <= SMALL_FILE;
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
  const text = `${file}: --rename ${unused.join(',')} renames nothing: the history has no such name; the name of the spec goes first, as in --rename enqueue=add`;
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
