/**
 * Loads a scenario by the path of its module, ready to be explored.
 *
 * Real threads load the module themselves, and asynchronous code runs as it is. For coroutines the module is loaded a second
 * time, instrumented with what it imports: the first time shows which files the scenario names. Asynchronous code whose
 * files are named, or whose root cause is asked for, is loaded a second time too, so that it records what it reads and writes.
 */
import { dirname, resolve } from 'node:path';
import { loadConfig } from '../../config/load-config.js';
import { loadModule, ourselves } from '../../config/load-module.js';
import { UsageError } from '../../config/usage-error.js';
import { control } from '../../event-loop/control.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { rewriteAsCoroutines } from '../../instrument/coroutines/rewrite.js';
import { type LoadOptions, loadInstrumented, plainLoader } from '../../instrument/load.js';
import type { RewrittenFile } from '../../instrument/syntax/source.js';
import { rewriteForTracing } from '../../instrument/tracing-rewrite/rewrite.js';

/** `hasConfig`: may a configuration name the files to instrument? `isExplained`: is the root cause of a failure asked for? */
export async function loadScenario(path: string, hasConfig: boolean, isExplained = false): Promise<Scenario> {
  // modules may keep references to globals when they are loaded
  control();
  const given = scenarioIn(path, await loadModule(path, 'scenario'));
  const backend = backendNameOf(given);
  const file = resolve(path);
  if (backend === 'threads') return { ...given, module: file };
  const globs = globsOf(given, dirname(file), hasConfig);
  const again = plainLoader([file], { modules: await ourselves() });
  const plain = {
    loaded: given,
    load: () => scenarioIn(path, (again()[0] as { default?: unknown }).default),
  };
  if (backend === 'async' && globs.globs === undefined && !isExplained) return { ...given, backend, plain };
  const module = loadInstrumented(file, {
    ...globs,
    modules: await ourselves(),
    ...(backend === 'async' ? { rewrite: rewriteForTracing } : {}),
  });
  return { ...scenarioIn(path, (module as { default?: unknown }).default), backend, plain };
}

/** Loads a scenario again and again, with other texts of some files; `files` are those that it has loaded. */
export interface Reloading {
  load(overlay: ReadonlyMap<string, string>): Scenario;
  readonly files: readonly string[];
}

/**
 * Prepares to load a scenario with other texts of its files. Asynchronous code is traced, whether or not the scenario names
 * its files. Undefined for real threads, which load files by path.
 */
export async function reloadingScenario(path: string, hasConfig: boolean): Promise<Reloading | undefined> {
  control();
  const given = scenarioIn(path, await loadModule(path, 'scenario'));
  const backend = backendNameOf(given);
  if (backend === 'threads') return undefined;
  const file = resolve(path);
  const globs = globsOf(given, dirname(file), hasConfig);
  const modules = await ourselves();
  const files = new Set<string>();
  const rewrite = (name: string, text: string): RewrittenFile => {
    files.add(name);
    return backend === 'async' ? rewriteForTracing(name, text) : rewriteAsCoroutines(name, text);
  };
  const load = (overlay: ReadonlyMap<string, string>): Scenario => {
    const module = loadInstrumented(file, { ...globs, modules, overlay, rewrite });
    return { ...scenarioIn(path, (module as { default?: unknown }).default), backend };
  };
  load(new Map());
  return { load, files: [...files] };
}

/** The files to instrument, as the scenario or the nearest configuration says. */
function globsOf({ instrument }: Scenario, folder: string, hasConfig: boolean): LoadOptions {
  const loaded = instrument === undefined && hasConfig ? loadConfig(folder) : undefined;
  const globs = loaded?.config.instrument;
  return globs && loaded ? { globs, from: loaded.folder } : { globs: instrument, from: folder };
}

/** A scenario without instrumentation, to run with real concurrency. */
export async function loadPlainScenario(path: string): Promise<Scenario> {
  return scenarioIn(path, await loadModule(path, 'scenario'));
}

const COMPLETE = ['create', 'calls', 'before', 'after', 'threads', 'callsPerThread'];

function scenarioIn(path: string, value: unknown): Scenario {
  // `scenario` adds the fields that are not given
  const isComplete =
    typeof value === 'object' && value !== null && COMPLETE.every((field) => Object.hasOwn(value, field));
  if (isComplete) return value as Scenario;
  throw new UsageError(
    `the default export of ${path} is not a scenario; expected \`export default scenario({ create, calls })\` (node_modules/straightedge/docs/guide/exploring.md)`,
  );
}
