/**
 * Patches of small faulty classes, one for each family. Each patch is weakened on purpose, in at least two ways; the guards
 * have to reject all of these mutants. All diffs are applied by git.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { control } from '../../event-loop/control.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { Monitor } from '../../execution/primitives/monitor.js';
import { Mutex } from '../../execution/primitives/mutex.js';
import { exploreSync } from '../../explore/explore.js';
import { type Scenario, scenario } from '../../explore/scenario/scenario.js';
import { rewriteAsCoroutines } from '../../instrument/coroutines/rewrite.js';
import { loadInstrumented } from '../../instrument/load.js';
import { rewriteForTracing } from '../../instrument/tracing-rewrite/rewrite.js';
import { candidatesFor } from './candidates.js';
import { textEdits, unifiedDiff } from './draft.js';
import { withFailingAwaits, withFailures } from './failures.js';
import { Guards, type PatchedProgram } from './guards.js';
import { findPatchesSync, type Patch } from './patches.js';
import { classesIn } from './source.js';

interface Example {
  readonly family: string;
  /** The class `Subject`. */
  readonly source: string;
  /** Fields of the scenario. */
  readonly given: string;
  readonly mutants: Readonly<Record<string, readonly [RegExp, string]>>;
  /** The patch is refuted by itself: it loses work if an await fails. */
  readonly isRefuted?: boolean;
}

const PAUSE = 'const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));';

const ASYNC: readonly Example[] = [
  {
    family: 'while',
    source: `export class Subject {
  private free = 0;
  private readonly waiting: (() => void)[] = [];

  async give(): Promise<void> {
    this.free++;
    const next = this.waiting.shift();
    if (next) setImmediate(next);
  }

  async take(): Promise<number> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.free--;
    return this.free;
  }
}`,
    given: "calls: [['give'], ['take']]",
    mutants: {
      'the condition never holds': [/while \(this\.free === 0\)/, 'while (this.free < 0)'],
      'the result is constant': [/return this\.free;/, 'return 0;'],
    },
  },
  {
    family: 'wake-all',
    source: `export class Subject {
  private isOpen = false;
  private readonly waiting: (() => void)[] = [];

  async pass(): Promise<string> {
    if (!this.isOpen) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'passed';
  }

  async open(): Promise<void> {
    this.isOpen = true;
    this.waiting.shift()?.(); // wake up
  }
}`,
    given: "calls: [['pass'], ['open']], threads: 3, callsPerThread: 1",
    mutants: {
      'the first is left out': [/splice\(0\)/, 'splice(1)'],
      'all but one wait': [/for \(const wake of (.*?)\.splice\(0\)\) wake\(\);/, '$1.splice(0)[0]?.();'],
    },
  },
  {
    family: 'fresh',
    source: `export class Subject {
  private balance = 0;

  async deposit(amount: number): Promise<void> {
    const before = this.balance;
    await pause();
    this.balance = before + amount;
  }

  async read(): Promise<number> {
    return this.balance;
  }
}

${PAUSE}`,
    given: "calls: [['deposit', 2], ['read']]",
    mutants: {
      'another sign': [/\+= amount/, '-= amount'],
      'an assignment': [/\+= amount/, '= amount'],
    },
  },
  {
    family: 'version',
    source: `export class Subject {
  private stored = 1;
  private copy: number | undefined;

  async get(): Promise<number> {
    if (this.copy !== undefined) return this.copy;
    const value = await this.load();
    this.copy = value;
    return value;
  }

  async put(value: number): Promise<void> {
    this.stored = value;
    this.copy = undefined;
  }

  private async load(): Promise<number> {
    const value = this.stored;
    await pause();
    return value;
  }
}

${PAUSE}`,
    given: "calls: [['get'], ['put', 2]]",
    mutants: {
      'changes are not counted': [/\n *this\.changes\+\+;/, ''],
      'the check is inverted': [/this\.changes === changes/, 'this.changes !== changes'],
    },
  },
  {
    family: 'share',
    source: `export class Subject {
  private value: number | undefined;
  private loads = 0;

  async get(): Promise<number> {
    if (this.value === undefined) this.value = await this.load();
    return this.value;
  }

  private async load(): Promise<number> {
    await pause();
    return ++this.loads;
  }
}

${PAUSE}`,
    given: "calls: [['get']]",
    mutants: {
      'the run is kept forever': [/\.finally\(\(\) => \{\n[^\n]*\n *\}\)/, ''],
      'nothing is shared': [/ \?\?= /, ' = '],
    },
  },
  {
    family: 'lock',
    source: `export class Subject {
  private money = 2;

  async pay(amount: number): Promise<boolean> {
    if (this.money < amount) return false;
    await pause();
    this.money -= amount;
    return true;
  }

  async payAll(): Promise<boolean> {
    return (await this.pay(1)) && (await this.pay(1));
  }
}

${PAUSE}`,
    given: "calls: [['pay', 2], ['payAll']]",
    mutants: {
      'no call waits': [/this\.tail\.then\(body\)/, 'body()'],
      'no later call waits': [/\n *this\.tail = result[^\n]*/, ''],
      'the lock is never released': [/result\.catch\(\(\) => undefined\)/, 'new Promise(() => {})'],
      'an error is handed on': [/result\.catch\(\(\) => undefined\)/, 'result'],
      'a locked method calls a locked method': [/await this\.payUnlocked\(/, 'await this.pay('],
    },
  },
  {
    family: 'key-lock',
    source: `export class Subject {
  private readonly rows = new Map<string, number>();

  async add(key: string): Promise<number> {
    const before = this.rows.get(key) ?? 0;
    await pause();
    this.rows.set(key, before + 1);
    return before;
  }
}

${PAUSE}`,
    given: "calls: [['add', 'a'], ['add', 'b']]",
    mutants: {
      'no call waits': [/\(this\.tails\.get\(key\) \?\? Promise\.resolve\(\)\)\.then\(body\)/, 'body()'],
      'the tail is not stored': [/\n *this\.tails\.set\(key, settled\);/, ''],
    },
  },
  {
    family: 'first',
    isRefuted: true,
    source: `export class Subject {
  private free = 1;

  async reserve(): Promise<boolean> {
    if (this.free < 1) return false;
    await pause();
    this.free -= 1;
    return true;
  }
}

${PAUSE}`,
    given: "calls: [['reserve']]",
    mutants: {
      'the undo is missing': [/\n *this\.free \+= 1;/, ''],
      'the error is lost': [/\n *throw error;/, ''],
    },
  },
  {
    family: 'recheck',
    isRefuted: true,
    source: `export class Subject {
  private free = 1;

  async reserve(): Promise<boolean> {
    if (this.free < 1) return false;
    await pause();
    this.free -= 1;
    return true;
  }
}

${PAUSE}`,
    given: "calls: [['reserve']]",
    mutants: {
      'the second check is weaker': [/(await pause\(\);\n *if \(this\.free) < 1/, '$1 < 0'],
      'the result is constant': [/return true;/, 'return false;'],
    },
  },
  {
    family: 'take',
    isRefuted: true,
    source: `export class Subject {
  private items = 0;
  private sent = 0;

  async add(): Promise<void> {
    this.items += 1;
  }

  async flush(): Promise<number> {
    await this.send(this.items);
    this.items = 0;
    return this.sent;
  }

  private async send(count: number): Promise<void> {
    await pause();
    this.sent += count;
  }
}

${PAUSE}`,
    given: "calls: [['add'], ['flush']]",
    mutants: {
      'nothing is put back': [/\n *this\.items \+= taken;/, ''],
      'nothing is sent': [/this\.send\(taken\)/, 'this.send(0)'],
    },
  },
  {
    family: 'cleanup',
    source: `export class Subject {
  private isBusy = false;

  constructor(private readonly service: { save(): Promise<void> }) {}

  async run(): Promise<string> {
    if (this.isBusy) return 'busy';
    this.isBusy = true;
    await this.service.save();
    this.isBusy = false;
    return 'done';
  }

  async version(): Promise<number> {
    return 1;
  }
}`,
    given: `calls: [['run'], ['version']], oneThread: ['run'], stubs: { save: async () => {} }, outcome: () => 'failed',
      spec: { name: 'subject', initial: 0, methods: { run: (n: number) => [n, 'done'], version: (n: number) => [n, 1] } }`,
    mutants: {
      'nothing is reset': [/\n *this\.isBusy = false;(?=\n *\})/, ''],
      'it is busy forever': [/this\.isBusy = false;(?=\n *\})/, 'this.isBusy = true;'],
    },
  },
];

const THREADS: readonly Example[] = [
  {
    family: 'read-once',
    source: `export class Subject {
  private name: string | null = null;

  set(name: string | null): void {
    this.name = name;
  }

  length(): number {
    return this.name === null ? 0 : this.name.length;
  }
}`,
    given: "calls: [['set', 'abc'], ['set', null], ['length']]",
    mutants: {
      'one place reads again': [/: name\.length/, ': this.name!.length'],
      'the result is constant': [
        /return name === null \? 0 : name\.length;/,
        'return name === null ? 0 : 0;',
      ],
    },
  },
  {
    family: 'swap',
    source: `export class Subject {
  private isReady = false;
  private value = 0;

  finish(value: number): void {
    this.isReady = true;
    this.value = value;
  }

  get(): number | null {
    return this.isReady ? this.value : null;
  }
}`,
    given: "calls: [['finish', 7], ['get']]",
    mutants: {
      'it is published before': [/this\.value = value;/, 'this.isReady = true;\n    this.value = value;'],
      'the value is lost': [/this\.value = value;\n/, '\n'],
    },
  },
  {
    family: 'atomics',
    source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(4));

  add(): number {
    const before = Atomics.load(this.words, 0);
    Atomics.store(this.words, 0, before + 1);
    return before;
  }
}`,
    given: "calls: [['add']]",
    mutants: {
      'another amount': [/Atomics\.add\(this\.words, 0, 1\)/, 'Atomics.add(this.words, 0, 2)'],
      'nothing is stored': [/Atomics\.add\(this\.words, 0, 1\)/, 'Atomics.load(this.words, 0)'],
    },
  },
  {
    family: 'cas',
    source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(4));

  offer(value: number): boolean {
    const most = Atomics.load(this.words, 0);
    if (value <= most) return false;
    Atomics.store(this.words, 0, value);
    return true;
  }
}`,
    given: "calls: [['offer', 1], ['offer', 2]]",
    mutants: {
      'it stores in any case': [/if \((Atomics\.compareExchange\(.*\)) !== most\) continue;/, '$1;'],
      'it never ends': [/!== most\) continue/, '=== most) continue'],
    },
  },
  {
    family: 'recheck-locked',
    source: `import { Mutex } from 'straightedge/explore';

export class Subject {
  private readonly mutex = new Mutex();
  private value: number | null = null;
  private made = 0;

  get(): number | null {
    if (this.value === null) {
      this.mutex.lock();
      this.value = ++this.made;
      this.mutex.unlock();
    }
    return this.value;
  }
}`,
    given: "calls: [['get']]",
    mutants: {
      'the second check is missing': [/if \(this\.value === null\) (this\.value =)/, '$1'],
      'the second check is inverted': [
        /if \(this\.value === null\) (this\.value =)/,
        'if (this.value !== null) $1',
      ],
    },
  },
  {
    family: 'hold',
    source: `import { Mutex } from 'straightedge/explore';

export class Subject {
  private readonly mutex = new Mutex();
  private readonly names: string[] = [];

  add(name: string): boolean {
    this.mutex.lock();
    const isTaken = this.names.includes(name);
    this.mutex.unlock();
    if (isTaken) return false;
    this.mutex.lock();
    this.names.push(name);
    this.mutex.unlock();
    return true;
  }
}`,
    given: "calls: [['add', 'a'], ['add', 'b']]",
    mutants: {
      'it is never released': [/(finally \{\n *)this\.mutex\.unlock\(\);/, '$1'],
      'it is released between check and change': [
        /(if \(isTaken\))/,
        'this.mutex.unlock();\n      this.mutex.lock();\n      $1',
      ],
    },
  },
  {
    family: 'order',
    source: `import { Mutex } from 'straightedge/explore';

class Account {
  readonly mutex = new Mutex();
  balance = 2;
  constructor(readonly id: number) {}
}

export class Subject {
  private readonly accounts = [new Account(0), new Account(1)];

  move(from: number, to: number): boolean {
    const source = this.accounts[from];
    const target = this.accounts[to];
    source.mutex.lock();
    target.mutex.lock();
    const isEnough = source.balance > 0;
    if (isEnough) {
      source.balance--;
      target.balance++;
    }
    target.mutex.unlock();
    source.mutex.unlock();
    return isEnough;
  }
}`,
    given: "calls: [['move', 0, 1], ['move', 1, 0]]",
    mutants: {
      'no order': [/\? \[source, target\] : \[target, source\]/, '? [source, target] : [source, target]'],
      'one lock is not taken': [/\n *second\.mutex\.lock\(\);/, ''],
    },
  },
  {
    family: 'while',
    source: `import { Monitor } from 'straightedge/explore';

export class Subject {
  private readonly monitor = new Monitor();
  private readonly items: number[] = [];

  add(item: number): void {
    this.monitor.enter();
    this.items.push(item);
    this.monitor.notify();
    this.monitor.exit();
  }

  take(): number | null {
    this.monitor.enter();
    if (this.items.length === 0) this.monitor.wait();
    const item = this.items.shift() ?? null;
    this.monitor.exit();
    return item;
  }
}`,
    given: "calls: [['add', 1], ['take']], threads: 3, callsPerThread: 2",
    mutants: {
      'it never waits': [/while \(this\.items\.length === 0\)/, 'while (this.items.length < 0)'],
      'it waits once too often': [/while \(this\.items\.length === 0\)/, 'while (this.items.length <= 1)'],
    },
  },
];

const ROOT = mkdtempSync(join(tmpdir(), 'patches-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

/** The package, as scenarios import it. */
const modules = { straightedge: { scenario }, 'straightedge/explore': { Mutex, Monitor } };

interface Project {
  readonly file: string;
  readonly load: (overlay: ReadonlyMap<string, string>) => Scenario;
}

function projectOf({ source, given }: Example, name: string, isAsync: boolean): Project {
  const folder = join(ROOT, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'subject.ts');
  writeFileSync(file, `${source}\n`);
  const size = given.includes('threads:') ? '' : ', threads: 2, callsPerThread: 2';
  const backend = isAsync ? 'async' : 'instrumented';
  writeFileSync(
    join(folder, 'subject.scenario.ts'),
    `import { scenario } from 'straightedge';
import { Subject } from './subject.js';
export default scenario({ backend: '${backend}', create: (stubs) => new Subject(stubs), ${given}${size} });\n`,
  );
  const rewrite = isAsync
    ? rewriteForTracing
    : (path: string, text: string) => rewriteAsCoroutines(path, text).code;
  const load = (overlay: ReadonlyMap<string, string>) =>
    (
      loadInstrumented(join(folder, 'subject.scenario.ts'), { modules, overlay, rewrite }) as {
        default: Scenario;
      }
    ).default;
  return { file, load };
}

function failingTest(loaded: Scenario) {
  const found = exploreSync(loaded).results.find(({ violation }) => violation !== undefined);
  expect(found).toBeDefined();
  return found!.test;
}

/** Does git accept a diff in the folder of its file? */
function applies({ diff, file }: Patch): boolean {
  const own = diff.replaceAll(file, 'subject.ts');
  const folder = join(file, '..');
  writeFileSync(join(folder, 'own.diff'), own);
  return spawnSync('git', ['apply', '--check', 'own.diff'], { cwd: folder }).status === 0;
}

/** The text of a file as a program for the guards. */
function programOf(
  { file, load }: Project,
  text: string,
  flags: Partial<PatchedProgram> = {},
): PatchedProgram {
  const failing = (): Scenario => {
    const cls = classesIn(file, text).find((one) => one.node.id?.name === 'Subject')!;
    const own = withFailingAwaits(cls);
    return withFailures(load(new Map([[file, own ?? text]])), own !== undefined);
  };
  return {
    scenario: load(new Map([[file, text]])),
    failing,
    losesWork: false,
    changesFailures: false,
    ...flags,
  };
}

function verdictOf(guards: Guards, patched: PatchedProgram): string {
  const checked = guards.refute(patched.scenario) ?? guards.check(patched);
  return checked.kind === 'holds' ? 'holds' : checked.because;
}

describe.each([
  ['async', ASYNC],
  ['threads', THREADS],
] as const)('mutants of %s', (kind, examples) => {
  test.each(examples.map((example) => [example.family, example] as const))('%s', async (family, example) => {
    control();
    const project = projectOf(example, `${kind}-${family}`, kind === 'async');
    const { file, load } = project;
    await inOwnTask(() => {
      const failing = failingTest(load(new Map()));
      const guards = new Guards(programOf(project, example.source), failing, 1, () => false);
      const candidates = candidatesFor(new Map([[file, example.source]]), kind === 'async', failing, []);
      const own = candidates.filter((one) => one.family === family);
      const accepted = own.find((one) => verdictOf(guards, programOf(project, one.after, one)) === 'holds');
      expect(accepted !== undefined).toBe(example.isRefuted !== true);
      const patch = accepted ?? own[0];
      for (const [mutant, [from, to]] of Object.entries(example.mutants)) {
        const text = patch.after.replace(from, to);
        expect(text, mutant).not.toBe(patch.after);
        expect(verdictOf(guards, programOf(project, text, patch)), mutant).not.toMatch(/holds|budget/);
      }
    });
  });
});

/** Examples whose whole search is run; all of them at night. */
const SEARCHED = [...ASYNC, ...THREADS].slice(0, share(ASYNC.length + THREADS.length, 2));

test.each(SEARCHED.map((example) => [example.family, example] as const))(
  'search: %s',
  async (family, example) => {
    control();
    const project = projectOf(example, `search-${family}`, ASYNC.includes(example));
    const { file, load } = project;
    const { patches, rejected, unrefuted } = await inOwnTask(() =>
      findPatchesSync(failingTest(load(new Map())), { load, files: [file] }),
    );
    expect(patches.some((patch) => patch.family === family)).toBe(example.isRefuted !== true);
    expect(unrefuted).toEqual([]);
    expect([...patches, ...rejected].length).toBeGreaterThan(0);
    expect(patches.map(({ losesWork }) => losesWork)).toEqual(
      patches.map(({ losesWork }) => losesWork).toSorted(),
    );
    for (const patch of patches) {
      expect(applies(patch)).toBe(true);
      expect(
        patch.evidence.sizes
          .filter(({ choice }) => choice === 'all')
          .map(({ threads, callsPerThread }) => `${threads}x${callsPerThread}`),
      ).toEqual(['2x1', '2x2', '3x1']);
    }
  },
);

describe('diffs', () => {
  const LINES = ['a', 'b', 'c', 'd', 'e'];
  const texts = (random: Random, end: string): string => {
    const lines = Array.from({ length: random.below(14) }, () => random.pick(LINES));
    return lines.join(end) + (random.below(3) > 0 && lines.length > 0 ? end : '');
  };

  test('edits turn one text into the other', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = new Random(seed);
      const end = random.below(2) === 0 ? '\n' : '\r\n';
      const [before, after] = [texts(random, end), texts(random, end)];
      let text = before;
      for (const edit of textEdits(before, after).toReversed())
        text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      expect(text).toBe(after);
    }
  });

  test('git applies the diffs', () => {
    const folder = join(ROOT, 'diffs');
    mkdirSync(folder);
    for (let seed = 1; seed <= share(200, 15); seed++) {
      const random = new Random(seed);
      const [before, after] = [texts(random, '\n'), texts(random, '\n')];
      if (before === after || before === '' || after === '') continue;
      writeFileSync(join(folder, 'subject.ts'), before);
      const git = spawnSync('git', ['apply', '-'], {
        cwd: folder,
        input: unifiedDiff('subject.ts', before, after),
      });
      expect(git.status).toBe(0);
      expect(readFileSync(join(folder, 'subject.ts'), 'utf8')).toBe(after);
    }
  });
});
