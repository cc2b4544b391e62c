import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Patch, PatchSearch } from '../../root-cause/patches/patches.js';
import { applyPatch, revertPatch, withCommand } from './patch-files.js';

const here = process.cwd();
const made: string[] = [];
let folder = '';
beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-patch-files-')));
  made.push(root);
  folder = join(root, 'project');
  mkdirSync(folder);
  process.chdir(folder);
});
afterEach(() => process.chdir(here));
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

const TEXT = 'export class Cart {\n  count = 0;\n}\n';
const TEXTS: Readonly<Record<string, string>> = {
  'Unix lines': TEXT,
  'Windows lines': TEXT.replaceAll('\n', '\r\n'),
  'a byte order mark': `\uFEFF${TEXT}`,
  'a byte order mark and Windows lines': `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`,
  'no last newline': TEXT.trimEnd(),
  'letters of several bytes': TEXT.replace('Cart', 'Warenkörbe🛒'),
};
const changed = (text: string): string => text.replace('0', '1');
const write = (path: string, text: string | Buffer): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Ways to a file, each with the path that was loaded and the path of the file. */
const WAYS: Readonly<Record<string, (text: string) => readonly [loaded: string, real: string]>> = {
  'a file': (text) => {
    write('cart.ts', text);
    return ['cart.ts', 'cart.ts'];
  },
  'a link': (text) => {
    write('real.ts', text);
    symlinkSync('real.ts', 'cart.ts');
    return ['cart.ts', 'real.ts'];
  },
  'a chain of links': (text) => {
    write('lib/real.ts', text);
    symlinkSync('lib/real.ts', 'one.ts');
    symlinkSync(join(folder, 'one.ts'), 'cart.ts');
    return ['cart.ts', 'lib/real.ts'];
  },
  'a linked folder': (text) => {
    write('lib/real.ts', text);
    symlinkSync('lib', 'linked');
    return ['linked/real.ts', 'lib/real.ts'];
  },
};

const patchOf = (path: string, before: string): Patch =>
  ({ path: join(folder, path), file: path, before, after: changed(before), title: path }) as Patch;
const drafts = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.straightedge'));

describe.each(Object.keys(WAYS))('a patch of %s', (way) => {
  test.each(Object.keys(TEXTS))('is written and reverted, byte for byte, with %s', (kind) => {
    const text = TEXTS[kind];
    const [loaded, real] = WAYS[way](text);
    chmodSync(real, 0o755);
    const isLink = lstatSync(loaded).isSymbolicLink();
    const patch = patchOf(loaded, readFileSync(loaded, 'utf8'));
    applyPatch(patch);
    expect(readFileSync(real)).toEqual(Buffer.from(changed(text)));
    expect(lstatSync(loaded).isSymbolicLink()).toBe(isLink);
    expect(statSync(real).mode & 0o777).toBe(0o755);
    expect(revertPatch(patch)).toBe(true);
    expect(readFileSync(real)).toEqual(Buffer.from(text));
    expect(drafts()).toEqual([]);
  });
});

describe('applyPatch changes nothing', () => {
  const CASES: Readonly<Record<string, { make: () => string; says: string; before?: string }>> = {
    'of a file that has changed': {
      make: () => {
        write('cart.ts', `${TEXT}// edited\n`);
        return 'cart.ts';
      },
      before: TEXT,
      says: 'has changed since it was explored',
    },
    'of a read-only file': {
      make: () => {
        write('cart.ts', TEXT);
        chmodSync('cart.ts', 0o444);
        return 'cart.ts';
      },
      says: 'is read-only',
    },
    'outside of the folder': {
      make: () => {
        write('../cart.ts', TEXT);
        return '../cart.ts';
      },
      says: 'is outside of this folder',
    },
    'through a link out of the folder': {
      make: () => {
        write('../cart.ts', TEXT);
        symlinkSync('../cart.ts', 'cart.ts');
        return 'cart.ts';
      },
      says: 'leads out of this folder by a symbolic link',
    },
    'in node_modules': {
      make: () => {
        write('node_modules/cart/cart.ts', TEXT);
        return 'node_modules/cart/cart.ts';
      },
      says: 'is in node_modules',
    },
    'through a link into node_modules': {
      make: () => {
        write('node_modules/cart/cart.ts', TEXT);
        symlinkSync('node_modules/cart', 'cart');
        return 'cart/cart.ts';
      },
      says: 'leads into node_modules by a symbolic link',
    },
    'of a file that is not UTF-8': {
      make: () => {
        write('cart.ts', Buffer.concat([Buffer.from(TEXT), Buffer.from([0x2f, 0x2f, 0xe9, 0x0a])]));
        return 'cart.ts';
      },
      says: 'is not UTF-8 text',
    },
  };
  test.each(Object.keys(CASES))('%s', (name) => {
    const { make, says, before } = CASES[name];
    const path = make();
    const bytes = readFileSync(path);
    const patch = patchOf(path, before ?? readFileSync(path, 'utf8'));
    expect(() => applyPatch(patch)).toThrow(says);
    expect(readFileSync(path)).toEqual(bytes);
    expect(drafts()).toEqual([]);
  });

  test('if the new text cannot be written', () => {
    write('cart.ts', TEXT);
    const draft = `.cart.ts.straightedge-${process.pid}`;
    mkdirSync(draft);
    expect(() => applyPatch(patchOf('cart.ts', TEXT))).toThrow(
      /cannot write cart\.ts: .*; the file is as it was/,
    );
    expect(readFileSync('cart.ts', 'utf8')).toBe(TEXT);
  });
});

test('revertPatch keeps what was written after the patch', () => {
  write('cart.ts', TEXT);
  const patch = patchOf('cart.ts', TEXT);
  applyPatch(patch);
  writeFileSync('cart.ts', 'edited');
  expect(revertPatch(patch)).toBe(false);
  expect(readFileSync('cart.ts', 'utf8')).toBe('edited');
});

describe('the test command', () => {
  const searchOf = (...patches: Patch[]): PatchSearch => ({
    patches,
    unrefuted: [],
    rejected: [],
    skipped: 0,
  });
  const tried = (
    command: string,
    path: string,
    { timeout = 60_000, isInterrupted = (): boolean => false } = {},
  ) =>
    withCommand(searchOf(patchOf(path, readFileSync(path, 'utf8'))), {
      command,
      timeout,
      isInterrupted,
      onProgress: () => {},
    });
  const copies = (): string[] => {
    const listed = readFileSync('folder', 'utf8').trim().split('\n');
    return listed.filter((path) => spawnSync('test', ['-e', path]).status === 0);
  };
  /** Writes the name of its folder to the project. */
  const noted = (command: string): string => `pwd >> ${join(folder, 'folder')}; ${command}`;
  /** A process that was killed exists until its parent looks at it. */
  const hasEnded = (): boolean => {
    const pid = readFileSync('pid', 'utf8').trim();
    return /^(Z.*)?$/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim());
  };

  test.each(Object.keys(WAYS))(
    'sees the patch of %s in a copy, and the project stays as it is',
    async (way) => {
      const [loaded, real] = WAYS[way](TEXT);
      const text = `grep -q 'count = 0' ${loaded}`;
      const isAbsolute = way === 'a chain of links';
      const run = tried(noted(`${text} || exit 3`), loaded);
      // an absolute link leads out of the copy
      if (isAbsolute) await expect(run).rejects.toThrow('is not part of the copy');
      else {
        const { patches, rejected } = await run;
        expect(patches).toEqual([]);
        expect(rejected[0].text).toContain('fails with exit code 3');
      }
      expect(readFileSync(real, 'utf8')).toBe(TEXT);
      expect(copies()).toEqual([]);
    },
  );

  test('is shown with its last lines', async () => {
    write('cart.ts', TEXT);
    const { rejected } = await tried(
      `grep 'count = 0' cart.ts || { echo one; echo two >&2; exit 1; }`,
      'cart.ts',
    );
    expect(rejected[0].text).toMatch(
      /fails with exit code 1\. Its last lines:\n {4}(one\n {4}two|two\n {4}one)$/,
    );
    await expect(tried('echo why; false', 'cart.ts')).rejects.toThrow(
      /fails with exit code 1 without a patch too\. Its last lines:\n {4}why/,
    );
  });

  test('ends when its time is up', async () => {
    write('cart.ts', TEXT);
    await expect(tried('sleep 600', 'cart.ts', { timeout: 1 })).rejects.toThrow(
      'takes longer than 0.001 s without a patch too, and prints nothing',
    );
  });

  test('ends with all of its processes, and its copy is removed', async () => {
    write('cart.ts', TEXT);
    const pid = join(folder, 'pid');
    const command = noted(`sh -c 'echo $$ > ${pid}.new; mv ${pid}.new ${pid}; exec sleep 600' & wait`);
    await expect(tried(command, 'cart.ts', { isInterrupted: () => existsSync(pid) })).rejects.toThrow(
      'was interrupted',
    );
    await expect.poll(hasEnded).toBe(true);
    expect(copies()).toEqual([]);
  });

  test('leaves no process behind when it passes', async () => {
    write('cart.ts', TEXT);
    const command = `sleep 600 & echo $! > ${join(folder, 'pid')}`;
    expect((await tried(command, 'cart.ts')).patches).toHaveLength(1);
    await expect.poll(hasEnded).toBe(true);
  });
});
