/**
 * Measures large histories.
 *
 * Histories of 10^6 operations (`--full`: 10^7, about 1 GB; or any number) in every format, read and checked, each in a
 * process of its own. The table has the bytes of the file; CPU seconds to read it, beside `JSON.parse` of every line (of
 * the same records, if the format has no JSON lines); bytes per operation of the history, by its columns and by the heap,
 * and at the peak of reading; seconds to check; and the length of the report.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { check, type History } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { textReport } from 'straightedge/report';
import { type Notation, SAME_AS_JSON, textOf } from './notations.js';
import { casMapSubject, casRegisterSubject, freshRegisterSubject } from './subjects.js';

const SUBJECTS = {
  register: freshRegisterSubject(),
  'cas-register': casRegisterSubject(5),
  'map-1000': casMapSubject(1_000, 5),
};
type ObjectName = keyof typeof SUBJECTS;
type Case = readonly [notation: Notation, object: ObjectName, violating?: boolean];
interface Measured {
  readonly read: number;
  readonly held: number;
  readonly heap: number;
  readonly peak: number;
  readonly check: number;
  readonly megabytes: number;
  readonly verdict: string;
  readonly report: number;
}

const CASES: readonly Case[] = [
  ['lines', 'cas-register'],
  ['lines', 'cas-register', true],
  ['lines', 'map-1000'],
  ['lines', 'map-1000', true],
  ['lines', 'register'],
  ['array', 'cas-register'],
  ['ids', 'cas-register'],
  ['edn', 'cas-register'],
  ['edn-time', 'cas-register'],
  ['edn-vector', 'cas-register'],
  ['jepsen-json', 'cas-register'],
];

const [mode = '1000000', ...given] = process.argv.slice(2);
if (mode === 'measure') console.log(JSON.stringify(await measure(given[0], given[1] as ObjectName)));
else await compare(mode === '--full' ? 10_000_000 : Number(mode), given[0]);

/** `only`: the single notation to measure. */
async function compare(operations: number, only: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    console.log(
      'format       object        verdict            MB  parse s   read s  ratio  held B/op  heap B/op  peak B/op  check s  peak MB  report',
    );
    for (const [notation, object, violating = false] of CASES) {
      if (only !== undefined && notation !== only) continue;
      const file = join(folder, notation);
      await pipeline(
        Readable.from(textOf(notation, SUBJECTS[object], operations, violating)),
        createWriteStream(file),
      );
      const parse = parseSeconds(notation, object, operations);
      const measured = inOwnProcess(object, file);
      const perOperation = (bytes: number) => (bytes / operations).toFixed(0).padStart(11);
      console.log(
        notation.padEnd(13) +
          object.padEnd(14) +
          measured.verdict.padEnd(13) +
          (statSync(file).size / 1e6).toFixed(0).padStart(8) +
          parse.toFixed(1).padStart(9) +
          measured.read.toFixed(1).padStart(9) +
          (measured.read / parse).toFixed(1).padStart(7) +
          perOperation(measured.held) +
          perOperation(measured.heap) +
          perOperation(measured.peak) +
          measured.check.toFixed(1).padStart(9) +
          measured.megabytes.toFixed(0).padStart(9) +
          String(measured.report).padStart(8),
      );
      rmSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `JSON.parse` of every line, without splitting them. */
function parseSeconds(notation: Notation, object: ObjectName, operations: number): number {
  let seconds = 0;
  for (const text of textOf(SAME_AS_JSON[notation], SUBJECTS[object], operations, false)) {
    const lines = text.split('\n').filter(Boolean);
    const begin = cpuSeconds();
    for (const line of lines) JSON.parse(line);
    seconds += cpuSeconds() - begin;
  }
  return seconds;
}

/** The CPU time of this process so far. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function inOwnProcess(object: ObjectName, file: string): Measured {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', fileURLToPath(import.meta.url), 'measure', file, object],
    { encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

async function measure(file: string, object: ObjectName): Promise<Measured> {
  const { spec } = SUBJECTS[object];
  const before = heapBytes();
  const residentBefore = process.memoryUsage.rss();
  const start = cpuSeconds();
  const history = await readHistory(file, { jepsen: () => spec.jepsen });
  const read = cpuSeconds() - start;
  const peak = 1024 * process.resourceUsage().maxRSS - residentBefore;
  const heap = heapBytes() - before;
  const checkAt = cpuSeconds();
  const verdict = check(history, spec);
  const checked = cpuSeconds() - checkAt;
  const ms = { read: 1000 * read, check: 1000 * checked };
  const report = textReport({ file, spec: spec.name, history, verdict, ms });
  return {
    read,
    held: heldBytes(history),
    heap,
    peak,
    check: checked,
    megabytes: process.resourceUsage().maxRSS / 1024,
    verdict: verdict.kind,
    report: report.length,
  };
}

function heapBytes(): number {
  const { gc } = globalThis as { gc?: () => void };
  // the second collection frees arrays that the first found unused
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The bytes of all columns and of the table of values. */
function heldBytes({ columns, tables }: History): number {
  const { after, ...lists } = columns;
  return [...Object.values(lists), after?.start, after?.items, tables.lines].reduce(
    (sum, list) => sum + (list?.byteLength ?? 0),
    tables.values.bytes,
  );
}
