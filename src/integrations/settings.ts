/**
 * What `straightedge.config.ts` says of tests, found from where they are run. What a test says itself goes first.
 *
 * A bare matcher takes two seconds at most, whatever the configuration says: the time-out of the test would come first.
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

const BARE = 2_000;
const LONG = 30_000;

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

/** Of all tests of a file: read once. */
export function ownSettings(): Promise<Settings> {
  settings ??= settingsFrom(process.cwd());
  return settings;
}

/** Of a matcher. */
export const bareEffort = (settings: Settings, options: HoldOptions = {}): ResolvedOptions =>
  effortOf(settings, options, Math.min(settings.timeout ?? BARE, BARE));

/** Of a test with a time-out of its own. */
export const longEffort = (settings: Settings, options: HoldOptions): ResolvedOptions =>
  effortOf(settings, options, settings.timeout ?? LONG);

function effortOf(settings: Settings, options: HoldOptions, otherwise: number): ResolvedOptions {
  const { timeout = otherwise, seed = settings.seed ?? 1, coverage } = options;
  return { milliseconds: typeof timeout === 'number' ? timeout : parseTime(timeout), seed, coverage };
}

/** Of a check. */
export function limitsWith({ timeout, maxMemory }: Settings, limits: Limits = {}): Limits {
  return { timeout: timeout, maxMemory: maxMemory, ...limits };
}
