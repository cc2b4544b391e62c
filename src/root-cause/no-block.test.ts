/** What stubs share is recorded, and no report says without a run that calls fail one at a time, too. */
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '../../test/support/fixtures/instrumented.js';
import { control } from '../event-loop/control.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { exploreSync } from '../explore/explore.js';
import { Deadline } from '../explore/model/deadline.js';
import { type Scenario, scenario } from '../explore/scenario/scenario.js';
import { rewriteForTracing } from '../instrument/tracing-rewrite/rewrite.js';
import { fetchAndAdd } from '../objects/cells/counter.js';
import { register } from '../objects/cells/register.js';
import { type Explanation, explainSync } from './explain.js';
import { violationTrace } from './trials.js';

beforeAll(() => control());

function explained(code: string, given: object): Promise<Explanation> {
  const { make, stubs } = evaluate(rewriteForTracing('sample.mjs', code).code, 'sample.mjs');
  const made: Scenario = scenario({
    create: make,
    ...(stubs !== undefined && { stubs, failures: 0 }),
    backend: 'async',
    ...given,
  } as never);
  const forever = new Deadline(Number.POSITIVE_INFINITY);
  return inOwnTask(() => {
    const found = exploreSync(made).results.at(-1)!;
    expect(found.violation).toBeDefined();
    return explainSync(made, found.test, violationTrace(found), { seed: 1, largerTests: 0 }, forever);
  });
}

describe('a read and a write through stubs interrupt each other, wherever the stubs keep the state', () => {
  /** How the state is made, read and written. */
  const STATES = {
    'a variable': ['n = 0', 'n', 'n = x'],
    'a field': ['n = { of: 0 }', 'n.of', 'n.of = x'],
    'an array': ['n = [0]', 'n[0]', 'n[0] = x'],
    'a map': ['n = new Map([[1, 0]])', 'n.get(1)', 'n.set(1, x)'],
    'a class': ['n = new Row()', 'n.read()', 'n.write(x)'],
  };
  /** How a stub answers: `$` is what it does. */
  const ANSWERS = {
    'at once': '$',
    'after an await': '{ await undefined; return $; }',
    'before an await': '{ const done = $; await undefined; return done; }',
  };
  const BODIES = {
    'three awaits': `const seen = await load();
    await pause();
    await save(seen + 1);
    return seen;`,
    'a helper': `const seen = await this.seen();
    await save(seen + 1);
    return seen;`,
    reactions: `return load().then((seen) =>
      save(seen + 1).then(() => seen));`,
  };
  const bodies = Object.keys(BODIES);
  const cases = Object.keys(STATES).flatMap((state, i) =>
    Object.keys(ANSWERS).map((answer, k) => [state, answer, bodies[(i + k) % bodies.length]]),
  );
  test.each(cases as [keyof typeof STATES, keyof typeof ANSWERS, keyof typeof BODIES][])(
    '%s, %s, %s',
    async (state, answer, body) => {
      const [made, read, write] = STATES[state];
      const stub = (does: string): string => ANSWERS[answer].replace('$', does);
      const code = `class Row { value = 0; read() { return this.value; } write(x) { this.value = x; } }
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
let n;
export const stubs = {
  load: async () => ${stub(read)},
  save: async (x) => ${stub(`void (${write})`)},
};
export const make = ({ load, save }) => { ${made}; return new (class {
  async seen() { return load(); }
  async add() {
    ${BODIES[body]}
  }
})(); };`;
      const { repairs, reason } = await explained(code, { test: [[['add']], [['add']]] });
      expect(reason).toBeUndefined();
      const [{ repair, verification }] = repairs;
      expect(verification?.kind).toBe('confirmed');
      expect(repair.flatMap(({ methods }) => methods)).toEqual(['add']);
    },
  );
});

test('a call of a test that fails alone is not an interruption', async () => {
  const code = `export const make = () => new (class { async write() {} async read() { return 7; } })();`;
  for (const threads of [[[['read']]], [[['read']], [['read']]], [[['write', 1]], [['read']]]]) {
    const given = { spec: register({ initial: 0 }), test: threads };
    const { reason } = await explained(code, given);
    expect(reason).toMatchObject({
      kind: 'sequential',
      failing: { result: { test: { threads: [expect.anything()] } } },
    });
  }
});

test('calls that share what no call owns are not said to fail alone', async () => {
  // the object answers all requests of one round with the same number
  const code = `const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
export const make = () => new (class {
  n = 0;
  requests = [];
  constructor() { this.answerAll(); }
  async answerAll() {
    for (;;) {
      await new Promise((resolve) => { this.wake = resolve; });
      await pause();
      for (const answer of this.requests.splice(0)) answer(this.n);
      this.n++;
    }
  }
  add() { return new Promise((resolve) => { this.requests.push(resolve); this.wake(); }); }
})();`;
  const { repairs, reason } = await explained(code, {
    spec: fetchAndAdd(),
    test: [[['add', 1]], [['add', 1]]],
  });
  expect([repairs, reason?.kind]).toEqual([[], 'not recorded']);
});
