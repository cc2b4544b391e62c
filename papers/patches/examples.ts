/**
 * Faulty classes, one for each kind of patch, with their scenarios. Each has mutants: edits of the patch that bring a fault
 * back or add one. `src/root-cause/patches/patches.test.ts` demands that all mutants are rejected.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Monitor, Mutex } from '../../src/execution/primitives/locks.js';
import { type Scenario, scenario } from '../../src/explore/scenario/scenario.js';
import { rewriteAsCoroutines } from '../../src/instrument/coroutines/rewrite.js';
import { loadInstrumented } from '../../src/instrument/load.js';
import { rewriteForTracing } from '../../src/instrument/tracing-rewrite/rewrite.js';

/** A faulty class, the family whose patch it needs, and edits that spoil the patch. */
export interface PatchExample {
  readonly family: string;
  /** The class `Subject`. */
  readonly source: string;
  /** Fields of the scenario. */
  readonly given: string;
  readonly mutants: Readonly<Record<string, readonly [RegExp, string]>>;
  /** The patch is refuted by itself: it loses work if an await fails. */
  readonly isRefuted?: boolean;
  /** The threads keep to their calls of the scenario's test: others are not meant to be correct. */
  readonly kept?: 'test';
}

const PAUSE = 'const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));';

export const ASYNC_EXAMPLES: readonly PatchExample[] = [
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
    family: 'copy',
    source: `export class Subject {
  private names = ['a', 'b'];

  async leave(name: string): Promise<void> {
    this.names.splice(this.names.indexOf(name), 1);
  }

  async visit(): Promise<string> {
    let seen = '';
    for (const name of this.names) {
      await pause();
      seen += name;
    }
    return seen;
  }
}

${PAUSE}`,
    given: "calls: [['leave', 'a'], ['visit']], oneThread: ['leave']",
    mutants: {
      'the first is left out': [/\[\.\.\.this\.names\]/, 'this.names.slice(1)'],
      'not a copy': [/\[\.\.\.this\.names\]/, 'this.names'],
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
    family: 'late',
    source: `export class Subject {
  private total = 0;
  private shown = 0;

  async add(): Promise<number> {
    this.total++;
    this.shown = this.total;
    return this.total;
  }

  async refresh(): Promise<number> {
    const total = this.total;
    await pause();
    this.shown = total;
    return this.shown;
  }

  async read(): Promise<number> {
    return this.shown;
  }
}

${PAUSE}`,
    given: "calls: [['add'], ['refresh'], ['read']]",
    mutants: {
      'an older value': [/(await pause\(\);)\n *(const total = this\.total;)/, '$2\n    $1'],
      'the result is constant': [/this\.shown = total;\n *return this\.shown;/, 'return 1;'],
    },
  },
  {
    family: 'undo',
    source: `export class Subject {
  private rows = new Map<string, number>();

  async put(key: string, value: number): Promise<boolean> {
    if (this.rows.has(key)) return false;
    const before = new Map(this.rows);
    this.rows.set(key, value);
    await pause();
    if (value > 0) return true;
    this.rows = before;
    return false;
  }

  async has(key: string): Promise<boolean> {
    return this.rows.has(key);
  }
}

${PAUSE}`,
    given: "calls: [['put', 'a', -1], ['put', 'b', 1], ['has', 'b']], before: [['put', 'b', -1]]",
    mutants: {
      'all is undone': [/this\.rows\.delete\(key\)/, 'this.rows.clear()'],
      'the result is constant': [/return false;(\n {2}\})/, 'return true;$1'],
    },
  },
  {
    family: 'withdraw',
    source: `export class Subject {
  private free = 1;
  private readonly queue: (() => void)[] = [];

  enter(): Promise<boolean> {
    if (this.free > 0) {
      this.free--;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      setTimeout(() => resolve(false), 5);
      this.queue.push(() => resolve(true));
    });
  }

  async leave(): Promise<void> {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}`,
    given: `before: [['enter']], test: [[['enter']], [['leave'], ['enter']]], spec: {
      name: 'gate',
      initial: 1,
      methods: {
        enter: (free) => (free > 0 ? [free - 1, true] : [free, false]),
        leave: (free) => [free + 1, undefined],
      },
    }`,
    mutants: {
      'another entry leaves': [/splice\(at, 1\)/, 'splice(at + 1, 1)'],
      'the call does not end': [/\n *resolve\(false\);/, ''],
    },
  },
  {
    family: 'order',
    source: `export class Subject {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly sums = new Map([
    ['a', 1],
    ['b', 1],
  ]);

  async move(from: string, to: string): Promise<boolean> {
    const releaseFrom = await this.lock(from);
    try {
      if (this.sums.get(from)! < 1) return false;
      const releaseTo = await this.lock(to);
      try {
        this.sums.set(from, this.sums.get(from)! - 1);
        this.sums.set(to, this.sums.get(to)! + 1);
        return true;
      } finally {
        releaseTo();
      }
    } finally {
      releaseFrom();
    }
  }

  private async lock(name: string): Promise<() => void> {
    const previous = this.tails.get(name);
    let release = () => {};
    this.tails.set(name, new Promise((resolve) => (release = resolve)));
    await previous;
    return release;
  }
}`,
    given: "calls: [['move', 'a', 'b'], ['move', 'b', 'a']]",
    mutants: {
      'a lock is kept': [/\n *releaseSecond\(\);/, ''],
      'one lock twice': [/this\.lock\(second\)/, 'this.lock(first)'],
      'the order of the arguments': [/\[to, from\]/, '[from, to]'],
    },
  },
  {
    family: 'early',
    source: `export class Subject {
  private readonly entries = new Map<string, { isOpen: boolean }>();

  async use(key: string): Promise<boolean> {
    const entry = this.entries.get(key) ?? { isOpen: true };
    this.entries.set(key, entry);
    return entry.isOpen;
  }

  async end(key: string): Promise<void> {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.isOpen = false;
    await pause();
    this.entries.delete(key);
  }
}

${PAUSE}`,
    given: "calls: [['use', 'a'], ['end', 'a']]",
    mutants: {
      'the entry stays': [/\n *this\.entries\.delete\(key\);/, ''],
      'the result is constant': [/return entry\.isOpen;/, 'return false;'],
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

export const THREAD_EXAMPLES: readonly PatchExample[] = [
  {
    family: 'late',
    source: `export class Subject {
  private readonly words = new Int32Array(new SharedArrayBuffer(8));

  lock(): void {
    while (Atomics.compareExchange(this.words, 0, 0, 1) !== 0) {
      Atomics.add(this.words, 1, 1);
      Atomics.wait(this.words, 0, 1);
      Atomics.sub(this.words, 1, 1);
    }
  }

  unlock(): void {
    const someoneWaits = Atomics.load(this.words, 1) > 0;
    Atomics.store(this.words, 0, 0);
    if (someoneWaits) Atomics.notify(this.words, 0, 1);
  }
}`,
    given: "calls: [[['lock'], ['unlock']]]",
    mutants: {
      'no thread is woken': [/\n *if \(someoneWaits\).*;/, ''],
      'it stays locked': [/Atomics\.store\(this\.words, 0, 0\)/, 'Atomics.store(this.words, 0, 1)'],
    },
  },
  {
    family: 'tag',
    kept: 'test',
    source: `export class Subject {
  readonly #head = new Int32Array(new SharedArrayBuffer(4));
  readonly #next = new Int32Array(new SharedArrayBuffer(12));

  constructor() {
    this.#next.set([1, 2, -1]);
  }

  take(): number {
    for (;;) {
      const first = Atomics.load(this.#head, 0);
      if (first < 0) return -1;
      const second = Atomics.load(this.#next, first);
      if (Atomics.compareExchange(this.#head, 0, first, second) === first) return first;
    }
  }

  give(slot: number): void {
    for (;;) {
      const first = Atomics.load(this.#head, 0);
      Atomics.store(this.#next, slot, first);
      if (Atomics.compareExchange(this.#head, 0, first, slot) === first) return;
    }
  }
}`,
    given: "test: [[['take'], ['take']], [['take'], ['take'], ['give', 0]]]",
    mutants: {
      'no version': [/word \+ 0x10000/, 'word'],
      'the value is lost': [/value & 0xffff/, '0'],
    },
  },
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
  {
    family: 'wake-all',
    source: `import { Monitor } from 'straightedge/explore';

export class Subject {
  private readonly monitor = new Monitor();
  private page: number | null = null;

  print(page: number): void {
    this.monitor.enter();
    while (this.page !== null) this.monitor.wait();
    this.page = page;
    this.monitor.notify();
    this.monitor.exit();
  }

  fetch(): number {
    this.monitor.enter();
    while (this.page === null) this.monitor.wait();
    const page = this.page;
    this.page = null;
    this.monitor.notify();
    this.monitor.exit();
    return page;
  }
}`,
    given: "calls: [['print', 1], ['fetch']], threads: 4, callsPerThread: 2",
    mutants: {
      'fetch wakes no call': [/this\.page = null;\n *this\.monitor\.notifyAll\(\);/, 'this.page = null;'],
      'print wakes no call': [/this\.page = page;\n *this\.monitor\.notifyAll\(\);/, 'this.page = page;'],
    },
  },
  {
    family: 'while and wake-all',
    source: `import { Monitor } from 'straightedge/explore';

export class Subject {
  private readonly monitor = new Monitor();
  private readonly items: number[] = [];

  put(item: number): void {
    this.monitor.enter();
    if (this.items.length > 0) this.monitor.wait();
    this.items.push(item);
    this.monitor.notify();
    this.monitor.exit();
  }

  take(): number | undefined {
    this.monitor.enter();
    if (this.items.length === 0) this.monitor.wait();
    const item = this.items.shift();
    this.monitor.notify();
    this.monitor.exit();
    return item;
  }
}`,
    given: "calls: [['put', 1], ['take']], threads: 4, callsPerThread: 1",
    mutants: {
      'take does not look again': [/while \(this\.items\.length === 0\)/, 'if (this.items.length === 0)'],
      'put does not look again': [/while \(this\.items\.length > 0\)/, 'if (this.items.length > 0)'],
    },
  },
];

/** The package, as scenarios import it. */
const modules = { straightedge: { scenario }, 'straightedge/explore': { Mutex, Monitor } };

/** The files of an example, and a function that loads its scenario. */
export interface PatchProject {
  readonly file: string;
  readonly load: (overlay: ReadonlyMap<string, string>) => Scenario;
}

/** Writes an example to a folder. */
export function patchProject(
  { source, given }: Pick<PatchExample, 'source' | 'given'>,
  folder: string,
  isAsync: boolean,
): PatchProject {
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
  const rewrite = isAsync ? rewriteForTracing : rewriteAsCoroutines;
  const load = (overlay: ReadonlyMap<string, string>) =>
    (
      loadInstrumented(join(folder, 'subject.scenario.ts'), { modules, overlay, rewrite }) as {
        default: Scenario;
      }
    ).default;
  return { file, load };
}
