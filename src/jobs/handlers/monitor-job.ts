/** `monitor` in its thread: reads events as they arrive, until no linearization includes a return. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNamedPipe } from '../../base/system-files.js';
import { printable, printableJson } from '../../base/values/show.js';
import { OnlineMonitor } from '../../check/online/monitor.js';
import { requirePairs } from '../../check/online/rendezvous-monitor.js';
import type { OnlineVerdict } from '../../check/stream/monitor.js';
import { UsageError } from '../../config/usage-error.js';
import { type EventOptions, EventReader } from '../../formats/event-reader.js';
import { decompress, MethodRenames, openSource } from '../../formats/read-history.js';
import { withRecordedMethods } from '../../history/history.js';
import type { Watched } from '../../report/common/report-types.js';
import { htmlWatched } from '../../report/html/page.js';
import { monitorDocument, statusDocument } from '../../report/json/json.js';
import { monitorReport, statusLine } from '../../report/text/monitor-report.js';
import { styleOf } from '../../report/text/style.js';
import { loadSpecs } from '../load/spec.js';
import type { Message, MonitorJob, MonitorReply } from '../model/job.js';
import { collectGarbage, LimitExceeded, memoryInUse } from '../model/limit-exceeded.js';
import { checkRenames, expectOperations, loadMap, tellIdle, withHtml } from './read-job.js';

const CHUNK = 1 << 18;
/** Milliseconds between two reads at the end of a growing file. */
const POLL_INTERVAL = 100;

/**
 * Opens a file, or standard input for `-`. With `follow`, reading continues at the end of the file until `isOver`. A pipe is
 * read without blocking a system thread, so that the job can end while the pipe is open.
 */
export function eventSource(
  file: string,
  follow: boolean,
  isOver: () => boolean,
  onMissing: () => void,
): Readable {
  if (file !== '-' && follow && !isNamedPipe(file)) return Readable.from(growing(file, isOver, onMissing));
  const source = openSource(file, () => {
    if (isOver()) throw new LimitExceeded('interrupted');
  });
  return source instanceof Readable ? source : Readable.from(source);
}

/**
 * The content of a file, and what is appended to it. A file that does not exist yet is awaited. If the file is renamed and a
 * new one takes its name, as log rotation does, the rest of the old file comes first, then the new file.
 */
async function* growing(
  file: string,
  isOver: () => boolean,
  onMissing: () => void,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  for (let isFirst = true; !isOver(); isFirst = false) {
    const handle = await openIfExists(file);
    if (!handle && isFirst) onMissing();
    try {
      let isReplaced = false;
      for (let position = 0; handle && !isOver(); ) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
        position += bytesRead;
        if (bytesRead > 0) yield buffer.slice(0, bytesRead);
        else if (isReplaced) break;
        else {
          const { ino, size } = await handle.stat();
          if (size < position)
            throw new UsageError(
              `${file} has become shorter, so events may be lost; --follow is for a file that grows, or that is renamed and replaced by a new one`,
            );
          const now = await stat(file).catch(() => undefined);
          // once more to the end: the last lines may have been written before the new file appeared
          isReplaced = now !== undefined && now.ino !== ino;
          if (!isReplaced) await sleep(POLL_INTERVAL);
        }
      }
    } finally {
      await handle?.close();
    }
    if (!handle) await sleep(POLL_INTERVAL);
  }
}

/** Undefined if there is no such file. */
async function openIfExists(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Milliseconds between two checks of `stop`. */
const LOOK_EVERY = 50;
/** The share of the memory limit for configurations and states. */
const SHARE = 0.5;

export async function monitorJob(job: MonitorJob, post: (message: Message) => void): Promise<MonitorReply> {
  const { file, stop, every, limits } = job;
  const specs = await loadSpecs(job.spec, job.options);
  const named = specs.objects.map(specs.specOf);
  named.forEach(requirePairs);
  checkRenames(job, named);
  const monitor = new OnlineMonitor(specs.specOf, {
    undefinedIsNull: true,
    maxMemory: Math.ceil(SHARE * limits.maxMemory),
  });
  const rename = new MethodRenames(job.rename);
  const watched = (reason?: MonitorReply['reason']): Watched => ({
    file,
    spec: specs.name,
    status: monitor.status(),
    verdict: asInFile(monitor.verdict(), rename),
    ...(reason !== undefined && { reason }),
  });

  const options: EventOptions = {
    rename,
    recordMap: job.map === undefined ? undefined : await loadMap(job.map),
    jepsen: (object) => specs.specOf(object).jepsen,
    independent: job.independent,
    extraFields: job.extraFields,
  };
  const isStopped = () => Atomics.load(stop, 0) !== 0;
  const source = eventSource(file, job.follow, isStopped, () =>
    post({ kind: 'news', text: printable(`${file} does not exist yet; waiting for it`) }),
  );
  let reason: MonitorReply['reason'];
  let lastStatus = performance.now();
  const tell = (): void => {
    if (performance.now() - lastStatus < every) return;
    lastStatus = performance.now();
    if (job.json)
      post({ kind: 'output', piece: `${printableJson(JSON.stringify(statusDocument(watched())))}\n` });
    else post({ kind: 'progress', text: statusLine(watched()) });
  };
  // while no event arrives
  const watch = setInterval(() => {
    if (isStopped()) source.destroy();
    else tell();
  }, LOOK_EVERY);
  // while many events arrive, or one takes long
  const reader = new EventReader((event) => {
    tell();
    return monitor.push(event) !== undefined || isStopped();
  }, options);
  try {
    for await (const bytes of decompress(source)) {
      reader.write(bytes);
      if (monitor.verdict().kind === 'violation' || isStopped()) break;
      if (!hasRoom(limits.maxMemory)) {
        reason = 'memory';
        break;
      }
    }
    if (reason === undefined && !isStopped()) {
      reader.end();
      if (monitor.verdict().kind !== 'violation') tellIdle(job, rename, post);
      if (!job.allowEmpty) expectOperations(monitor.status().operations);
    }
  } catch (error) {
    // destroying a source before its end is an error to it
    if (!isStopped()) throw error;
  } finally {
    clearInterval(watch);
    source.destroy();
  }
  if (isStopped()) reason = 'interrupted';
  const last = watched(reason);
  const answer: MonitorReply = {
    kind: 'monitored',
    verdict: last.verdict.kind,
    reason,
    document: monitorDocument(last),
    text: monitorReport(last, styleOf(job.style)),
  };
  return withHtml(answer, job.html, () => htmlWatched(last), post);
}

/** A violation is shown with the method names of the file. */
function asInFile(verdict: OnlineVerdict, rename: MethodRenames): OnlineVerdict {
  if (verdict.kind !== 'violation') return verdict;
  const shown = withRecordedMethods(verdict.violation.shown, (method) => rename.recordedName(method));
  return { ...verdict, violation: { ...verdict.violation, shown } };
}

function hasRoom(bytes: number): boolean {
  if (memoryInUse() <= bytes) return true;
  collectGarbage();
  return memoryInUse() <= bytes;
}
