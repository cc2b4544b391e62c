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
import { candidatesFor } from './candidates.js';
import { textEdits, unifiedDiff } from './draft.js';
import { withFailingAwaits, withFailures } from './failures.js';
import { Guards, type PatchedProgram } from './guards.js';
import { findPatchesSync, type Patch } from './patches.js';
import { classesIn } from './source.js';

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

describe.each([
  ['async', ASYNC_EXAMPLES],
  ['threads', THREAD_EXAMPLES],
] as const)('mutants of %s', (kind, examples) => {
  test.each(examples.map((example) => [example.family, example] as const))('%s', async (family, example) => {
    control();
    const project = patchProject(example, join(ROOT, `${kind}-${family}`), kind === 'async');
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
