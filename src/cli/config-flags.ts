/**
 * Settings of `straightedge.config.ts` as values of flags.
 *
 * A flag on the command line replaces the setting, also if the flag may be repeated.
 */
import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { LoadedConfig } from '../config/load-config.js';
import { readSetting, UsageError } from '../config/usage-error.js';

/** Adds the name of the flag to the usage errors of its parser. */
export function nameFlags({ options }: CommandUnknownOpts): void {
  for (const option of options) {
    const { parseArg, long } = option;
    if (!parseArg) continue;
    option.argParser((text: string, before: unknown) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${long}: ${error.message}`) : error;
      }
    });
  }
}

/** Gives each flag of the command the value that its setting has. */
export function setFlags(command: CommandUnknownOpts, loaded: LoadedConfig): void {
  const settings = toArguments(loaded);
  for (const option of command.options) {
    const name = option.attributeName();
    const given = Object.hasOwn(settings, name) ? settings[name] : [];
    if (given.length === 0) continue;
    const { parseArg = (text: string) => text } = option;
    const value = readSetting(loaded.file, name, () =>
      given.reduce<unknown>((before, text) => parseArg(text, before), undefined),
    );
    command.setOptionValueWithSource(name, value, 'config');
    option.argParser((text: string, before: unknown) =>
      parseArg(text, before === value ? undefined : before),
    );
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
