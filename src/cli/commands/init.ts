/** `straightedge init`: a first scenario of a class or factory, and a test of it. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { expectWholeFile, UsageError } from '../../config/usage-error.js';
import { expectNoHistory } from '../common/files.js';
import type { Terminal } from '../common/terminal.js';
import type { ReadImport } from './exported-objects.js';
import { firstScenario, type Runner, runnerIn } from './first-scenario.js';

const DETAILS = `
Examples:
  npx straightedge init src/queue.ts              writes src/queue.scenario.ts and src/queue.test.ts
  npx straightedge init src/queues.ts --class Queue

Existing files are not overwritten.

Exit codes: 0 written, 2 invalid input, 70 unexpected error`;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'source file of the class or factory')
    .option('--class <name>', 'use this class or factory (default: the first that is exported)')
    .addHelpText('after', DETAILS)
    .action((file, flags) => init(file, flags.class, terminal));
}

function init(file: string, className: string | undefined, { stdout }: Terminal): void {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  expectWholeFile(file);
  expectNoHistory(file);
  const runner = runnerOf(dirname(resolve(file)));
  const first = firstScenario(file, readFileSync(file, 'utf8'), { className, runner, read: readImport });
  const name = file.replace(/\.[cm]?[jt]sx?$/, '');
  const ending = /\.[cm]?ts?x?$/.test(file) ? 'ts' : 'js';
  const scenarioFile = `${name}.scenario.${ending}`;
  const files = [
    [scenarioFile, first.scenario],
    [`${name}.test.${ending}`, first.test],
  ] as const;
  for (const [path] of files)
    if (existsSync(path)) throw new UsageError(`${path} exists and is not overwritten; delete it first`);
  for (const [path, text] of files) {
    writeFileSync(path, text);
    stdout.write(`wrote ${path}\n`);
  }
  if (first.otherClasses.length > 0)
    stdout.write(
      `for ${first.className}, the first in the file; for another one: --class ${first.otherClasses.join(' or --class ')}\n`,
    );
  const task = first.isUnfinished ? 'Fill in the arguments and check' : 'Check';
  stdout.write(`${task} the calls in ${scenarioFile}, then run: npx straightedge explore ${scenarioFile}\n`);
}

/** A file that another one imports by a relative path: a source file may stand for the compiled one. */
const readImport: ReadImport = (from, specifier) => {
  const path = join(dirname(from), specifier);
  const name = path.replace(/\.[cm]?jsx?$/, '');
  const paths = [path, ...['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs'].map((ending) => name + ending)];
  const file = paths.find((one) => existsSync(one) && statSync(one).isFile());
  return file === undefined ? undefined : { file, text: readFileSync(file, 'utf8') };
};

/** The test runner that the nearest package.json names. */
function runnerOf(folder: string): Runner {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return dirname(folder) === folder ? runnerIn('{}') : runnerOf(dirname(folder));
  try {
    return runnerIn(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(`${path} is not valid JSON; expected the manifest of the project`);
  }
}
