/**
 * The virtual event loop against the Node that runs the test. Real runs of generated programs, with random busy waits, show
 * no order of callbacks that the virtual loop does not have. Nightly runs count the orders that were not seen.
 */
import { execFile } from 'node:child_process';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { EventLoop, withLoop } from '../../../src/event-loop/event-loop.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { ChoiceTree } from '../../../src/explore/model/engine.js';
import { share } from '../../support/share.js';

const PROGRAMS = share(150, 20);
const RUNS = share(400, 15);
/** Programs with more executions are skipped. */
const MOST = 3_000;

/** A step of a callback. `name` is logged when its own callback runs, and stands for its handle. */
interface Step {
  readonly does: string;
  readonly name: string;
  readonly ms?: number;
  readonly then?: readonly Step[];
}

interface World {
  readonly log: string[];
  /** Names of callbacks that will come. */
  readonly pending: Set<string>;
  external(callback: () => void): void;
  /** Lets time pass. */
  pause(): void;
  readonly promises: typeof import('node:timers/promises');
}

/** Runs steps with the timers of Node, or of an execution. Its source also runs in a process of its own. */
function interpret(program: readonly Step[], { log, pending, external, pause, promises }: World): void {
  // biome-ignore lint/suspicious/noExplicitAny: handles of all kinds
  const handles: Record<string, any> = {};
  /** Cleared, or refreshed once. */
  const fixed = new Set<string>();
  const run = (steps: readonly Step[]): void => {
    for (const { does, name, ms = 0, then = [] } of steps) {
      let calls = 0;
      const called = () => {
        pause();
        calls++;
        log.push(does === 'interval' ? name + calls : name);
        if (does !== 'interval' || calls === 2) pending.delete(name);
        if (calls === 1) run(then);
        else clearInterval(handles[name]);
        pause();
      };
      pause();
      const sets: Record<string, () => unknown> = {
        timeout: () => setTimeout(called, ms),
        unref: () => setTimeout(called, ms).unref(),
        interval: () => setInterval(called, ms),
        immediate: () => setImmediate(called),
        external: () => external(called),
        tick: () => process.nextTick(called),
        microtask: () => Promise.resolve().then(called),
        wait: () => promises.setTimeout(ms).then(called),
        scheduled: () => promises.scheduler.wait(ms).then(called),
        turn: () => promises.setImmediate().then(called),
        abort: () => AbortSignal.timeout(ms).addEventListener('abort', called),
      };
      if (does in sets) {
        pending.add(name);
        handles[name] = sets[does]();
      } else if (does === 'refresh' && name in handles && !fixed.has(name)) {
        fixed.add(name);
        pending.add(name);
        handles[name].refresh();
      } else if (does === 'clear' && name in handles) {
        fixed.add(name);
        pending.delete(name);
        clearTimeout(handles[name]);
      } else if (does === 'clearImmediate' && name in handles) {
        pending.delete(name);
        clearImmediate(handles[name]);
      }
    }
  };
  run(program);
}

/** All orders of the virtual loop, or undefined if there are too many executions. */
function modelled(program: readonly Step[]): Set<string> | undefined {
  control();
  const orders = new Set<string>();
  const tree = new ChoiceTree();
  for (let executions = 0; executions < MOST; executions++) {
    const loop = new EventLoop();
    const log: string[] = [];
    let place = 0;
    withLoop(loop, () => {
      interpret(program, {
        log,
        pending: new Set(),
        external: (callback) => loop.add({ kind: 'answer', does: 'answers', run: callback }),
        pause: () => {},
        promises,
      });
      loop.drain();
      for (let tasks = loop.enabled(); tasks.length > 0; tasks = loop.enabled()) {
        loop.fire(tasks[tree.take(place++, (1 << tasks.length) - 1)]);
        loop.drain();
      }
    });
    expect(loop.tasks).toEqual([]);
    orders.add(log.join(' '));
    if (!tree.next()) return orders;
  }
  return undefined;
}

/** The orders of real runs, each with how often it was seen, for some programs. */
async function observed(
  programs: readonly (readonly Step[])[],
  runs: number,
): Promise<readonly ReadonlyMap<string, number>[]> {
  const source = `
    const { stat } = require('node:fs');
    const promises = require('node:timers/promises');
    const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    const interpret = ${interpret.toString()};
    const programs = ${JSON.stringify(programs)};
    const counts = programs.map(() => ({}));
    let run = 0;
    const next = () => {
      if (run === ${runs} * programs.length) { console.log(JSON.stringify(counts)); return; }
      const own = counts[run % programs.length];
      const log = [];
      const pending = new Set();
      const often = [0, 0.1, 0.3][Math.floor(Math.random() * 3)];
      const long = [1.2, 2, 5][Math.floor(Math.random() * 3)];
      interpret(programs[run++ % programs.length], {
        log, pending, promises,
        external: (callback) => stat('/', callback),
        pause: () => { if (Math.random() < often) busy(Math.random() * long); },
      });
      const wait = () => {
        if (pending.size > 0) { stat('/', wait); return; }
        own[log.join(' ')] = (own[log.join(' ')] ?? 0) + 1;
        // Node forgets timers that were cleared
        setTimeout(() => setImmediate(next), 6);
      };
      stat('/', wait);
    };
    setImmediate(next);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', source], { maxBuffer: 2 ** 26 });
  return (JSON.parse(stdout) as Record<string, number>[]).map((counts) => new Map(Object.entries(counts)));
}

const step = (does: string, name: string, ms?: number, then: readonly Step[] = []): Step => ({
  does,
  name,
  ...(ms !== undefined && { ms }),
  then,
});

/** A random program of a few callbacks. */
function randomProgram(random: Random): Step[] {
  let left = 3 + random.below(3);
  let names = 0;
  const timers: string[] = [];
  const immediates: string[] = [];
  const kinds = ['timeout', 'timeout', 'timeout', 'unref', 'interval', 'immediate', 'immediate', 'external'];
  const others = ['tick', 'microtask', 'microtask', 'wait', 'scheduled', 'turn', 'abort'];
  const steps = (most: number): Step[] => {
    const made: Step[] = [];
    for (let n = 0; n < most && left > 0; n++) {
      const name = String.fromCharCode(97 + names);
      const changed = random.withProbability(20) && timers.length > 0;
      if (changed) made.push(step(random.pick(['clear', 'refresh', 'refresh']), random.pick(timers)));
      else if (random.withProbability(8) && immediates.length > 0)
        made.push(step('clearImmediate', random.pick(immediates)));
      else {
        left--;
        names++;
        const does = random.pick(random.withProbability(70) ? kinds : others);
        if (does === 'timeout' || does === 'unref') timers.push(name);
        if (does === 'immediate') immediates.push(name);
        made.push(step(does, name, 1 + random.below(3), random.withProbability(60) ? steps(2) : []));
      }
    }
    return made;
  };
  const program = steps(4);
  return left > 0 ? [...program, ...steps(left)] : program;
}

const timeout = (name: string, ms: number, ...then: readonly Step[]) => step('timeout', name, ms, then);
const immediate = (name: string, ...then: readonly Step[]) => step('immediate', name, undefined, then);
const external = (name: string, ...then: readonly Step[]) => step('external', name, undefined, then);

/** Facts about Node, each with the only orders that it has. */
const FACTS: readonly (readonly [fact: string, orders: string, program: readonly Step[]])[] = [
  ['a check phase runs all its immediates', 'a b t|t a b', [immediate('a'), immediate('b'), timeout('t', 1)]],
  [
    'a late loop runs the due timers of one list first',
    'x a b c|x a c b|a x b c|a b x c',
    [timeout('a', 10), timeout('b', 12), timeout('x', 5, timeout('c', 10))],
  ],
  ['two timers may be set 1 ms apart', 'a b c|a c b', [timeout('a', 5, timeout('c', 5)), timeout('b', 10)]],
  [
    'a timer set in a timers phase waits for the next one',
    't i u',
    [timeout('t', 1, timeout('u', 1), immediate('i'))],
  ],
  [
    'an immediate set in a check phase waits for the next one',
    'i j t|i t j',
    [immediate('i', immediate('j'), timeout('t', 1))],
  ],
  [
    'an immediate set in a poll phase runs before every timer',
    'o i t',
    [external('o', immediate('i'), timeout('t', 1))],
  ],
  [
    'callbacks from outside may come between an immediate and the timer that set it',
    't i o|t o i|o t i',
    [timeout('t', 1, immediate('i')), external('o')],
  ],
  [
    'a repeating timer comes after timers that its callback sets',
    'v1 x v2',
    [step('interval', 'v', 3, [timeout('x', 3)])],
  ],
  [
    'microtasks of a repeating timer come after it is set again',
    'v1 m v2 x',
    [step('interval', 'v', 3, [step('microtask', 'm', undefined, [timeout('x', 3)])])],
  ],
  [
    'a cleared head leaves the expiry of its list',
    'w y z|w z y|x w y z|x w z y',
    [timeout('x', 4), timeout('w', 2, timeout('y', 4), step('clear', 'x')), timeout('z', 6)],
  ],
  [
    'a refreshed timer is the last of its list',
    'b a',
    [timeout('a', 3), timeout('b', 3), step('refresh', 'a')],
  ],
  [
    'timers of all kinds share a list',
    'a s p c',
    [timeout('a', 4), step('abort', 's', 4), step('wait', 'p', 4), timeout('c', 4)],
  ],
  ['ticks run before microtasks', 'n m', [step('microtask', 'm'), step('tick', 'n')]],
];

test.each(FACTS)('%s', async (_, orders, program) => {
  const found = await inOwnTask(() => modelled(program));
  expect([...found!].sort()).toEqual(orders.split('|').sort());
});

const totals = { programs: 0, modelled: 0, observed: 0, unseen: 0 };
afterAll(() => process.env.AGREE === 'all' && console.log(totals));

test('no real run of a generated program has an order that the virtual loop does not have', async () => {
  const random = new Random(5);
  const programs: { steps: readonly Step[]; orders: ReadonlySet<string> }[] = [];
  while (programs.length < PROGRAMS) {
    const steps = randomProgram(random);
    const orders = await inOwnTask(() => modelled(steps));
    if (orders) programs.push({ steps, orders });
  }
  const seen = await observed(
    programs.map(({ steps }) => steps),
    RUNS,
  );
  for (const [k, { steps, orders }] of programs.entries()) {
    const impossible = [...seen[k].keys()].filter((order) => !orders.has(order));
    expect(impossible, `${JSON.stringify(steps)} has only ${[...orders].join(' | ')}`).toEqual([]);
    totals.programs++;
    totals.modelled += orders.size;
    totals.observed += seen[k].size;
    totals.unseen += [...orders].filter((order) => !seen[k].has(order)).length;
  }
}, 3_600_000);
