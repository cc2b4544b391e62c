/** Watching, in the worker: events are read as they come and handed to the monitor, until one has no order. */
import { writeFileSync } from 'node:fs';
import { OnlineMonitor } from '../../check/online/online-monitor.js';
import { expectWatchable } from '../../check/online/supports-online.js';
import type { OnlineVerdict } from '../../check/stream/violation.js';
import { NotedRenames } from '../../formats/common/noted-renames.js';
import { EventReader } from '../../formats/json-lines/event-reader.js';
import { unpacked } from '../../formats/read-history.js';
import type { Watched } from '../../report/common/report-types.js';
import { htmlWatched } from '../../report/html/page.js';
import { monitorDocument, statusDocument } from '../../report/json/monitor-json.js';
import { monitorReport, statusLine } from '../../report/text/monitor-report.js';
import { styleOf } from '../../report/text/style.js';
import { collectGarbage } from '../load/collect-garbage.js';
import { eventSource } from '../load/event-source.js';
import { loadSpecs } from '../load/load-spec.js';
import type { Message, Monitored, MonitorJob } from '../model/job.js';
import { checkRenames, tellIdle } from './read-job.js';

/** How often somebody looks whether to stop. */
const LOOK_EVERY = 50;
/** Of the memory that there may be, this share is for configurations and states. */
const SHARE = 0.5;

export async function monitorJob(job: MonitorJob, post: (message: Message) => void): Promise<Monitored> {
  const { file, stop, every, limits } = job;
  const specs = await loadSpecs(job.spec, job.options);
  const named = specs.objects.map(specs.specOf);
  named.forEach(expectWatchable);
  checkRenames(job, named);
  const monitor = new OnlineMonitor(specs.specOf, {
    undefinedIsNull: true,
    maxMemory: Math.ceil(SHARE * limits.bytes),
  });
  const rename = new NotedRenames(job.rename);
  const watched = (because?: Monitored['because']): Watched => ({
    file,
    spec: specs.name,
    status: monitor.status(),
    verdict: asInFile(monitor.verdict(), rename),
    ...(because !== undefined && { because }),
  });

  const isStopped = () => Atomics.load(stop, 0) !== 0;
  const source = eventSource(file, job.follow, isStopped);
  let because: Monitored['because'];
  let told = performance.now();
  const tell = (): void => {
    if (performance.now() - told < every) return;
    told = performance.now();
    if (job.json) post({ kind: 'output', piece: `${JSON.stringify(statusDocument(watched()))}\n` });
    else post({ kind: 'progress', text: statusLine(watched()) });
  };
  // while nothing comes
  const watch = setInterval(() => {
    if (isStopped()) source.destroy();
    else tell();
  }, LOOK_EVERY);
  // and while much does, or what comes takes long
  const reader = new EventReader((event) => {
    tell();
    return monitor.push(event) !== undefined || isStopped();
  }, rename);
  try {
    for await (const bytes of unpacked(source)) {
      reader.write(bytes);
      if (monitor.verdict().kind === 'violation' || isStopped()) break;
      if (!hasRoom(limits.bytes)) {
        because = 'memory';
        break;
      }
    }
    if (because === undefined && !isStopped()) {
      reader.end();
      if (monitor.verdict().kind !== 'violation') tellIdle(job, rename, post);
    }
  } catch (error) {
    // to leave a source before its end is an error to it
    if (!isStopped()) throw error;
  } finally {
    clearInterval(watch);
    source.destroy();
  }
  if (isStopped()) because = 'interrupted';
  const last = watched(because);
  const answer: Monitored = {
    kind: 'monitored',
    verdict: last.verdict.kind,
    because,
    document: monitorDocument(last),
    text: monitorReport(last, styleOf(job.style)),
  };
  if (job.report === undefined) return answer;
  post({ kind: 'known', answer });
  writeFileSync(job.report, htmlWatched(last));
  return { ...answer, isWritten: true };
}

/** A violation is shown with the method names of the file. */
function asInFile(verdict: OnlineVerdict, rename: NotedRenames): OnlineVerdict {
  if (verdict.kind !== 'violation') return verdict;
  const shown = verdict.violation.shown.calledAs((method) => rename.toldAs(method));
  return { ...verdict, violation: { ...verdict.violation, shown } };
}

function hasRoom(bytes: number): boolean {
  if (process.memoryUsage.rss() <= bytes) return true;
  collectGarbage();
  return process.memoryUsage.rss() <= bytes;
}
