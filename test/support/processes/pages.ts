/**
 * Runs every code block of a Markdown page, in a sandbox.
 *
 *   ts        a module that runs by itself; `// file: name` also writes it to the sandbox
 *   typescript   tests that vitest runs, and that pass; `// file: name` is its name. `// file: name (fails)`: they fail,
 *             and a `text` block directly after it is part of what vitest prints
 *   jsonl, edn, log   a history that can be read; `file=name` after the language writes it, and readers can copy it
 *   console   `$ npx straightedge …`, `$ node …` and `$ cat …` are run, and print exactly what follows
 *   json      parses; after `of="npx straightedge …"`, it is the document that the command prints, or some of its fields. `ms` may differ
 *   sh        npm scripts that it names exist
 *   python, go, text   not run, but for such a `text` block
 *
 * A sandbox is a temporary folder inside this project, so that packages are found. It has no failures of earlier runs.
 */
import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseHistory } from '../../../src/formats/read-history.js';

export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const NOT_RUN = ['python', 'go', 'text'];

export interface Sandbox {
  /** Puts files into the new folder. */
  readonly fill: (folder: string) => void;
  /** The command line; that of this project if not given. */
  readonly main?: string;
  /** The folder that gets the new one; one of this project if not given. */
  readonly parent?: string;
}

/** Copies the contents of a folder, without files that git ignores: earlier runs left them there. */
export function copy(from: string, to: string): void {
  const flags = ['-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', ['ls-files', ...flags], { cwd: from, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(from, name)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
  }
}

let modules: ChildProcess | undefined;
afterAll(() => modules?.kill());

/** Runs a module to its end, in a process that runs them all. */
async function runModule(folder: string, file: string): Promise<unknown> {
  if (!modules) {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
    modules = fork(fileURLToPath(new URL('./block-process.mjs', import.meta.url)), { stdio: 'ignore', env });
    await once(modules, 'message');
  }
  modules.send({ folder, file });
  return (await once(modules, 'message'))[0];
}

interface Block {
  readonly language: string;
  readonly line: number;
  readonly file: string | undefined;
  /** The command that prints the document. */
  readonly command: string | undefined;
  /** Do the tests in it fail? */
  readonly isFailing: boolean;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(
    source.matchAll(/^```(\w*)(?: file=(\S+))?(?: of="([^"]+)")?\n([\s\S]*?)^```$/gm),
    ({ 1: language, 2: name, 3: command, 4: text, index }) => {
      const file = /^\/\/ file: (.+?)( \(fails\))?\n/.exec(text);
      return {
        language,
        line: source.slice(0, index).split('\n').length,
        file: name ?? file?.[1],
        command,
        isFailing: file?.[2] !== undefined,
        text: file ? text.slice(file[0].length) : text,
      };
    },
  );
}

type Run = (
  command: string,
  args: readonly string[],
) => { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs the blocks of a page in order, each as a test. */
export function describePage(
  page: string,
  { fill, main = join(ROOT, 'dist/cli/main.js'), parent = join(ROOT, '.docs') }: Sandbox,
): void {
  const blocks = blocksOf(page);
  describe.skipIf(blocks.length === 0)(page, () => {
    let folder = '';
    beforeAll(() => {
      mkdirSync(parent, { recursive: true });
      folder = mkdtempSync(join(parent, 'page-'));
      fill(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const run: Run = (command, args) =>
      spawnSync(command, args, {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      });
    let failed = '';
    for (const [i, block] of blocks.entries())
      test(`the ${block.language || 'bare'} block at line ${block.line} is true`, async () => {
        if (block.file) writeFileSync(join(folder, block.file), block.text);
        if (block.isFailing) {
          failed = outputOfFailing(block, folder, run);
          return;
        }
        if (block.language === 'text' && blocks[i - 1]?.isFailing) {
          expect(failed).toContain(block.text);
          return;
        }
        await expectBlock(page, block, folder, run, main);
      });
  });
}

function runTests({ file = '' }: Block, folder: string, run: Run): ReturnType<Run> {
  // otherwise vitest uses the configuration of this project, and finds the tests of examples
  writeFileSync(join(folder, 'vitest.config.js'), `export default { test: { include: ['*.test.ts'] } };`);
  return run(process.execPath, [VITEST, 'run', '--root', folder, file]);
}

/** What vitest prints about tests that fail. */
function outputOfFailing(block: Block, folder: string, run: Run): string {
  const { status, stdout, stderr } = runTests(block, folder, run);
  expect(stdout).toContain('1 failed');
  expect(status).toBe(1);
  return stderr;
}

async function expectBlock(
  page: string,
  block: Block,
  folder: string,
  run: Run,
  main: string,
): Promise<void> {
  switch (block.language) {
    case 'ts': {
      const file = block.file ?? `block-${block.line}.ts`;
      writeFileSync(join(folder, file), block.text);
      expect(await runModule(folder, file)).toEqual({ status: 0, stderr: '' });
      return;
    }
    case 'typescript': {
      const { status, stdout } = runTests(block, folder, run);
      expect(stdout).toContain('1 passed');
      expect(status).toBe(0);
      return;
    }
    case 'jsonl':
    case 'edn':
    case 'log':
      expect(parseHistory(block.text).length).toBeGreaterThan(0);
      return;
    case 'json':
      if (block.command === undefined)
        for (const document of block.text.trim().split(/\n(?=\{)/)) JSON.parse(document);
      else expectDocument(page, block, JSON.parse(outputOf(block.command, run, main)));
      return;
    case 'console': {
      const commands = commandsOf(block.text);
      const outputs = commands.map(({ command }) => outputOf(command, run, main));
      if (process.env.UPDATE) rewrite(page, block, commands, outputs);
      else
        for (const [i, { command, output }] of commands.entries())
          expect(`$ ${command}\n${outputs[i]}`).toBe(`$ ${command}\n${output}`);
      return;
    }
    case 'sh': {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      };
      for (const [, name] of block.text.matchAll(/npm run ([\w-]+)/g))
        expect(Object.keys(scripts)).toContain(name);
      return;
    }
    default:
      expect(NOT_RUN).toContain(block.language);
  }
}

/** A document without its times. */
const withoutTimes = ({ ms: _, ...document }: Record<string, unknown>): Record<string, unknown> => document;

/** Compares the fields of a sample with those of a real document; a sample with a verdict has all of them. */
function expectDocument(page: string, block: Block, real: Record<string, unknown>): void {
  const sample = JSON.parse(block.text) as Record<string, unknown>;
  const fields = 'verdict' in sample ? Object.keys(real) : Object.keys(sample);
  const expected = Object.fromEntries(fields.map((name) => [name, real[name]]));
  if (process.env.UPDATE) {
    const path = join(ROOT, page);
    const whole = JSON.stringify({ ...expected, ...('ms' in sample && { ms: sample.ms }) }, null, 2);
    // the innermost lists and objects on one line
    const text = `${whole
      .replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`)
      .replace(
        /\{\n\s+([^{}]{1,100}?)\n\s+\}/g,
        (_, items: string) => `{ ${items.replace(/\n\s+/g, ' ')} }`,
      )}\n`;
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(block.text, () => text),
    );
  } else expect(withoutTimes(sample)).toEqual(withoutTimes(expected));
}

interface Command {
  readonly command: string;
  readonly output: string;
}

/** With `UPDATE=1`, replaces the output in a page by what its commands print now; review the diff. */
function rewrite(page: string, block: Block, commands: readonly Command[], outputs: readonly string[]): void {
  const path = join(ROOT, page);
  const text = commands.map(({ command }, i) => `$ ${command}\n${outputs[i]}\n`).join('');
  writeFileSync(
    path,
    // the same command may be in several blocks
    readFileSync(path, 'utf8').replace(
      `\`\`\`console\n${block.text}\`\`\``,
      () => `\`\`\`console\n${text}\`\`\``,
    ),
  );
}

function commandsOf(text: string): Command[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...lines] = part.split('\n');
      return { command, output: lines.join('\n').trim() };
    });
}

function outputOf(command: string, run: Run, main: string): string {
  expect(command).toMatch(/^(npx straightedge|node|cat|gzip|echo|git) /);
  const { stdout, stderr } = run('sh', [
    '-c',
    command.replace(/\bnpx straightedge\b/g, `"${process.execPath}" "${main}"`),
  ]);
  return `${stdout}${stderr}`.trim();
}
