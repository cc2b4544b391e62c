/**
 * The virtual event loop against the Node that runs the test, both ways. Real runs of generated programs, with random busy waits,
 * show no order of callbacks that the virtual loop does not have. And each order of the virtual loop that did not come by chance
 * is forced on the real Node: of all facts below, and at night of all generated programs.
 */
import { execFile } from 'node:child_process';
import promises from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { EventLoop, withLoop } from '../../../src/event-loop/event-loop.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { ChoiceTree } from '../../../src/explore/model/engine.js';
import { interpret, type Step } from '../../support/processes/real-event-loop.mjs';
import { share } from '../../support/share.js';

/** On each version of Node, `npm run test:packages` looks longer for real orders. */
const [PROGRAMS, RUNS] = process.env.EVENT_LOOP === 'all' ? [45, 200] : [share(150, 20), share(200, 15)];
/** Runs to force an order; 0: none is forced. Most orders take a few, those that need two readings of the clock to differ take hundreds. */
const ATTEMPTS = share(20_000, 0);
/** Programs with more executions are skipped. */
const MOST = 3_000;

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
        external: (_, callback) => loop.add({ kind: 'answer', does: 'answers', run: callback }),
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

/** What real runs of a program showed: how often each order came, and how many runs it took to force each other one; 0 if it never came. */
interface Seen {
  readonly counts: Readonly<Record<string, number>>;
  readonly forced: Readonly<Record<string, number>>;
}

async function observed(
  programs: readonly { readonly steps: readonly Step[]; readonly orders: ReadonlySet<string> }[],
  runs: number,
  attempts: number,
): Promise<readonly Seen[]> {
  const program = fileURLToPath(new URL('../../support/processes/real-event-loop.mjs', import.meta.url));
  const child = promisify(execFile)(process.execPath, ['--expose-internals', program], {
    maxBuffer: 2 ** 26,
  });
  const given = programs.map(({ steps, orders }) => ({ steps, orders: [...orders] }));
  child.child.stdin!.end(JSON.stringify({ programs: given, runs, attempts }));
  return JSON.parse((await child).stdout) as Seen[];
}

// ── generated programs ──

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

/** libuv before 1.48 looks at its timers again at the end of a timers phase. */
const LOOKS_AGAIN = /^1\.([0-3]?\d|4[0-7])\./.test(process.versions.uv);

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
    'microtasks of the last timer that read the clock may start another timers phase',
    LOOKS_AGAIN ? 't i u v|t u i v|t u v i' : 't i u v',
    [step('wait', 't', 1, [timeout('u', 1), immediate('i'), timeout('v', 3)])],
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

test('the real Node has every order of these facts', async () => {
  const programs = FACTS.map(([, orders, steps]) => ({ steps, orders: new Set(orders.split('|')) }));
  const seen = await observed(programs, 1, 20_000);
  for (const [k, [fact, orders]] of FACTS.entries()) {
    const { counts, forced } = seen[k];
    expect(orders.split('|'), fact).toEqual(expect.arrayContaining(Object.keys(counts)));
    expect(
      Object.entries(forced).filter(([, attempts]) => attempts === 0),
      fact,
    ).toEqual([]);
  }
}, 3_600_000);

const totals = { programs: 0, modelled: 0, observed: 0, forced: 0, attempts: 0 };
afterAll(() => process.env.AGREE === 'all' && console.log(totals));

test('real runs have the orders of the virtual loop and no other', async () => {
  const random = new Random(5);
  const programs: { steps: readonly Step[]; orders: ReadonlySet<string> }[] = [];
  while (programs.length < PROGRAMS) {
    const steps = randomProgram(random);
    const orders = await inOwnTask(() => modelled(steps));
    if (orders) programs.push({ steps, orders });
  }
  const seen = await observed(programs, RUNS, ATTEMPTS);
  const never: string[] = [];
  for (const [k, { steps, orders }] of programs.entries()) {
    const { counts, forced } = seen[k];
    const impossible = Object.keys(counts).filter((order) => !orders.has(order));
    expect(impossible, `${JSON.stringify(steps)} has only ${[...orders].join(' | ')}`).toEqual([]);
    for (const [order, attempts] of Object.entries(forced)) {
      if (attempts === 0) never.push(`${order} of ${JSON.stringify(steps)}`);
      totals.attempts += attempts;
    }
    totals.programs++;
    totals.modelled += orders.size;
    totals.observed += Object.keys(counts).length;
    totals.forced += Object.values(forced).filter((attempts) => attempts > 0).length;
  }
  expect(never).toEqual([]);
}, 3_600_000);
