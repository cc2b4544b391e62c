/** Prints the last lines of a test run: counts for each project, and the reasons of skipped tests. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { missing } from './processes/requirements.js';

type State = 'passed' | 'failed' | 'skipped';

export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, Record<State | 'files', number>>();
    const skipped = new Map<string, number>();
    for (const module of modules) {
      const name = module.project.name;
      const count = counts.get(name) ?? { files: 0, passed: 0, failed: 0, skipped: 0 };
      counts.set(name, count);
      count.files++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state]++;
        if (state === 'skipped') skipped.set(module.moduleId, (skipped.get(module.moduleId) ?? 0) + 1);
      }
    }
    const lines = Array.from(
      counts,
      ([name, { files, passed, failed, skipped }]) =>
        `  ${name.padEnd(14)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${files} files`,
    );
    if (skipped.size > 0) {
      const files = Array.from(skipped, ([file, count]) => `    ${count} in ${relative('.', file)}`);
      const programs = missing().map((line) => `    ${line}`);
      lines.push('', '  NOT TESTED: not everything ran on this machine', ...files, ...programs);
    }
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }
}
