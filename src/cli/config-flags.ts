/**
 * The configuration as flags: each command gets those that it has, as if they had been typed first. One that is really typed
 * goes first, also where it may be given several times.
 */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { LoadedConfig } from '../config/load-config.js';
import { readSetting, UsageError } from '../config/usage-error.js';

/* What is wrong with a flag's text is told with the name of the flag. */

export function nameFlags({ options }: Command): void {
  for (const option of options) {
    const { parseArg, long } = option;
    if (!parseArg) continue;
    option.argParser((text, before) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${long}: ${error.message}`) : error;
      }
    });
  }
}

export function setFlags(command: Command, loaded: LoadedConfig): void {
  const texts = textsOf(loaded);
  for (const option of command.options) {
    const name = option.attributeName();
    const given = Object.hasOwn(texts, name) ? texts[name] : [];
    if (given.length === 0) continue;
    const { parseArg = (text: string) => text } = option;
    const value = readSetting(loaded.file, name, () =>
      given.reduce<unknown>((before, text) => parseArg(text, before), undefined),
    );
    command.setOptionValueWithSource(name, value, 'config');
    option.argParser((text, before) => parseArg(text, before === value ? undefined : before));
  }
}

/** Of each flag what would be typed. */
function textsOf({ config, folder }: LoadedConfig): Readonly<Record<string, readonly string[]>> {
  const { spec = {}, timeout = [], maxMemory = [], jobs = [], seed = [], reporter = [] } = config;
  const specs = typeof spec === 'string' ? [specFrom(folder, spec)] : pairs(folder, spec);
  return {
    spec: specs,
    timeout: [timeout].flat(),
    maxMemory: [maxMemory].flat(),
    jobs: [jobs].flat().map(String),
    seed: [seed].flat().map(String),
    reporter: [reporter].flat().map((text) => reporterFrom(folder, text)),
  };
}

function pairs(folder: string, specs: Readonly<Record<string, string>>): string[] {
  const all = Object.entries(specs).map(([object, spec]) => `${object}=${specFrom(folder, spec)}`);
  return all.length === 0 ? [] : [all.join()];
}

/** A path is relative to the configuration; a name is of a ready-made object. */
const specFrom = (folder: string, spec: string): string =>
  /^\.{1,2}\//.test(spec) ? resolve(folder, spec) : spec;

/** `junit=report.xml` likewise. */
const reporterFrom = (folder: string, reporter: string): string =>
  reporter.replace(/(?<==).+$/, (file) => resolve(folder, file));
