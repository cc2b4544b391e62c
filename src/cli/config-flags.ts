/**
 * Settings of `straightedge.config.ts` as values of flags.
 *
 * A flag on the command line replaces the setting, also if the flag may be repeated.
 */
import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { LoadedConfig } from '../config/load-config.js';
import { readSetting, UsageError } from '../config/usage-error.js';

/** The parsers of flags whose errors do not name the flag: an error in a setting names the setting. */
const PARSERS = new WeakMap<object, (text: string, before: unknown) => unknown>();

/** Adds the name of the flag to the usage errors of its parser. */
export function nameFlags({ options }: CommandUnknownOpts): void {
  for (const option of options) {
    const { parseArg, long } = option;
    if (!parseArg) continue;
    PARSERS.set(option, parseArg);
    option.argParser((text: string, before: unknown) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${long}: ${error.message}`) : error;
      }
    });
  }
}

/** Gives each flag that was not typed the value that its setting has. */
export function setFlags(command: CommandUnknownOpts, loaded: LoadedConfig): void {
  const settings = toArguments(loaded);
  for (const option of command.options) {
    const name = option.attributeName();
    const given = Object.hasOwn(settings, name) ? settings[name] : [];
    if (given.length === 0 || command.getOptionValueSource(name) === 'cli') continue;
    const parse = PARSERS.get(option) ?? option.parseArg ?? ((text: string) => text);
    const value = readSetting(loaded.file, name, () =>
      given.reduce<unknown>((before, text) => parse(text, before), undefined),
    );
    command.setOptionValueWithSource(name, value, 'config');
  }
}

/** Converts each setting to the arguments of its flag. */
function toArguments({ config, folder }: LoadedConfig): Readonly<Record<string, readonly string[]>> {
  const { spec = {}, timeout = [], maxMemory = [], jobs = [], seed = [], reporter = [] } = config;
  return {
    spec: typeof spec === 'string' ? [resolveSpec(folder, spec)] : toPairs(folder, spec),
    timeout: [timeout].flat(),
    maxMemory: [maxMemory].flat(),
    jobs: [jobs].flat().map(String),
    seed: [seed].flat().map(String),
    reporter: [reporter].flat().map((text) => resolveReporter(folder, text)),
  };
}

function toPairs(folder: string, specs: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(specs).map(([object, spec]) => `${object}=${resolveSpec(folder, spec)}`);
  return pairs.length === 0 ? [] : [pairs.join()];
}

/** A path is relative to the configuration file; a name is the name of an object. */
const resolveSpec = (folder: string, spec: string): string =>
  /^\.{1,2}\//.test(spec) ? resolve(folder, spec) : spec;

/** The file of `junit=report.xml` is relative to the configuration file. */
const resolveReporter = (folder: string, reporter: string): string =>
  reporter.replace(/(?<==).+$/, (file) => resolve(folder, file));
