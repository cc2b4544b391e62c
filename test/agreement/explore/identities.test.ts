/**
 * Results with objects in them. The checker compares them up to a bijection, as the definition does that tries all runs.
 * `exclusive` agrees with a search of all linearizations. Objects that hand out handles pass if they are correct and fail if they are not.
 * `AGREE=all` decides 100,000 histories of each kind.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { result } from '../../../src/base/values/result-reference.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { Identities } from '../../../src/execution/comparable.js';
import { OPEN, Outcomes } from '../../../src/execution/outcomes.js';
import { AsyncJudge, ExclusiveJudge } from '../../../src/explore/async/judge.js';
import type { AsyncRun } from '../../../src/explore/async/run.js';
import { Configurations } from '../../../src/explore/automata/configurations.js';
import { exploreSync } from '../../../src/explore/explore.js';
import { LearnedAutomaton, LearnedRuns } from '../../../src/explore/learning/learned-runs.js';
import { scenario } from '../../../src/explore/scenario/scenario.js';
import { exclusive } from '../../../src/objects/locks/mutex.js';

const HISTORIES = process.env.AGREE === 'all' ? 100_000 : 1_000;

class Thing {}
class Other {}

/** A result: which objects it contains, some of which are of the other class. */
type Parts = readonly number[];
/** An operation that takes effect, or returns, and its result. */
type Ended = readonly [operation: number, parts: Parts];

/** Random calls and returns of some operations, each by its own thread. */
function randomEvents(random: Random, operations: number): number[] {
  const events: number[] = [];
  const open: number[] = [];
  const uncalled = Array.from({ length: operations }, (_, k) => k);
  while (uncalled.length + open.length > 0) {
    const isCall = open.length === 0 || (uncalled.length > 0 && random.below(2) === 0);
    const from = isCall ? uncalled : open;
    const [k] = from.splice(random.below(from.length), 1);
    if (isCall) open.push(k);
    events.push(isCall ? k : ~k);
  }
  return events;
}

const randomParts = (random: Random): Parts => Array.from({ length: random.below(3) }, () => random.below(4));

/** The same results with other objects. */
function withOtherObjects(run: readonly Ended[], random: Random): Map<number, Parts> {
  // even numbers are things, odd ones are others
  const shift = 2 * random.below(2);
  return new Map(run.map(([k, parts]) => [k, parts.map((part) => (part + shift) % 4)]));
}

/** Is there a bijection between the objects of the two, with equal results? */
function isEqualUpToBijection(run: readonly Ended[], results: ReadonlyMap<number, Parts>): boolean {
  const pairs = run.flatMap(([k, parts]) => parts.map((part, i) => [part, results.get(k)![i]] as const));
  return (
    run.every(([k, parts]) => parts.length === results.get(k)!.length) &&
    pairs.every(([a, b]) => a % 2 === b % 2 && pairs.every(([c, d]) => (a === c) === (b === d)))
  );
}

/** Does each operation of a run follow those that returned before its call? */
const isInOrder = (run: readonly Ended[], events: readonly number[]): boolean =>
  run.every(([k], i) => run.slice(i + 1).every(([later]) => events.indexOf(~later) > events.indexOf(k)));

/** Numbers of the results of an execution, which makes its own objects. */
function numbered(outcomes: Outcomes, ended: readonly Ended[]): Map<number, number> {
  const objects = Array.from({ length: 4 }, (_, part) => (part % 2 === 0 ? new Thing() : new Other()));
  const identities = new Identities('opaque', undefined);
  return new Map(
    ended.map(([k, parts]) => [
      k,
      outcomes.returned(
        parts.map((part) => objects[part]),
        identities,
      ),
    ]),
  );
}

test('results are equal exactly if a bijection of their objects makes them equal', () => {
  const random = new Random(7);
  const counts = { explained: 0, refused: 0 };
  for (let i = 0; i < HISTORIES; i++) {
    const operations = 2 + random.below(3);
    const outcomes = new Outcomes();
    const learned = new LearnedRuns(operations, true);
    const runs = Array.from({ length: 1 + random.below(4) }, (): Ended[] => {
      const order = randomEvents(random, operations).filter((event) => event >= 0);
      return order.map((k) => [k, randomParts(random)]);
    });
    for (const run of runs) {
      const numbers = numbered(outcomes, run);
      let node = learned.root;
      for (const [k] of run) node = learned.ended(node, k, numbers.get(k)!);
    }
    const events = randomEvents(random, operations);
    const results = withOtherObjects(random.pick(runs), random);
    if (random.below(2) === 0) results.set(random.below(operations), randomParts(random));
    const returned = events
      .filter((event) => event < 0)
      .map((event): Ended => [~event, results.get(~event)!]);
    const numbers = numbered(outcomes, returned);
    const outcome = Array.from({ length: operations }, (_, k) => numbers.get(k)!);
    const shown = { events, outcome, standing: outcome.map(() => 0), schedule: [] } as unknown as AsyncRun;
    const configurations = new Configurations(new LearnedAutomaton(learned), operations, { outcomes });
    const isExplained = new AsyncJudge(shown, configurations).judge('ended') === undefined;
    const expected = runs.some((run) => isInOrder(run, events) && isEqualUpToBijection(run, results));
    if (isExplained !== expected)
      expect.fail(JSON.stringify({ runs, events, results: [...results], isExplained }));
    counts[isExplained ? 'explained' : 'refused']++;
  }
  expect(Math.min(counts.explained, counts.refused)).toBeGreaterThan(HISTORIES / 10);
});

/** Can the operations be ordered such that each takes what is free, and at most `max` are held? Pending takes are blocked at the end. */
function isExclusive(
  events: readonly number[],
  takes: ReadonlyMap<number, number>,
  max: number | undefined,
  isStuck: boolean,
): boolean {
  const ended = events.filter((event) => event < 0).map((event) => ~event);
  const isFirst = (k: number, left: readonly number[]): boolean =>
    left.every((other) => other === k || events.indexOf(~other) > events.indexOf(k));
  const search = (left: readonly number[], held: ReadonlySet<number>): boolean => {
    if (left.length === 0) return !isStuck || held.size >= (max ?? 1);
    return left.some((k) => {
      if (!isFirst(k, left)) return false;
      const rest = left.filter((other) => other !== k);
      const taken = takes.get(k);
      if (taken === undefined)
        return search(rest, new Set([...held].filter((one) => one !== takes.get(k - 1))));
      return !held.has(taken) && held.size < (max ?? 9) && search(rest, new Set([...held, taken]));
    });
  };
  return search(ended, new Set());
}

test('`exclusive` decides as a search of all linearizations does', () => {
  const random = new Random(11);
  const counts = { legal: 0, illegal: 0 };
  for (let i = 0; i < HISTORIES; i++) {
    const threads = 2 + random.below(2);
    const max = random.pick([undefined, 1, 2]);
    // thread t takes with operation 2t and gives back with 2t + 1
    const steps = Array.from({ length: threads }, (_, t) => [2 * t, ~(2 * t), 2 * t + 1, ~(2 * t + 1)]);
    const isStuck = random.below(4) === 0;
    if (isStuck) steps[random.below(threads)].splice(1);
    const events: number[] = [];
    while (steps.some((own) => own.length > 0)) {
      const own = random.pick(steps.filter((one) => one.length > 0));
      events.push(own.shift()!);
    }
    const outcomes = new Outcomes();
    const takes = new Map(steps.map((_, t) => [2 * t, random.below(3)]));
    const outcome = Array.from({ length: 2 * threads }, (_, k) =>
      events.includes(~k) ? outcomes.returned(takes.get(k)) : OPEN,
    );
    const calls = outcome.map((_, k) =>
      k % 2 === 0 ? { method: 'take', args: [] } : { method: 'give', args: [result('take')], uses: [k - 1] },
    );
    const run = {
      events,
      outcome,
      outcomes,
      standing: outcome.map(() => 0),
      schedule: [],
      program: { calls },
    };
    const spec = exclusive({ take: 'take', give: ['give', 0], ...(max !== undefined && { max }) });
    const judge = new ExclusiveJudge(run as unknown as AsyncRun, spec);
    const isLegal = judge.judge(isStuck ? 'stuck' : 'ended') === undefined;
    const expected = isExclusive(events, takes, max, isStuck);
    if (isLegal !== expected)
      expect.fail(JSON.stringify({ events, takes: [...takes], max, isStuck, isLegal }));
    counts[isLegal ? 'legal' : 'illegal']++;
  }
  expect(Math.min(counts.legal, counts.illegal)).toBeGreaterThan(HISTORIES / 10);
});

/* Objects that hand out handles, correct and faulty. */

const gap = (): Promise<void> => Promise.resolve();

class Connection {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
}
class Pool {
  readonly free = [new Connection(1), new Connection(2)];
  readonly waiting: ((connection: Connection) => void)[] = [];
  async take(): Promise<Connection> {
    return this.free.pop() ?? new Promise((resolve) => this.waiting.push(resolve));
  }
  async give(connection: Connection): Promise<void> {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.free.push(connection);
  }
}
class PoolWithGap extends Pool {
  override async take(): Promise<Connection> {
    const connection = this.free.at(-1);
    await gap();
    if (connection === undefined) return super.take();
    this.free.splice(this.free.indexOf(connection), 1);
    return connection;
  }
}
class Mutex {
  isHeld = false;
  readonly waiting: (() => void)[] = [];
  async acquire(): Promise<() => void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isHeld = true;
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.isHeld = false;
    };
  }
}
class MutexFreesFirst extends Mutex {
  override async acquire(): Promise<() => void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isHeld = true;
    return () => {
      this.isHeld = false;
      this.waiting.shift()?.();
    };
  }
}
class Lease {
  readonly leases: Leases;
  constructor(leases: Leases) {
    this.leases = leases;
  }
  isCurrent(): boolean {
    return this.leases.current === this;
  }
  async release(): Promise<void> {
    if (this.isCurrent()) this.leases.current = undefined;
  }
}
class Leases {
  current: Lease | undefined;
  async open(): Promise<Lease | undefined> {
    if (this.current) return undefined;
    this.current = new Lease(this);
    return this.current;
  }
}
class LeasesWithGap extends Leases {
  override async open(): Promise<Lease | undefined> {
    if (this.current) return undefined;
    await gap();
    return super.open().then((lease) => lease ?? this.current);
  }
}
class Lazy {
  made: Promise<Connection> | undefined;
  get(): Promise<Connection> {
    this.made ??= gap().then(() => new Connection(1));
    return this.made;
  }
}
class LazyTwice {
  made: Connection | undefined;
  async get(): Promise<Connection> {
    if (this.made === undefined) {
      await gap();
      this.made = new Connection(1);
    }
    return this.made;
  }
}
class Tokens {
  readonly used = new Set<symbol>();
  async next(): Promise<symbol> {
    const token = Symbol('token');
    this.used.add(token);
    await gap();
    return token;
  }
  async isUsed(token: symbol): Promise<boolean> {
    return this.used.has(token);
  }
}
class TokensShared extends Tokens {
  last = Symbol('token');
  override async next(): Promise<symbol> {
    const token = this.last;
    await gap();
    this.used.add(token);
    this.last = Symbol('token');
    return token;
  }
}

const SUBJECTS: readonly {
  readonly name: string;
  readonly correct: new () => object;
  readonly faulty: new () => object;
  readonly calls: readonly (readonly unknown[])[];
  readonly threads?: number;
  readonly spec?: Parameters<typeof exclusive>[0];
}[] = [
  {
    name: 'a pool: the result is an argument',
    correct: Pool,
    faulty: PoolWithGap,
    calls: [['take'], ['give', result('take')]],
    spec: { take: 'take', give: ['give', 0], max: 2 },
  },
  {
    name: 'a mutex: the result is called',
    correct: Mutex,
    faulty: MutexFreesFirst,
    calls: [['acquire'], [result('acquire')]],
    threads: 3,
    spec: { take: 'acquire', give: result('acquire'), max: 1 },
  },
  {
    name: 'leases: methods of the result are called',
    correct: Leases,
    faulty: LeasesWithGap,
    calls: [['open'], [result('open'), 'isCurrent'], [result('open'), 'release']],
    spec: { take: 'open', give: [result('open'), 'release'], max: 1 },
  },
  { name: 'a lazy instance', correct: Lazy, faulty: LazyTwice, calls: [['get']] },
  {
    name: 'fresh symbols',
    correct: Tokens,
    faulty: TokensShared,
    calls: [['next'], ['isUsed', result('next')]],
  },
];

describe.each(SUBJECTS)('$name', ({ correct, faulty, calls, threads = 2, spec }) => {
  const verdictOf = (Class: new () => object, more: object): Promise<string> => {
    const given = {
      create: () => new Class(),
      backend: 'async',
      calls: [calls],
      threads,
      callsPerThread: 1,
    };
    return inOwnTask(() => exploreSync(scenario({ ...given, ...more } as never)).verdict);
  };

  test('learned: no alarm if it is correct, and the fault is found', async () => {
    expect(await verdictOf(correct, {})).toBe('holds');
    expect(await verdictOf(faulty, {})).toBe('violation');
  });

  if (spec)
    test('`exclusive`: no alarm if it is correct, and the fault is found', async () => {
      expect(await verdictOf(correct, { spec: exclusive(spec) })).toBe('holds');
      expect(await verdictOf(faulty, { spec: exclusive(spec) })).toBe('violation');
    });
});
