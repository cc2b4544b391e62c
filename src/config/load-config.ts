/**
 * `straightedge.config.ts`: found, loaded and validated.
 *
 * A configuration is code. So the search ends at the repository root: a file above it belongs to another user or project.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { closestName } from '../base/errors.js';
import { show } from '../base/values/show.js';
import { loadModuleSync } from './load-module.js';
import { UsageError } from './usage-error.js';

/** The settings of `straightedge.config.ts`: defaults for flags and for options of tests. */
export interface Config {
  /** `--spec`: an object name, the path of a spec module, or one of these for each object. */
  readonly spec?: string | Readonly<Record<string, string>>;
  /** `--timeout`, the time limit: `500ms`, `60s`, `5m`. */
  readonly timeout?: string;
  /** `--max-memory`, the memory limit: `512mb`, `4gb`. */
  readonly maxMemory?: string;
  /** `--max-steps` of `explore`: the number of steps after which a run is abandoned. */
  readonly maxSteps?: number;
  /** `--jobs`, the number of worker threads. */
  readonly jobs?: number;
  /** `--seed` for random choices. */
  readonly seed?: number;
  /** `--reporter`: `junit=report.xml`, or several. */
  readonly reporter?: string | readonly string[];
  /** Globs of the files to instrument, for scenarios without `instrument`. */
  readonly instrument?: readonly string[];
}

/**
 * Returns its argument; gives editors the type of a configuration.
 *
 * @example
 * const config = defineConfig({ timeout: '5m', reporter: ['default', 'junit=report.xml'] });
 */
export const defineConfig = (config: Config): Config => config;

const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `straightedge.config.${ending}`);

export interface LoadedConfig {
  /** The path for messages. */
  readonly file: string;
  /** Paths in the configuration are relative to this folder. */
  readonly folder: string;
  readonly config: Config;
}

/** Returns undefined if no folder from `from` up to the repository root has a configuration. */
export function loadConfig(from: string): LoadedConfig | undefined {
  const path = findConfig(resolve(from));
  if (path === undefined) return undefined;
  const file = relative(process.cwd(), path);
  const config = loadModuleSync(file, 'configuration', { straightedge: { defineConfig } });
  checkConfig(file, config);
  return { file, folder: dirname(path), config };
}

function findConfig(from: string): string | undefined {
  return searchedFolders(from)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** `from` and the folders above it up to the one with `.git`. Outside of a repository, up to the working folder if that is above. */
function searchedFolders(from: string): string[] {
  const folders = [from];
  for (let above = dirname(from); above !== folders.at(-1); above = dirname(above)) folders.push(above);
  const root = folders.findIndex((folder) => existsSync(join(folder, '.git')));
  const last = root >= 0 ? root : Math.max(0, folders.indexOf(process.cwd()));
  return folders.slice(0, last + 1);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTextByName = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);

/** The type of each setting, as a predicate and in words. The parser of its flag validates a text further. */
const SETTINGS: { readonly [S in keyof Config]-?: readonly [(value: unknown) => boolean, string] } = {
  spec: [(value) => isText(value) || isTextByName(value), "a text, or texts by object: { orders: 'queue' }"],
  timeout: [isText, "a text such as '60s'"],
  maxMemory: [isText, "a text such as '4gb'"],
  maxSteps: [isNumber, 'a number'],
  jobs: [isNumber, 'a number'],
  seed: [isNumber, 'a number'],
  reporter: [(value) => isText(value) || isTexts(value), "a text such as 'junit=report.xml', or several"],
  instrument: [isTexts, "globs: ['src/**/*.ts']"],
};

function checkConfig(file: string, config: unknown): asserts config is Config {
  if (typeof config !== 'object' || config === null)
    throw new UsageError(
      `the default export of ${file} is not a configuration; expected \`export default defineConfig({ timeout: '5m' })\` (node_modules/straightedge/docs/reference/config.md)`,
    );
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(SETTINGS, name))
      throw new UsageError(`${file}: unknown setting ${JSON.stringify(name)}; ${suggest(name)}`);
    const [isValid, expected] = SETTINGS[name as keyof Config];
    if (value !== undefined && !isValid(value))
      throw new UsageError(`${file}: ${name} is ${show(value)}; expected ${expected}`);
  }
}

function suggest(name: string): string {
  const names = Object.keys(SETTINGS);
  const near = closestName(name, names);
  return near === undefined ? `expected ${names.join(', ')}` : `did you mean ${near}?`;
}
