/**
 * Patches of small faulty classes, one for each family. Each patch is weakened on purpose, in at least two ways; the guards
 * have to reject all of these mutants. All diffs are applied by git.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ASYNC_EXAMPLES,
  type PatchExample,
  type PatchProject,
  patchProject,
  THREAD_EXAMPLES,
} from '../../../papers/patches/examples.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { control } from '../../event-loop/control.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { exploreSync } from '../../explore/explore.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { candidatesFor, typeErrors } from './candidates.js';
import { withFailingAwaits, withFailures } from './failures.js';
import type { PatchedProgram } from './guard-tests.js';
import { Guards } from './guards.js';
import { textEdits, unifiedDiff } from './model/draft.js';
import { classesIn } from './model/source.js';
import { findPatchesSync, type Patch } from './patches.js';

const ROOT = mkdtempSync(join(tmpdir(), 'patches-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

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
  { file, load }: PatchProject,
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

/** A patch of the family is accepted, unless the example says otherwise; none of its mutants is. */
async function mutantsAreRejected(
  kind: 'async' | 'threads',
  family: string,
  example: PatchExample,
  folder: string,
): Promise<void> {
  control();
  const project = patchProject(example, join(ROOT, `${kind}-${folder}-${family}`), kind === 'async');
  const { file, load } = project;
  await inOwnTask(() => {
    const failing = failingTest(load(new Map()));
    const guards = new Guards(programOf(project, example.source), failing, 1, () => false, example.kept);
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
}

describe.each([
  ['async', ASYNC_EXAMPLES],
  ['threads', THREAD_EXAMPLES],
] as const)('mutants of %s', (kind, examples) => {
  test.each(examples.map((example) => [example.family, example] as const))('%s', (family, example) =>
    mutantsAreRejected(kind, family, example, 'first'),
  );
});

/** Edits of a further kind in some families, with mutants. */
const FURTHER: readonly (readonly ['async' | 'threads', PatchExample])[] = [
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private readonly idle: number[] = [];
  private readonly waiting: (() => void)[] = [];
  private made = 0;

  async take(): Promise<number | undefined> {
    if (this.idle.length === 0) {
      if (this.made < 1) return this.made++;
      await this.untilGiven();
    }
    return this.idle.pop();
  }

  async give(): Promise<void> {
    this.idle.push(0);
    const next = this.waiting.shift();
    if (next) setImmediate(next);
  }

  private untilGiven(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}`,
      given: "calls: [[['take'], ['give']]], threads: 3, callsPerThread: 1",
      mutants: {
        'the condition never holds': [/while \(this\.idle\.length === 0\)/, 'while (this.idle.length < 0)'],
        'nothing is given back': [/\n *this\.idle\.push\(0\);/, ''],
      },
    },
  ],
  [
    'async',
    {
      family: 'version',
      source: `export class Subject {
  private secret = 'old';
  private token: string | undefined;
  private pending: Promise<string> | undefined;

  async current(): Promise<string> {
    if (this.token !== undefined) return this.token;
    this.pending ??= this.request(this.secret);
    const pending = this.pending;
    try {
      this.token = await pending;
      return this.token;
    } finally {
      if (this.pending === pending) this.pending = undefined;
    }
  }

  async rotate(secret: string): Promise<void> {
    this.secret = secret;
    this.token = undefined;
    this.pending = undefined;
  }

  private request(secret: string): Promise<string> {
    return new Promise((resolve) => setTimeout(resolve, 5, secret));
  }
}`,
      given: "calls: [['current'], ['rotate', 'new']]",
      mutants: {
        'it is always stored': [/if \(this\.pending === pending\) (this\.token = )/, '$1'],
        'a constant': [/return token;/, "return 'old';"],
      },
    },
  ],
  [
    'async',
    {
      family: 'key-lock',
      source: `export class Subject {
  private readonly sums = new Map<string, number>();
  private nameOf = (key: string): string => \`sum:\${key}\`;

  async add(key: string): Promise<number> {
    const name = this.nameOf(key);
    const sum = this.sums.get(name) ?? 0;
    await pause();
    this.sums.set(name, sum + 1);
    await this.audit('added', key);
    return sum + 1;
  }

  private audit = async (_event: string, _key: string): Promise<void> => {
    await pause();
  };
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['add', 'a']]",
      mutants: {
        'another key': [/exclusive\(key, async/, 'exclusive(String(this.sums.size), async'],
        'no lock': [/(\.get\(key\) \?\? Promise\.resolve\(\)\))\.then\(body\)/, '$1 && body()'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'hold',
      source: `export class Subject {
  private requests = 0;
  private bytes = 0;
  private readonly guard = new Int32Array(new SharedArrayBuffer(4));

  add(bytes: number): void {
    this.enter();
    try {
      this.requests += 1;
      this.bytes += bytes;
    } finally {
      this.leave();
    }
  }

  read(): string {
    return \`\${this.requests}: \${this.bytes}\`;
  }

  reset(): string {
    this.enter();
    const before = this.read();
    this.requests = 0;
    this.bytes = 0;
    this.leave();
    return before;
  }

  private enter(): void {
    while (Atomics.compareExchange(this.guard, 0, 0, 1) !== 0);
  }

  private leave(): void {
    Atomics.store(this.guard, 0, 0);
  }
}`,
      given: "calls: [['add', 3], ['read'], ['reset']]",
      mutants: {
        'the lock is taken twice': [/before = this\.readUnlocked\(\)/, 'before = this.read()'],
        'the lock is kept': [
          /\} finally \{\n *this\.leave\(\);(\n *\}\n *\}\n\n *private readUnlocked)/,
          '} finally {$1',
        ],
      },
    },
  ],
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private isBusy = false;
  private pages = 0;

  async print(): Promise<number> {
    while (this.isBusy) await pause();
    await pause();
    this.isBusy = true;
    const before = this.pages;
    await pause();
    this.pages = before + 1;
    this.isBusy = false;
    return this.pages;
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['print']], threads: 2, callsPerThread: 1",
      mutants: {
        'no loop': [/\n *while \(this\.isBusy\) await pause\(\);/, ''],
        'never free': [/this\.isBusy = false;\n *return/, 'return'],
      },
    },
  ],
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.taken < 1) {
      this.taken++;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.taken++;
  }

  release(): void {
    this.taken--;
    const next = this.waiting.shift();
    next?.();
  }
}`,
      given: "calls: [[['acquire'], ['release']]], threads: 3, callsPerThread: 4",
      mutants: {
        'checked once': [/while \(this/, 'if (this'],
        'the other condition': [/this\.taken >= 1/, 'this.taken >= 2'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'cas',
      source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(4));

  enter(): boolean {
    if (Atomics.load(this.words, 0) < 2) {
      Atomics.add(this.words, 0, 1); // one more
      return true;
    }
    return false;
  }
}`,
      given: "calls: [['enter']], threads: 3, callsPerThread: 1",
      mutants: {
        'stores in any case': [
          /Atomics\.compareExchange\(this\.words, 0, value, value \+ 1\) !== value/,
          'Atomics.exchange(this.words, 0, value + 1) < 0',
        ],
        'gives up': [/\) continue;/, ') return false;'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'cas',
      source: `export class Subject {
  private readonly words = Int32Array.of(0, 2, 5, 6, 7);

  take(): number {
    const at = Atomics.load(this.words, 0);
    if (at >= Atomics.load(this.words, 1)) return -1;
    const item = Atomics.load(this.words, at + 2);
    Atomics.add(this.words, 0, 1);
    return item;
  }
}`,
      given: "calls: [['take']], threads: 2, callsPerThread: 2",
      mutants: {
        'stores in any case': [
          /Atomics\.compareExchange\(this\.words, 0, at, at \+ 1\) !== at/,
          'Atomics.exchange(this.words, 0, at + 1) < 0',
        ],
        'two steps': [/at, at \+ 1\)/, 'at, at + 2)'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'order',
      source: `import { Mutex } from 'straightedge/explore';

class Account {
  readonly lock = new Mutex();
  balance = 1;
}

export class Subject {
  private readonly left = new Account();
  private readonly right = new Account();

  toRight(): boolean {
    return this.move(this.left, this.right);
  }

  toLeft(): boolean {
    return this.move(this.right, this.left);
  }

  private move(from: Account, to: Account): boolean {
    from.lock.lock();
    to.lock.lock();
    const isEnough = from.balance > 0;
    if (isEnough) {
      from.balance--;
      to.balance++;
    }
    to.lock.unlock();
    from.lock.unlock();
    return isEnough;
  }
}`,
      given: "calls: [['toRight'], ['toLeft']]",
      mutants: {
        'one lock twice': [/this\.right\.lock\.lock/, 'this.left.lock.lock'],
        'a lock is kept': [/\n *from\.lock\.unlock\(\);/, ''],
      },
    },
  ],
  [
    'threads',
    {
      family: 'atomics',
      source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(8));

  add(at: number): number {
    return ++this.words[at];
  }

  get(at: number): number {
    return this.words[at];
  }
}`,
      given: "calls: [['add', 0], ['add', 1], ['get', 0]]",
      mutants: {
        'another word': [/Atomics\.add\(this\.words, at, 1\)/, 'Atomics.add(this.words, 0, 1)'],
        'the value before': [/(return Atomics\.add\(.*\)) \+ 1;/, '$1;'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'swap',
      source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(8));

  publish(value: number): void {
    Atomics.store(this.words, 0, 1);
    this.words[1] = value;
  }

  read(): number | null {
    return Atomics.load(this.words, 0) === 0 ? null : this.words[1];
  }
}`,
      given: "calls: [['publish', 7], ['read']]",
      mutants: {
        'it is published twice': [/(this\.words\[1\] = value;)/, 'Atomics.store(this.words, 0, 1);\n    $1'],
        'the value is lost': [/this\.words\[1\] = value;/, ''],
      },
    },
  ],
  [
    'threads',
    {
      family: 'cas',
      source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(4)).fill(2);

  tryTake(count: number): boolean {
    if (Atomics.sub(this.words, 0, count) < count) {
      // not enough
      Atomics.add(this.words, 0, count);
      return false;
    }
    return true;
  }
}`,
      given: "calls: [['tryTake', 1], ['tryTake', 3]]",
      mutants: {
        'it gives up if another thread was faster': [/\) continue;/, ') return false;'],
        'it takes in any case': [/if \((Atomics\.compareExchange\(.*\)) !== value\) continue;/, '$1;'],
      },
    },
  ],
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private isOpen = false;
  private readonly waiting: (() => void)[] = [];

  async pass(): Promise<string> {
    if (this.isOpen) return 'passed';
    await pause();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'passed';
  }

  async open(): Promise<void> {
    this.isOpen = true;
    for (const wake of this.waiting.splice(0)) wake();
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['pass'], ['open']]",
      mutants: {
        'the other condition': [/(await pause\(\);\n *if \()this/, '$1!this'],
        'it passes in any case': [/(await pause\(\);\n *)if \(this\.isOpen\) /, '$1'],
      },
    },
  ],
  [
    'async',
    {
      family: 'key-lock',
      source: `export class Subject {
  private readonly rows = new Map<string, number>();
  private readonly prefix = 'row-';

  async add(key: string): Promise<number> {
    const name = this.nameOf(key);
    const before = this.rows.get(name) ?? 0;
    await pause();
    this.rows.set(name, before + 1);
    return before;
  }

  private nameOf(key: string): string {
    return this.prefix + key;
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['add', 'a'], ['add', 'b']]",
      mutants: {
        'no call waits': [/\(this\.tails\.get\(key\) \?\? Promise\.resolve\(\)\)\.then\(body\)/, 'body()'],
        'another result': [/return before;/, 'return before + 1;'],
      },
    },
  ],
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private isOpen = false;
  private readonly waiting: (() => void)[] = [];

  async pass(): Promise<string> {
    if (!this.isOpen) {
      await pause();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return 'passed';
  }

  async open(): Promise<void> {
    this.isOpen = true;
    for (const wake of this.waiting.splice(0)) wake();
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['pass'], ['open']]",
      mutants: {
        'the other condition': [/if \(!this\.isOpen\) await/, 'if (this.isOpen) await'],
        'it waits in any case': [/if \(!this\.isOpen\) await/, 'await'],
      },
    },
  ],
  [
    'async',
    {
      family: 'while',
      source: `export class Subject {
  private active = 0;
  private peak = 0;
  private readonly waiting: (() => void)[] = [];

  async run(): Promise<number> {
    await this.enter();
    await pause();
    this.active--;
    this.waiting.shift()?.();
    return this.peak;
  }

  private async enter(): Promise<void> {
    while (this.active >= 1) await new Promise<void>((resolve) => this.waiting.push(resolve));
    await Promise.resolve();
    this.active++;
    this.peak = Math.max(this.peak, this.active);
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));`,
      given: "calls: [['run']], threads: 3",
      mutants: {
        'one more may enter': [/this\.active >= 1/, 'this.active > 1'],
        'the end is not counted': [/this\.active--;/, 'this.active -= 0;'],
      },
    },
  ],
  [
    'threads',
    {
      family: 'atomics',
      source: `export class Subject {
  private readonly word = new Int32Array(new SharedArrayBuffer(4));

  set(bit: number): boolean {
    const old = this.word[0];
    this.word[0] = old | (1 << bit);
    return (old & (1 << bit)) !== 0;
  }

  clear(bit: number): boolean {
    const old = Atomics.load(this.word, 0);
    Atomics.store(this.word, 0, old & ~(1 << bit));
    return (old & (1 << bit)) !== 0;
  }
}`,
      given: "calls: [['set', 0], ['set', 1], ['clear', 0]], backend: 'instrumented'",
      mutants: {
        'another operation': [/Atomics\.or/, 'Atomics.xor'],
        'all bits are cleared': [/~\(1 << bit\)/, '0'],
        'one method as before': [
          /const old = Atomics\.and\(this\.word, 0, (.*?)\);/,
          'const old = this.word[0]; this.word[0] = old & $1;',
        ],
      },
    },
  ],
];

test.each(FURTHER.map(([kind, example], i) => [kind, example.family, i, example] as const))(
  'mutants of a further kind: %s, %s, %i',
  (kind, family, i, example) => mutantsAreRejected(kind, family, example, `further-${i}`),
);

test('calls after a test show what an edit still loses', async () => {
  const source = (lock: (body: string) => string): string => `export class Subject {
  private items: number[] = [];
  private sent = 0;
  private tail: Promise<unknown> = Promise.resolve();

  async add(): Promise<void> {
    this.items.push(1);
  }

  async flush(): Promise<void> {
    ${lock(`if (this.items.length === 0) return;
    this.sent += this.items.length;
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    this.items = [];`)}
  }

  count(): number {
    return this.sent;
  }
}`;
  // no item is sent twice any more, but what is added during a flush is lost
  const locked = source(
    (body) =>
      `const result = this.tail.then(async () => {\n${body}\n});\n    this.tail = result.catch(() => undefined);\n    return result;`,
  );
  control();
  const original = { source: source((body) => body), given: "calls: [['add'], ['flush'], ['count']]" };
  const project = patchProject(original, join(ROOT, 'lost'), true);
  await inOwnTask(() => {
    const threads = [
      [['add'], ['flush']],
      [['flush'], ['count']],
    ];
    const failing = { threads, before: [], after: [] } as never;
    const guards = new Guards(programOf(project, original.source), failing, 1, () => false);
    expect(guards.refute(programOf(project, locked).scenario)).toBeUndefined();
    expect(guards.check(programOf(project, locked))).toMatchObject({ because: 'violation' });
  });
});

/** The families whose edits of a class are offered. */
function offered(files: Record<string, string>, isAsync = true, called = Object.keys(files)[0]): string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(ROOT, name), text]));
  const test = { threads: [[[called]]], before: [], after: [] } as never;
  return candidatesFor(texts, isAsync, test, []).map(({ family }) => family);
}

describe('a lock for each key', () => {
  const cls = (body: string, more = ''): string => `let total = 0;
export class Subject {
  private readonly rows = new Map<string, number>();
  private readonly totals: Record<string, number> = {};
  private sum = 0;
  constructor(private readonly store: { read(key: string): Promise<number>; size(): Promise<number> }) {}

  async change(key: string, other: string): Promise<number> {
    ${body}
  }

  write(key: string, value: number): void {
    this.rows.set(key, value);
    this.totals[key] = value;
    this.sum = value;
  }
  ${more}
}`;
  test.each([
    [
      'const n = this.rows.get(key) ?? 0;\n    await this.store.read(key);\n    this.rows.set(key, n + 1);\n    return n;',
      true,
    ],
    [
      'const n = this.totals[key];\n    await this.store.size();\n    this.totals[key] = n + 1;\n    return n;',
      true,
    ],
    ['await this.store.read(key);\n    return this.load(key);', true],
    [
      'const n = this.rows.get(key) ?? 0;\n    await this.store.read(key);\n    this.rows.set(other, n + 1);\n    return n;',
      false,
    ],
    ['const n = this.sum;\n    await this.store.read(key);\n    this.sum = n + 1;\n    return n;', false],
    ['await this.store.read(other);\n    return this.rows.get(key) ?? 0;', false],
    ['await this.store.read(key);\n    return this.load(other);', false],
    ['await this.store.read(key);\n    total = total + 1;\n    return total;', false],
    ['const { rows } = this;\n    await this.store.read(key);\n    return rows.get(other) ?? 0;', false],
    ['await this.store.read(key);\n    key = other;\n    return this.rows.get(key) ?? 0;', false],
    [
      `const name = \`row-\${key}\`;\n    const n = this.rows.get(name) ?? 0;\n    await this.store.read(name);\n    this.rows.set(name, n + 1);\n    return n;`,
      true,
    ],
    [`await this.store.read(\`\${key}\${other}\`);\n    return 0;`, false],
    ['await this.store.read(key + this.sum);\n    return 0;', false],
    ['let name = key;\n    await this.store.read(name);\n    return 0;', false],
    ['await this.store.read(key + other);\n    return 0;', false],
  ])('%s: %s', (body, isOffered) => {
    const load =
      'private async load(row: string): Promise<number> {\n    return this.rows.get(row) ?? 0;\n  }';
    const families = offered({ 'subject.ts': cls(body, load) }, true, 'change');
    expect(families).toContain('lock');
    expect(families.includes('key-lock')).toBe(isOffered);
  });
});

test('a scenario with one key is explored with a second key, or a lock for each key is not accepted', async () => {
  control();
  const cls = (state: string): string => `const rows: Record<string, number> = {};
export class Subject {
  private readonly own = rows;

  constructor() {
    for (const key of Object.keys(rows)) delete rows[key];
  }

  async add(key: string): Promise<number> {
    const before = this.own[${state}] ?? 0;
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    this.own[${state}] = before + 1;
    return before;
  }
}`;
  const given = "calls: [['add', 'a']]";
  const locked = patchProject({ source: cls('key'), given }, join(ROOT, 'one-key'), true);
  await inOwnTask(() => {
    const { patches } = findPatchesSync(failingTest(locked.load(new Map())), {
      load: locked.load,
      files: [locked.file],
    });
    const patch = patches.find(({ family }) => family === 'key-lock')!;
    expect(patch.warnings.join()).toContain('with invented keys');
    // a fault that only a second key shows
    const spoiled = patch.after.replaceAll('this.own[key]', "this.own['a']");
    const guards = new Guards(
      programOf(locked, cls("'a'")),
      failingTest(locked.load(new Map())),
      1,
      () => false,
    );
    const { scenario } = programOf(locked, spoiled);
    expect(guards.refute(scenario)).toBeUndefined();
    expect(guards.check(programOf(locked, spoiled)).kind).toBe('holds');
    expect(guards.refuteOtherKeys(scenario)?.because).toBe('violation');
  });
});

test('a method that awaits the same outside object twice takes the lock too', () => {
  const method = (name: string, second: string): string => `  async ${name}(key: string): Promise<void> {
    const value = await this.store.read(key);
    ${second}
  }`;
  const cls = `export class Subject {
  constructor(private readonly store: { read(key: string): Promise<number>; write(key: string, value: number): Promise<void> }) {}

${method('raise', 'await this.store.write(key, value + 1);')}

${method('lower', 'await this.store.write(key, value - 1);')}

${method('look', 'console.log(value);')}
}`;
  const test = { threads: [[['raise']]], before: [], after: [] } as never;
  const [smallest] = candidatesFor(new Map([[join(ROOT, 'subject.ts'), cls]]), true, test, []).filter(
    ({ family }) => family === 'lock',
  );
  expect(smallest.title).toContain('raise');
  expect(smallest.title).toContain('lower');
  expect(smallest.title).not.toContain('look');
});

test('the lock is taken first by all methods that are interrupted while they change the same fields', () => {
  const source = (isLate: boolean): string => `export class Subject {
  private users = 0;
  private isOpen = false;

  async use(): Promise<void> {
    if (this.users === 0) this.isOpen = await Promise.resolve(true);
    this.users++;
  }

  async done(): Promise<void> {
    this.users--;
    ${isLate ? 'await this.pause();' : ''}
    if (this.users === 0) this.isOpen = false;
  }

  private async pause(): Promise<void> {
    await Promise.resolve();
  }
}`;
  const file = join(ROOT, 'interrupted.ts');
  const failing = { threads: [[['use']], [['use']]], before: [], after: [] } as const;
  const locks = (isLate: boolean): string[] =>
    candidatesFor(new Map([[file, source(isLate)]]), true, failing, [])
      .filter(({ family }) => family === 'lock')
      .map(({ title }) => title);
  expect(locks(true)).toEqual(['calls of use, done run in sequence', 'calls of use run in sequence']);
  expect(locks(false)).toEqual(['calls of use run in sequence', 'calls of use, done run in sequence']);
});

test('patches without a new lock come first, also if only the lock changes the blamed lines', async () => {
  control();
  const example = ASYNC_EXAMPLES.find(({ family }) => family === 'copy')!;
  const { file, load } = patchProject(example, join(ROOT, 'ranked'), true);
  const at = (text: string) => ({ line: example.source.split(text)[0].split('\n').length, column: 5 });
  const block = { file, start: at('this.names.splice'), end: at('this.names.splice') };
  const { patches } = await inOwnTask(() =>
    findPatchesSync(failingTest(load(new Map())), {
      load,
      files: [file],
      repairs: [{ repair: [block as never] }],
    }),
  );
  expect(patches.map(({ family }) => family)).toEqual(['copy', 'lock']);
});

describe('threads with roles', () => {
  const ring = (write: string): string => `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(20));

  push(value: number): boolean {
    const tail = Atomics.load(this.words, 1);
    if (tail === 2) return false;
    ${write}
    return true;
  }

  pop(): number | null {
    const head = Atomics.load(this.words, 0);
    if (head === Atomics.load(this.words, 1)) return null;
    const value = this.words[head + 2];
    Atomics.store(this.words, 0, head + 1);
    return value;
  }
}`;
  const publish = 'Atomics.store(this.words, 1, tail + 1);';
  const slot = 'this.words[tail + 2] = value;';
  const given = "test: [[['push', 7], ['push', 8]], [['pop'], ['pop']]]";
  const project = patchProject({ source: ring(publish + slot), given }, join(ROOT, 'roles'), false);

  test('are kept if no edit holds otherwise, and the evidence says so', () => {
    const source = ring(`${publish}\n    ${slot}`);
    const { file, load } = patchProject({ source, given }, join(ROOT, 'ring'), false);
    const { patches } = findPatchesSync(failingTest(load(new Map())), { load, files: [file] });
    expect(patches[0].family).toBe('swap');
    expect(patches[0].after.trim()).toBe(ring(`${slot}\n    ${publish}`));
    expect(patches[0].evidence).toMatchObject({
      keepsRoles: true,
      sizes: [
        { threads: 2, callsPerThread: 1, tests: 2 },
        { threads: 2, callsPerThread: 2, tests: 4 },
        { threads: 2, callsPerThread: 3, tests: 8 },
      ],
    });
  });

  test.each([
    ['the correct order', slot + publish, 'holds'],
    ['published first and last', publish + slot + publish, 'violation'],
    ['no slot', publish, 'violation'],
    ['not published', slot, 'violation'],
  ])('%s', (_, write, verdict) => {
    const failing = failingTest(project.load(new Map()));
    const verdicts = (['roles', undefined] as const).map((kept) =>
      verdictOf(
        new Guards(programOf(project, ring(publish + slot)), failing, 1, () => false, kept),
        programOf(project, ring(write)),
      ),
    );
    expect(verdicts).toEqual([verdict, 'violation']);
  });
});

test('the console of user code prints nothing, and a changed method without calls has a note', async () => {
  control();
  const source = `class Store {
  private sum = 0;

  async read(): Promise<number> {
    return this.sum;
  }

  async write(sum: number): Promise<void> {
    this.sum = sum;
  }
}

export class Subject {
  private readonly store = new Store();

  async add(): Promise<number> {
    const before = await this.store.read();
    console.log('added');
    await this.store.write(before + 1);
    return before;
  }

  async halve(): Promise<void> {
    const before = await this.store.read();
    await this.store.write(before / 2);
  }
}`;
  const { file, load } = patchProject({ source, given: "calls: [['add']]" }, join(ROOT, 'silent'), true);
  const failing = await inOwnTask(() => failingTest(load(new Map())));
  const printed: unknown[] = [];
  const { log } = console;
  const own = (line: unknown): void => void printed.push(line);
  console.log = own;
  try {
    const { patches } = await inOwnTask(() => findPatchesSync(failing, { load, files: [file] }));
    expect(printed).toEqual([]);
    expect(console.log).toBe(own);
    const changed = patches.filter(({ title }) => title.includes('halve'));
    for (const { warnings } of changed) expect(warnings.join()).toContain('halve is changed');
    expect(changed.length).toBeGreaterThan(0);
  } finally {
    console.log = log;
  }
});

describe('subclasses', () => {
  const base = `export class Subject {
  private paid = 0;

  async pay(): Promise<number> {
    const before = this.paid;
    await Promise.resolve();
    this.paid = before + 1;
    return this.paid;
  }

  async payTwice(): Promise<number> {
    await this.pay();
    return this.pay();
  }
}`;
  const texts = (more: string) => ({
    'subject.ts': base,
    'other.ts': `class Other extends Subject {\n${more}\n}`,
  });
  const locks = (more: string): string[] => {
    const files = new Map(Object.entries(texts(more)).map(([name, text]) => [join(ROOT, name), text]));
    const test = { threads: [[['payTwice']]], before: [], after: [] } as never;
    return candidatesFor(files, true, test, [])
      .filter(({ family, className }) => family === 'lock' && className === 'Subject')
      .map(({ after }) => after);
  };

  test('a method that a subclass overrides is called as before', () => {
    expect(locks('').some((after) => after.includes('this.payUnlocked('))).toBe(true);
    expect(locks('  async pay(): Promise<number> {\n    return 0;\n  }').join('')).not.toContain(
      'payUnlocked',
    );
  });

  test('a new member has no name of a subclass in another file', () => {
    expect(locks('').join('')).toContain('this.tail');
    expect(locks('  tail = 1;').join('')).not.toMatch(/this\.tail\b/);
  });
});

test('overlapping calls share one run only if their state belongs to the argument', () => {
  const cls = (state: string): string => `export class Subject {
  private rows: Record<string, number> = {};
  private items: number[] = [];

  async load(key: string): Promise<number> {
    ${state};
    await Promise.resolve();
    return 1;
  }
}`;
  const has = (state: string): boolean =>
    offered({ 'subject.ts': cls(state) }, true, 'load').includes('share');
  expect(has('this.rows[key] = 1')).toBe(true);
  expect(has('this.items = []')).toBe(false);
});

test('version counts every change of the field, or is not offered', () => {
  const cls = (change: string): string => `export class Subject {
  private copy: number | undefined;

  async get(): Promise<number> {
    const value = await this.load();
    this.copy = value;
    return value;
  }

  async put(value: number): Promise<unknown> {
    ${change}
  }

  private async load(): Promise<number> {
    return 1;
  }
}`;
  const has = (change: string): boolean =>
    offered({ 'subject.ts': cls(change) }, true, 'get').includes('version');
  expect(has('this.copy = value;\n    return value;')).toBe(true);
  expect(has('return (this.copy = value);')).toBe(true);
  expect(has('if (value > 0) this.copy = value;\n    return value;')).toBe(false);
  expect(has('return this.copy;')).toBe(false);
});

test('each kind of patch in the guide has an example with two mutants', () => {
  const guide = readFileSync('docs/guide/patches.md', 'utf8');
  const [, async, threads] =
    /## Kinds of patches([\s\S]*?)\n\n(\| shared memory[\s\S]*?)\n\n/.exec(guide) ?? [];
  const kindsIn = (table: string): string[] =>
    [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell.replaceAll('`', '').split(', '));
  for (const [kinds, examples] of [
    [kindsIn(async), ASYNC_EXAMPLES],
    [kindsIn(threads), THREAD_EXAMPLES],
  ] as const) {
    expect(kinds.length).toBeGreaterThan(5);
    const families = examples.map(({ family }) => family).filter((family) => !family.includes(' and '));
    expect(families.toSorted()).toEqual(kinds.toSorted());
    for (const { family, mutants } of examples)
      expect(Object.keys(mutants).length, family).toBeGreaterThanOrEqual(2);
  }
});

/** Examples whose whole search is run; all of them at night. */
const SEARCHED = [...ASYNC_EXAMPLES, ...THREAD_EXAMPLES].slice(
  0,
  share(ASYNC_EXAMPLES.length + THREAD_EXAMPLES.length, 2),
);

test.each(SEARCHED.map((example) => [example.family, example] as const))(
  'search: %s',
  async (family, example) => {
    control();
    const project = patchProject(example, join(ROOT, `search-${family}`), ASYNC_EXAMPLES.includes(example));
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

describe('failures of tools', () => {
  test('TypeScript 7 has no compiler API, so it says nothing about an edit', () => {
    const folder = join(ROOT, 'native');
    mkdirSync(join(folder, 'node_modules/typescript'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/typescript/index.js'), "exports.version = '7.0.2'");
    expect(typeErrors(join(folder, 'subject.ts'), 'let a = 1;', 'let a: string = 1;')).toBe(
      'no compiler API',
    );
  });

  test('an exception of our own is no verdict about an edit', async () => {
    control();
    const example = ASYNC_EXAMPLES.find(({ family }) => family === 'fresh')!;
    const { file, load } = patchProject(example, join(ROOT, 'planted'), true);
    const planted = (overlay: ReadonlyMap<string, string>): Scenario => {
      // the guards load the original
      if (overlay.get(file) === readFileSync(file, 'utf8')) throw new TypeError('planted');
      return load(overlay);
    };
    const { patches, rejected, unrefuted } = await inOwnTask(() =>
      findPatchesSync(failingTest(load(new Map())), { load: planted, files: [file] }),
    );
    expect([...patches, ...rejected]).toEqual([]);
    expect(unrefuted.find(({ family }) => family === 'fresh')).toMatchObject({
      because: 'bug',
      text: 'planted',
    });
  });
});

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
