/**
 * Every code block of the README and of docs/ runs.
 *
 *   ts        a module that runs by itself; `// file: name` also writes it to the sandbox
 *   typescript   tests that vitest runs, and that pass; `// file: name` is its name
 *   jsonl, edn, log   a history that can be read; `file=name` after the language writes it, and readers can copy it
 *   console   `$ npx straightedge …` and `$ cat …` are run, and print exactly what follows
 *   json      parses
 *   sh        npm scripts that it names exist
 *   python, go, text   not run
 *
 * Each page has a sandbox of its own: a temporary folder inside this project with the files of examples/, also
 * in examples/, and of papers/, so that `import … from 'straightedge'` finds the built package.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseHistory } from '../../src/formats/read-history.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/cli/main.js');
const JITI = join(ROOT, 'node_modules/jiti/lib/jiti-cli.mjs');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];
const NOT_RUN = ['python', 'go', 'text'];

/** Leaves out what earlier runs saved beside a scenario. */
const isSource = (path: string): boolean => basename(path) !== '.straightedge';

interface Block {
  readonly language: string;
  readonly line: number;
  readonly file: string | undefined;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(
    source.matchAll(/^```(\w*)(?: file=(\S+))?\n([\s\S]*?)^```$/gm),
    ({ 1: language, 2: name, 3: text, index }) => {
      const file = /^\/\/ file: (.+)\n/.exec(text);
      return {
        language,
        line: source.slice(0, index).split('\n').length,
        file: name ?? file?.[1],
        text: file ? text.slice(file[0].length) : text,
      };
    },
  );
}

describe.each(PAGES.filter((page) => blocksOf(page).length > 0))('%s', (page) => {
  let sandbox = '';
  beforeAll(() => {
    mkdirSync(join(ROOT, '.docs'), { recursive: true });
    sandbox = mkdtempSync(join(ROOT, '.docs/page-'));
    cpSync(join(ROOT, 'examples'), sandbox, { recursive: true, filter: isSource });
    cpSync(join(ROOT, 'examples'), join(sandbox, 'examples'), { recursive: true, filter: isSource });
    cpSync(join(ROOT, 'papers'), join(sandbox, 'papers'), { recursive: true, filter: isSource });
  });
  afterAll(() => rmSync(sandbox, { recursive: true, force: true }));

  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, {
      cwd: sandbox,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });

  for (const block of blocksOf(page))
    test(`the ${block.language || 'bare'} block at line ${block.line} is true`, () => {
      if (block.file) writeFileSync(join(sandbox, block.file), block.text);
      switch (block.language) {
        case 'ts': {
          const file = block.file ?? `block-${block.line}.ts`;
          writeFileSync(join(sandbox, file), block.text);
          const { status, stderr } = run(process.execPath, [JITI, file]);
          expect(stderr).toBe('');
          expect(status).toBe(0);
          return;
        }
        case 'typescript': {
          // or the one of this project would be found
          writeFileSync(join(sandbox, 'vitest.config.js'), 'export default {};');
          const args = ['run', '--root', sandbox, block.file ?? ''];
          const { status, stdout } = run(process.execPath, [VITEST, ...args]);
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
          for (const document of block.text.trim().split(/\n(?=\{)/)) JSON.parse(document);
          return;
        case 'console':
          if (process.env.UPDATE)
            rewrite(page, block, commandsOf(block.text), (command) => outputOf(command, run));
          for (const { command, output } of process.env.UPDATE ? [] : commandsOf(block.text))
            expect(`$ ${command}\n${outputOf(command, run)}`).toBe(`$ ${command}\n${output}`);
          return;
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
    });
});

/** `UPDATE=1 npx vitest run test/system/docs.test.ts` writes what the commands print now: look at the diff as a reader would. */
function rewrite(
  page: string,
  block: Block,
  commands: readonly { command: string }[],
  print: (command: string) => string,
): void {
  const path = join(ROOT, page);
  const text = commands.map(({ command }) => `$ ${command}\n${print(command)}\n`).join('');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(block.text, () => text),
  );
}

function commandsOf(text: string): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...lines] = part.split('\n');
      return { command, output: lines.join('\n').trim() };
    });
}

function outputOf(
  command: string,
  run: (command: string, args: readonly string[]) => { stdout: string; stderr: string },
): string {
  const real = command.replace(/\bnpx straightedge\b/g, `"${process.execPath}" "${MAIN}"`);
  expect(command).toMatch(/^(npx straightedge|cat|gzip|echo) /);
  const { stdout, stderr } = run('sh', ['-c', real]);
  return `${stdout}${stderr}`.trim();
}
