/** `straightedge.config.ts`: found upward from a folder, loaded, and looked at before anybody trusts it. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { show } from '../base/values/show.js';
import type { Config } from './define-config.js';
import { UsageError } from './usage-error.js';

const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `straightedge.config.${ending}`);

export interface LoadedConfig {
  /** For messages. */
  readonly file: string;
  /** What paths in it are relative to. */
  readonly folder: string;
  readonly config: Config;
}

export async function loadConfig(from: string): Promise<LoadedConfig | undefined> {
  const path = pathFrom(resolve(from));
  if (path === undefined) return undefined;
  const file = relative(process.cwd(), path);
  // what loads TypeScript takes long to load, and most have nothing to configure
  const { loadModule } = await import('./load-module.js');
  const config = await loadModule(file, 'configuration');
  checkConfig(file, config);
  return { file, folder: dirname(path), config };
}

function pathFrom(folder: string): string | undefined {
  const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined || dirname(folder) === folder) return found;
  return pathFrom(dirname(folder));
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTextByName = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);

/** Of each setting: what it has to be, and in words. What a text says is looked at by its flag. */
const SETTINGS: { readonly [S in keyof Config]-?: readonly [(value: unknown) => boolean, string] } = {
  spec: [(value) => isText(value) || isTextByName(value), "a text, or texts by object: { orders: 'queue' }"],
  timeout: [isText, "a text such as '60s'"],
  maxMemory: [isText, "a text such as '4gb'"],
  jobs: [isNumber, 'a number'],
  seed: [isNumber, 'a number'],
  reporter: [(value) => isText(value) || isTexts(value), "a text such as 'junit=report.xml', or several"],
  transform: [isTexts, "globs: ['src/**/*.ts']"],
};

function checkConfig(file: string, config: unknown): asserts config is Config {
  if (typeof config !== 'object' || config === null)
    throw new UsageError(
      `the default export of ${file} is no configuration; expected \`export default defineConfig({ timeout: '5m' })\` (docs/reference/config.md)`,
    );
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(SETTINGS, name))
      throw new UsageError(
        `${file}: there is no setting ${JSON.stringify(name)}; there are ${Object.keys(SETTINGS).join(', ')}`,
      );
    const [isRight, expected] = SETTINGS[name as keyof Config];
    if (value !== undefined && !isRight(value))
      throw new UsageError(`${file}: ${name} is ${show(value)}; expected ${expected}`);
  }
}
