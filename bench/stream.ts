/**
 * Measures the online monitor on long streams.
 *
 * Events of 8 busy processes on an object that stays small: a queue, a stack and a priority queue of distinct values, a
 * set of 1,000 keys, a register. For each: events per second of CPU time, without the time to
 * make them; peak memory after a tenth of the events and after all; and what the monitor holds at the end. Then the
 * command line over a pipe, beside `JSON.parse` of its lines.
 *
 *   npm run bench -- stream --events 5000000      default: 50 million; a tenth over the pipe, at most a million
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { OnlineMonitor } from 'straightedge';
import { cpuTime, inOwnProcess, MAIN, ownJob, peakMegabytes } from './measure.js';
import { STREAMS, type StreamName, streamOf } from './streams.js';

interface Job {
  readonly stream: StreamName;
  readonly events: number;
}
interface Found {
  readonly making: number;
  readonly watching: number;
  readonly early: number;
  readonly megabytes: number;
  readonly held: number;
  readonly verdict: string;
}

/** Lets a program print its CPU time. */
const PRINT_CPU_TIME = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write(JSON.stringify(process.cpuUsage())))",
)}`;

/** Characters written to a pipe at once. */
const CHUNK = 1 << 16;

/** The slowest monitors get fewer events. */
const SLOW: Readonly<Partial<Record<StreamName, number>>> = { stack: 100, 'priority-queue': 20 };

if (process.argv[2]?.startsWith('{')) console.log(JSON.stringify(watch(ownJob<Job>())));
else await compare(eventsAsked());

function eventsAsked(): number {
  const at = process.argv.indexOf('--events');
  return at < 0 ? 50_000_000 : Number(process.argv[at + 1]);
}

async function compare(events: number): Promise<void> {
  console.log('stream            events      million/s   MB at 1/10   MB at end   held   verdict');
  for (const stream of Object.keys(STREAMS) as StreamName[]) {
    const own = Math.ceil(events / (SLOW[stream] ?? 1));
    const found = inOwnProcess<Job, Found>(new URL(import.meta.url), { stream, events: own });
    if (!found) throw new Error(`${stream}: no answer`);
    const { making, watching, early, megabytes, held, verdict } = found;
    console.log(
      stream.padEnd(14) +
        String(own).padStart(10) +
        (own / 1e3 / (watching - making)).toFixed(2).padStart(15) +
        early.toFixed(0).padStart(13) +
        megabytes.toFixed(0).padStart(12) +
        String(held).padStart(7) +
        `   ${verdict}`,
    );
  }
  const piped = Math.min(1_000_000, Math.ceil(events / 10));
  console.log('\nover a pipe   events   JSON.parse s    whole s   ratio');
  for (const stream of ['queue', 'set', 'register'] as const) {
    const parse = parseSeconds(stream, piped);
    const whole = await pipeSeconds(stream, piped);
    console.log(
      stream.padEnd(10) +
        String(piped).padStart(10) +
        parse.toFixed(2).padStart(15) +
        whole.toFixed(2).padStart(11) +
        (whole / parse).toFixed(1).padStart(8),
    );
  }
}

function watch({ stream, events }: Job): Found {
  // creating the events once before warms up the code of both
  let last: unknown;
  const start = cpuTime();
  for (const event of streamOf(stream, events)) last = event;
  const making = cpuTime() - start;
  const monitor = new OnlineMonitor(STREAMS[stream]().spec);
  const begin = cpuTime();
  let [count, early] = [0, 0];
  for (const event of streamOf(stream, events)) {
    last = monitor.push(event);
    if (last) break;
    if (++count === Math.ceil(events / 10)) early = peakMegabytes();
  }
  const watching = cpuTime() - begin;
  const { held, verdict } = monitor.status();
  return { making, watching, early, megabytes: peakMegabytes(), held, verdict };
}

function* linesOf(stream: StreamName, events: number): Generator<string> {
  for (const event of streamOf(stream, events)) yield `${JSON.stringify(event)}\n`;
}

function parseSeconds(stream: StreamName, events: number): number {
  let spent = 0;
  let lines: string[] = [];
  const parse = (): void => {
    const start = cpuTime();
    for (const line of lines) JSON.parse(line);
    spent += cpuTime() - start;
    lines = [];
  };
  for (const line of linesOf(stream, events)) if (lines.push(line) === 10_000) parse();
  parse();
  return spent / 1000;
}

/** The CPU time of the command line, its start included. */
async function pipeSeconds(stream: StreamName, events: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--import', PRINT_CPU_TIME, MAIN, 'monitor', '--spec', stream, '--quiet'],
    {
      stdio: ['pipe', 'inherit', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  let lines = '';
  for (const line of linesOf(stream, events)) {
    lines += line;
    if (lines.length < CHUNK) continue;
    if (!child.stdin.write(lines)) await once(child.stdin, 'drain');
    lines = '';
  }
  child.stdin.end(lines);
  await ended;
  const { user, system } = JSON.parse(stderr) as NodeJS.CpuUsage;
  return (user + system) / 1e6;
}
