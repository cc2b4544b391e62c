/**
 * The settings of `straightedge.config.ts` for tests. Options of a test replace them.
 *
 * The configuration cannot give a matcher more than two seconds: the runner's own time limit would end the test first.
 */
import type { Limits } from '../check/model/budget.js';
import { loadConfig } from '../config/load-config.js';
import { parseSize, parseTime, readSetting } from '../config/usage-error.js';
import type { HoldOptions, ResolvedOptions } from './run-scenario.js';

export interface Settings {
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxMemory?: number | undefined;
}

/** Default time limits in milliseconds. */
const MATCHER_TIMEOUT = 2_000;
const TEST_TIMEOUT = 30_000;

export async function settingsFrom(folder: string): Promise<Settings> {
  const loaded = await loadConfig(folder);
  if (loaded === undefined) return {};
  const { file, config } = loaded;
  const { timeout, maxMemory, seed } = config;
  return {
    timeout: timeout === undefined ? undefined : readSetting(file, 'timeout', () => parseTime(timeout)),
    maxMemory:
      maxMemory === undefined ? undefined : readSetting(file, 'maxMemory', () => parseSize(maxMemory)),
    seed,
  };
}

let settings: Promise<Settings> | undefined;

/** The settings for the current folder; read once. */
export function ownSettings(): Promise<Settings> {
  settings ??= settingsFrom(process.cwd());
  return settings;
}

/** The options of a matcher. */
export const matcherOptions = (settings: Settings, options: HoldOptions = {}): ResolvedOptions =>
  resolveOptions(settings, options, Math.min(settings.timeout ?? MATCHER_TIMEOUT, MATCHER_TIMEOUT));

/** The options of a test with a time limit of its own. */
export const testOptions = (settings: Settings, options: HoldOptions): ResolvedOptions =>
  resolveOptions(settings, options, settings.timeout ?? TEST_TIMEOUT);

function resolveOptions(settings: Settings, options: HoldOptions, defaultTimeout: number): ResolvedOptions {
  const { timeout = defaultTimeout, seed = settings.seed ?? 1, coverage } = options;
  return { timeout: typeof timeout === 'number' ? timeout : parseTime(timeout), seed, coverage };
}

/** The limits of a check. */
export function limitsWith({ timeout, maxMemory }: Settings, limits: Limits = {}): Limits {
  return { timeout, maxMemory, ...limits };
}
