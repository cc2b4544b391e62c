/** `straightedge init`: a first scenario of a class, and a test of it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { expectFile, UsageError } from '../../config/usage-error.js';
import { expectNoHistory } from '../flags/files.js';

const EXAMPLES = `
Examples:
  straightedge init src/queue.ts
  straightedge init src/queues.ts --class Queue

The first writes src/queue.scenario.ts and src/queue.test.ts, if they are not there.

Exit code: 0 written, 2 bad input.`;

export function initCommand(): Command {
  return new Command('init')
    .description('writes a first scenario and a test for a class of yours')
    .argument('<file>', 'the source of the class')
    .option('--class <name>', 'which one, where the file exports several')
    .addHelpText('after', EXAMPLES)
    .action(init);
}

async function init(file: string, { class: wanted }: { class?: string }): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`no file at ${file}`);
  expectFile(file);
  expectNoHistory(file);
  // what parses takes long to load, and the other commands do without
  const { firstScenario } = await import('./first-scenario.js');
  const { scenario, test, isUnfinished, taken, others } = firstScenario(
    file,
    readFileSync(file, 'utf8'),
    wanted,
  );
  const name = file.replace(/\.[cm]?[jt]sx?$/, '');
  const ending = /\.[cm]?ts?x?$/.test(file) ? 'ts' : 'js';
  const written = [
    [`${name}.scenario.${ending}`, scenario],
    [`${name}.test.${ending}`, test],
  ] as const;
  for (const [path] of written)
    if (existsSync(path)) throw new UsageError(`${path} is there already, and is not overwritten`);
  for (const [path, text] of written) {
    writeFileSync(path, text);
    process.stdout.write(`wrote ${path}\n`);
  }
  if (others.length > 0)
    process.stdout.write(
      `for ${taken}, the first class of several; for another: --class ${others.join(' or --class ')}\n`,
    );
  const first = isUnfinished ? 'Fill in `create` first, and look' : 'Look';
  process.stdout.write(
    `${first} through the calls in ${written[0][0]}, then: npx straightedge explore ${written[0][0]}\n`,
  );
}
