/**
 * Random small faulty classes. Every patch that the search returns is explored once more by a run of its own: with more
 * calls than the guards require, and against a written specification that is generated with the class. None may fail.
 *
 * A class has two numbers and two methods with random bodies, and a method that reads both numbers. The specification runs
 * the same bodies without awaits and locks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { patchProject } from '../../../papers/patches/examples.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { control } from '../../event-loop/control.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { exploreSync } from '../../explore/explore.js';
import { findPatchesSync } from './patches.js';

const ROOT = mkdtempSync(join(tmpdir(), 'random-classes-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

const PAUSE = 'await pause();';
const [LOCK, UNLOCK] = ['this.mutex.lock();', 'this.mutex.unlock();'];

/** Bodies of methods; `f` is a field, `k` an amount. Some are correct, most are not. */
const ASYNC_BODIES = [
  `const before = this.f; ${PAUSE} this.f = before + k; return before;`,
  `if (this.f >= 2) return -1; ${PAUSE} this.f += k; return this.f;`,
  `${PAUSE} this.f += k; return this.f;`,
  `this.a += k; ${PAUSE} this.b = this.a; return this.b;`,
  `const had = this.f; ${PAUSE} this.f = 0; return had;`,
  `const sum = this.a + this.b; ${PAUSE} this.f = sum; return sum;`,
  `if (this.f === 0) { ${PAUSE} this.f = k; } return this.f;`,
  `this.f += k; return this.f;`,
];
const THREAD_BODIES = [
  `const before = this.f; this.f = before + k; return before;`,
  `${LOCK} const had = this.f; ${UNLOCK} if (had >= 2) return -1; ${LOCK} this.f = had + k; ${UNLOCK} return had;`,
  `${LOCK} this.f += k; ${UNLOCK} return 0;`,
  `this.a = k; this.b = k; return 0;`,
  `if (this.f === 0) { ${LOCK} this.f = this.f + k; ${UNLOCK} } return this.f;`,
  `const before = Atomics.load(this.words, 0); Atomics.store(this.words, 0, before + k); return before;`,
  `if (Atomics.load(this.words, 0) === 0) { Atomics.store(this.words, 0, k); return 1; } return 0;`,
  `Atomics.store(this.words, 0, Math.max(k, Atomics.load(this.words, 0))); return 0;`,
];
const READERS = {
  async: 'return [this.a, this.b];',
  threads: `${LOCK} const a = this.a; ${UNLOCK} return [a, Atomics.load(this.words, 0)];`,
};

/** A body on lines of its own, as people write it. */
const linesOf = (body: string): string =>
  body
    .replaceAll(/(?<=[;{}]) (?!return -1)/g, '\n    ')
    .split('\n')
    .map((line) => `    ${line.trim()}`)
    .join('\n');

/** What a body does without other calls, as a method of a specification. */
const specOf = (body: string): string =>
  `(s: any) => { const state = { ...s }; const result = (() => { ${body
    .replaceAll(PAUSE, '')
    .replaceAll(LOCK, '')
    .replaceAll(UNLOCK, '')
    .replaceAll(/Atomics\.load\(this\.words, 0\)/g, 'state.word')
    .replaceAll(/Atomics\.store\(this\.words, 0, (.*?)\);/g, 'state.word = $1;')
    .replaceAll('this.', 'state.')} })(); return [state, result]; }`;

function randomClass(random: Random, isAsync: boolean) {
  const bodies = Array.from({ length: 2 }, () =>
    random
      .pick(isAsync ? ASYNC_BODIES : THREAD_BODIES)
      .replaceAll(/\bthis\.f\b/g, `this.${random.pick(['a', 'b'])}`)
      .replaceAll(/\bk\b/g, String(1 + random.below(2))),
  );
  const methods = { one: bodies[0], two: bodies[1], read: READERS[isAsync ? 'async' : 'threads'] };
  const fields = isAsync
    ? ''
    : '  private readonly mutex = new Mutex();\n  private readonly words = new Int32Array(new SharedArrayBuffer(4));\n';
  const texts = Object.entries(methods).map(
    ([name, body]) => `  ${isAsync ? 'async ' : ''}${name}() {\n${linesOf(body)}\n  }`,
  );
  const head = isAsync
    ? 'const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));'
    : "import { Mutex } from 'straightedge/explore';";
  const source = `${head}\n\nexport class Subject {\n${fields}  private a = 0;\n  private b = 0;\n\n${texts.join('\n\n')}\n}`;
  const specs = Object.entries(methods).map(([name, body]) => `${name}: ${specOf(body)}`);
  const given = "calls: [['one'], ['two'], ['read']]";
  const spec = `spec: { name: 'subject', initial: { a: 0, b: 0, word: 0 }, methods: { ${specs.join(', ')} } }`;
  return { source, given, checked: `${given}, ${spec}` };
}

/** More calls than the guards require. */
const SIZES = [
  { threads: 3, callsPerThread: 2 },
  { threads: 2, callsPerThread: 3 },
];

/** The first faulty class from a seed on: some combinations of bodies are correct. */
function faultyClass(seed: number, isAsync: boolean) {
  for (let i = 0; ; i++) {
    const { source, given, checked } = randomClass(new Random(100 * seed + i), isAsync);
    const folder = join(ROOT, `${isAsync}-${seed}-${i}`);
    const project = patchProject({ source, given }, join(folder, 'learned'), isAsync);
    const own = patchProject({ source, given: checked }, join(folder, 'checked'), isAsync);
    const results = exploreSync(project.load(new Map())).results;
    const found = results.find(({ violation }) => violation !== undefined);
    // the specification agrees with the original
    expect(exploreSync(own.load(new Map())).verdict === 'violation', source).toBe(found !== undefined);
    if (found !== undefined) return { ...project, own, failing: found.test };
  }
}

const SEEDS = Array.from({ length: share(40, 2) }, (_, i) => i + 1);
const CASES = SEEDS.flatMap((seed) => [{ kind: 'async', seed } as const, { kind: 'threads', seed } as const]);

test.each(CASES)('patches of a random class hold: $kind, seed $seed', async ({ kind, seed }) => {
  control();
  await inOwnTask(() => {
    const { file, load, own, failing } = faultyClass(seed, kind === 'async');
    for (const { after, title } of findPatchesSync(failing, { load, files: [file] }).patches.slice(0, 2))
      for (const size of SIZES) {
        const { verdict } = exploreSync(own.load(new Map([[own.file, after]])), {
          ...size,
          randomTests: share(12, 2),
          seed: 1_000 + seed,
          maxExecutions: share(20_000, 500),
        });
        expect(verdict, `${title}:\n${after}`).not.toBe('violation');
      }
  });
});
