/** A program that checks one simulated history. `hard.ts` and `pending.ts` run it in processes of their own. */
import { check, type Limits } from 'straightedge';
import type { Algorithm } from '../src/check/algorithms.js';
import { cpuTime, ownJob, peakMegabytes } from './measure.js';
import {
  type BenchSubject,
  casMapSubject,
  casRegisterSubject,
  lowesMapSubject,
  queueSubject,
  stackSubject,
  whole,
} from './subjects.js';
import { type Simulation, simulatedHistory } from './workload.js';

/** The number of values: large, so that duplicates are rare. */
const DISTINCT = 2 ** 30;

type SubjectName =
  | 'register'
  | 'map'
  | 'whole map'
  | 'queue'
  | 'queue of distinct values'
  | 'stack of distinct values';

const SUBJECTS: Readonly<Record<SubjectName, BenchSubject>> = {
  register: casRegisterSubject(5),
  map: casMapSubject(10, 5),
  'whole map': whole(lowesMapSubject(20, 4)),
  queue: queueSubject(20, 30),
  'queue of distinct values': queueSubject(DISTINCT, 50),
  'stack of distinct values': stackSubject(DISTINCT, 50),
};

export interface Job {
  readonly subject: SubjectName;
  readonly simulation: Simulation;
  readonly algorithm: Algorithm;
  readonly limits: Limits;
}

export interface Found {
  /** The verdict; if it is undecided, with the limit that was reached. */
  readonly verdict: string;
  readonly checker: string;
  readonly milliseconds: number;
  readonly configurations: number;
  readonly megabytes: number;
}

const { subject, simulation, algorithm, limits } = ownJob<Job>();
const history = simulatedHistory(SUBJECTS[subject], simulation);
const start = cpuTime();
const verdict = check(history, SUBJECTS[subject].spec, { algorithm, ...limits });
const found: Found = {
  verdict: verdict.kind === 'undecided' ? `undecided: ${verdict.reason}` : verdict.kind,
  checker: verdict.stats.checker,
  milliseconds: cpuTime() - start,
  configurations: verdict.stats.configurations,
  megabytes: peakMegabytes(),
};
console.log(JSON.stringify(found));
