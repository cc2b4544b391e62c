/**
 * Patches of faulty classes: the wallet of the guide (docs/guide/patches.md), and one class for each kind of patch
 * (examples.ts).
 *
 * A row is wrong if no patch is of the expected kind. Three kinds can lose work if an await fails; their classes show such
 * a loss, so the row is wrong if a patch of that kind is accepted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuTime } from '../../bench/measure.js';
import { control } from '../../src/event-loop/control.js';
import { inOwnTask } from '../../src/event-loop/own-task.js';
import { exploreSync } from '../../src/explore/explore.js';
import type { CoveredSize } from '../../src/root-cause/patches/guard-tests.js';
import { findPatchesSync, type PatchSearch } from '../../src/root-cause/patches/patches.js';
import type { Table } from '../lib/table.js';
import { ASYNC_EXAMPLES, type PatchExample, patchProject, THREAD_EXAMPLES } from './examples.js';

interface Input {
  readonly name: string;
}

interface Row {
  readonly subject: string;
  readonly families: readonly string[];
  readonly changedLines: number | undefined;
  readonly explored: string;
  readonly rejected: number;
  readonly seconds: number;
  readonly isRight: boolean;
}

const GUIDE = 'docs/guide/patches.md';

/** The wallet, as the guide prints it. */
function walletExample(): PatchExample {
  const [, source] = /```ts\n\/\/ file: wallet\.ts\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  if (source === undefined) throw new Error(`${GUIDE} has no wallet`);
  return {
    family: 'fresh',
    source: source.replace('class Wallet', 'class Subject'),
    given: "calls: [['deposit', 2]]",
    mutants: {},
  };
}

const isAsync = (name: string): boolean => !name.startsWith('threads: ');

const exampleOf = (name: string): PatchExample =>
  name === 'wallet'
    ? walletExample()
    : (isAsync(name) ? ASYNC_EXAMPLES : THREAD_EXAMPLES).find(({ family }) => name.endsWith(`: ${family}`))!;

export const patches: Table<Input, Row> = {
  inputs: () => [
    { name: 'wallet' },
    ...ASYNC_EXAMPLES.map(({ family }) => ({ name: `async: ${family}` })),
    ...THREAD_EXAMPLES.map(({ family }) => ({ name: `threads: ${family}` })),
  ],
  nameOf: ({ name }) => name,
  rowsOf: async ({ name }, seed) => {
    control();
    const folder = mkdtempSync(join(tmpdir(), 'straightedge-patches-'));
    try {
      return [await inOwnTask(() => rowOf(name, folder, seed))];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  headOf: () =>
    'class                          patches, best first                lines  rejected  CPU s  explored in every schedule',
  textOf: ({ subject, families, changedLines, rejected, seconds, explored }) =>
    [
      subject.padEnd(30),
      (families.join(', ') || 'none').padEnd(34),
      String(changedLines ?? '').padStart(5),
      String(rejected).padStart(9),
      seconds.toFixed(1).padStart(6),
      ` ${explored}`,
    ].join(' '),
};

function rowOf(name: string, folder: string, seed: number): Row {
  const example = exampleOf(name);
  const { file, load } = patchProject(example, folder, isAsync(name));
  const found = exploreSync(load(new Map()), { seed }).results.find(({ violation }) => violation);
  if (found === undefined) throw new Error(`${name} has no violation`);
  const begin = cpuTime();
  const search = findPatchesSync(found.test, { load, files: [file], seed });
  const seconds = (cpuTime() - begin) / 1_000;
  const families = search.patches.map(({ family }) => family);
  return {
    subject: name,
    families,
    changedLines: search.patches[0]?.changedLines,
    explored: exploredText(search),
    rejected: search.rejected.length,
    seconds,
    isRight: families.includes(example.family) !== (example.isRefuted ?? false),
  };
}

/** `2x1, 2x2, 3x1; 6 of 3x2, 6 of 2x3` */
function exploredText({ patches: [first] }: PatchSearch): string {
  const sizes = first?.evidence.sizes ?? [];
  const text = ({ threads, callsPerThread }: CoveredSize): string => `${threads}x${callsPerThread}`;
  const whole = sizes.filter(({ choice }) => choice === 'all').map(text);
  const random = sizes.flatMap((size) =>
    size.choice === 'random' ? [`${size.tests} of ${text(size)}`] : [],
  );
  return [whole, random].flatMap((part) => (part.length > 0 ? [part.join(', ')] : [])).join('; ');
}
