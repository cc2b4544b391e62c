/** `convert` and `view` in their thread: read a history, and write it in another format or as a page. */
import { closeSync, constants, createWriteStream, openSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isNamedPipe, systemFault, writeWhole } from '../../base/system-files.js';
import { printable, show } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import type { JepsenWriteOptions } from '../../formats/jepsen/writer.js';
import { writeJepsenEdn } from '../../formats/jepsen/writer.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import type { History } from '../../history/history.js';
import { htmlHistory } from '../../report/html/page.js';
import { loadSpecs } from '../load/spec.js';
import {
  type ConvertJob,
  type ConvertReply,
  FORMAT_NAMES,
  type FormatName,
  type Message,
  type Target,
  type ViewJob,
  type ViewReply,
} from '../model/job.js';
import { readJob } from './read-job.js';

/**
 * Warns of a call whose only argument is a list, in a history read without a spec. Jepsen writes several arguments as a
 * list, and only the spec of the object distinguishes the two; `check` would refuse the written history.
 */
export function loneListHint(history: History): string | undefined {
  const { argumentStart } = history.columns;
  for (let k = 0; k < history.length; k++) {
    if (argumentStart[k + 1] - argumentStart[k] !== 1) continue;
    const [only] = history.args(k);
    // a list of lists is a transaction, and one argument
    if (!Array.isArray(only) || only.length < 2 || only.every(Array.isArray)) continue;
    const call = printable(`${history.at(k).method}(${show(only)})`);
    return `${call} has one argument, a list. If it means several, as cas does, name the object: --spec cas-register`;
  }
  return undefined;
}

export async function viewJob(job: ViewJob, post: (message: Message) => void): Promise<ViewReply> {
  const history = await readJob(job, undefined, post);
  try {
    writeWhole(job.html, htmlHistory(job.file, history));
  } catch (error) {
    const fault = systemFault(error);
    throw fault === undefined ? error : new UsageError(`cannot write ${job.html}: ${fault}`);
  }
  return { kind: 'viewed', text: `Written: ${printable(job.html)}` };
}

/** Yields the text of a history piece by piece. */
type Writer = (history: History, options: JepsenWriteOptions) => Iterable<string>;

const WRITERS: Readonly<Record<FormatName, Writer>> = {
  jsonl: writeJsonLines,
  edn: writeJepsenEdn,
};
/** Characters written at once. */
const CHUNK = 1 << 16;

export async function convertJob(job: ConvertJob, post: (message: Message) => void): Promise<ConvertReply> {
  const { target, independent } = job;
  const onProgress = (text: string) => post({ kind: 'progress', text });
  const print = (piece: string) => post({ kind: 'output', piece });
  const specs = job.spec === undefined ? undefined : await loadSpecs(job.spec, job.options);
  onProgress(`reading ${job.file}`);
  const history = await readJob(job, specs, post);
  onProgress(`writing ${target.path}`);
  const jepsen = specs && ((object: string | undefined) => specs.specOf(object).jepsen);
  await write(target, chunks(WRITERS[target.format](history, { jepsen, independent })), print);
  const count = (n: number, what: string) =>
    `${n.toLocaleString('en')} ${what}${n === 1 ? '' : what.endsWith('s') ? 'es' : 's'}`;
  const hint = specs || target.format === 'edn' ? undefined : loneListHint(history);
  return {
    kind: 'converted',
    text: `wrote ${target.path}: ${count(history.length, 'operation')} of ${count(history.processes.length, 'process')} as ${FORMAT_NAMES[target.format]}${timeNote(target.format)}${hint === undefined ? '' : `\n${hint}`}`,
  };
}

/** Positions look like times. */
const timeNote = (format: FormatName): string =>
  format === 'jsonl' ? '; its numbers are positions, not times' : '';

async function write(
  { path, draft, packed }: Target,
  pieces: Iterable<string>,
  print: (piece: string) => void,
): Promise<void> {
  if (path === '-') {
    for (const piece of pieces) print(piece);
    return;
  }
  let ready: number | undefined;
  try {
    // without a reader, this fails instead of waiting
    if (isNamedPipe(draft)) ready = openSync(draft, constants.O_WRONLY | constants.O_NONBLOCK);
    const [source, file] = [Readable.from(pieces), createWriteStream(draft)];
    await (packed ? pipeline(source, createGzip(), file) : pipeline(source, file));
    if (draft !== path) await rename(draft, path);
  } catch (error) {
    const fault = systemFault(error);
    throw fault === undefined ? error : new UsageError(`cannot write ${path}: ${fault}`);
  } finally {
    if (ready !== undefined) closeSync(ready);
  }
}

function* chunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
