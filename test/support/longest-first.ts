/**
 * The order of test files: the longest of a group first, so that all cores finish together. Without it, Vitest goes by the names of
 * projects and, in a fresh checkout, by the sizes of files.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds of a processor or more, the longest first. */
const LONGEST: readonly string[] = [
  'test/system/package.test.ts',
  'test/system/redis/workers.test.ts',
  'test/system/docs.test.ts',
  'test/system/redis/trust.test.ts',
  'test/system/site.test.ts',
  'test/system/cli/explore-files.test.ts',
  'test/system/cli/explore.test.ts',
  'test/system/page/page.test.ts',
  'test/system/cli/patches.test.ts',
  'test/system/cli/faults.test.ts',
  'test/system/redis/failures.test.ts',
  'test/system/cli/cli.test.ts',
  'test/system/synchronisation.test.ts',
  'test/system/cli/explain.test.ts',
  'test/system/cli/output.test.ts',
  'test/system/page/explored.test.ts',
  'test/system/servers.test.ts',
  'test/system/cli/limits.test.ts',
  'test/system/threads/real-threads.test.ts',
  'test/system/cli/convert.test.ts',
  'test/system/cli/monitor.test.ts',
  'test/system/threads/stress-together.test.ts',
  'src/root-cause/patches/patches.test.ts',
  'test/agreement/instrument/constructs.test.ts',
  'src/root-cause/patches/random-classes.test.ts',
  'src/explore/prove/prove.test.ts',
  'test/agreement/instrument/fidelity.test.ts',
  'src/explore/prove/ambient.test.ts',
  'src/root-cause/explain.test.ts',
  'test/agreement/explore/event-loop.test.ts',
  'test/agreement/instrument/audit.test.ts',
  'test/agreement/explore/async-states.test.ts',
  'test/agreement/explore/lowe.test.ts',
  'test/agreement/explore/engines.test.ts',
  'test/agreement/explore/root-cause.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at < 0 ? LONGEST.length : at;
    };
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // the order of equal ones stays
    return (await super.sort(files)).sort((a, b) => groupOf(a) - groupOf(b) || place(a) - place(b));
  }
}
