/**
 * Five kinds of tests. `unit` needs neither a build nor a service; `unit:slow` has the unit tests that take long. `agreement`
 * compares with oracles and brute force. `system` runs what was built. `papers` reproduces published results, and
 * `packages` installs what was packed in fresh projects; both run at night.
 *
 * The files of `unit` and of `agreement` share their modules, which halves their cost. Tests that replace globals, or whose
 * modules keep what an earlier test left, are in `unit:isolated` and `agreement:isolated`.
 *
 * `AGREE=all` runs every seed; otherwise a share of them.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { Summary } from './test/support/summary.js';

/** Unit tests that search or decide by brute force for long. */
const SLOW = [
  'src/explore/prove/**/*.test.ts',
  'src/instrument/coroutines/rewrite.test.ts',
  'src/kits/**/*.test.ts',
  'src/report/common/choose-operations.test.ts',
  'src/root-cause/explain.test.ts',
  'src/root-cause/patches/**/*.test.ts',
];

/** Unit tests that need modules of their own. */
const ISOLATED = [
  'src/event-loop/**/*.test.ts',
  'src/explore/async/**/*.test.ts',
  'src/explore/learning/learned-results.test.ts',
  'src/explore/line-up.test.ts',
  'src/instrument/coroutines/problems.test.ts',
  'src/integrations/**/*.test.ts',
  'src/stress/**/*.test.ts',
];

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What unit tests have in common. Names of this package lead to source files, so that nothing has to be built. */
const UNIT = {
  extends: true,
  resolve: {
    alias: [
      {
        find: /^(\.\/|(\.\.\/)+base\/)package-file\.js$/,
        replacement: fileAt('test/support/fixtures/package-file.ts'),
      },
    ],
  },
} as const;

const config: ViteUserConfig = defineConfig({
  test: {
    testTimeout: process.env.AGREE === 'all' ? 3_600_000 : 120_000,
    reporters: ['default', new Summary()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...UNIT,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: [...ISOLATED, ...SLOW],
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...UNIT,
        test: {
          name: 'unit:isolated',
          include: ISOLATED,
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...UNIT,
        test: {
          name: 'unit:slow',
          include: SLOW,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...UNIT,
        test: {
          name: 'agreement',
          include: ['test/agreement/check/**/*.test.ts'],
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'agreement:isolated',
          include: ['test/agreement/{explore,instrument}/**/*.test.ts'],
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          maxWorkers: '100%',
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['test/packages/*.test.ts'],
          testTimeout: 3_600_000,
          maxConcurrency: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: { name: 'papers', include: ['papers/**/*.test.ts'], sequence: { groupOrder: 2 } },
      },
    ],
  },
});
export default config;
