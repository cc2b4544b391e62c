/**
 * A scenario by the path of its module, ready to be explored.
 *
 * Asynchronous code is explored as it is, and so is what real threads run, which load it by themselves. For other
 * threads the module is loaded once more, and it and what it imports are transformed: the first time shows which files it names. Asynchronous
 * code whose files are named is loaded once more too, so that it tells what it reads and writes.
 */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '../../config/load-config.js';
import { loadModule, OURSELVES } from '../../config/load-module.js';
import { UsageError } from '../../config/usage-error.js';
import { control } from '../../event-loop/control.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { type LoadOptions, loadInstrumented } from '../../instrument/load.js';
import { rewriteForTracing } from '../../instrument/tracing-rewrite/rewrite.js';

export async function loadScenario(path: string): Promise<Scenario> {
  // modules may keep what they find when they are loaded
  control();
  const given = scenarioIn(path, await loadModule(path, 'scenario'));
  const backend = backendNameOf(given);
  const file = resolve(path);
  if (backend === 'workers') return { ...given, module: file };
  const globs = await globsOf(given, dirname(file));
  if (backend === 'async' && globs.globs === undefined) return { ...given, backend };
  const module = loadInstrumented(file, {
    ...globs,
    modules: await ourselves(),
    ...(backend === 'async' ? { rewrite: rewriteForTracing } : {}),
  });
  return { ...scenarioIn(path, (module as { default?: unknown }).default), backend };
}

/** Which files are transformed: by the scenario, or by the configuration above it. */
async function globsOf({ transform }: Scenario, folder: string): Promise<LoadOptions> {
  const loaded = transform === undefined ? await loadConfig(folder) : undefined;
  const globs = loaded?.config.transform;
  return globs && loaded ? { globs, from: loaded.folder } : { globs: transform, from: folder };
}

/** A scenario as it is, to be really run. */
export async function loadPlainScenario(path: string): Promise<Scenario> {
  return scenarioIn(path, await loadModule(path, 'scenario'));
}

/** What a scenario imports of us is what runs. */
export async function ourselves(): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {};
  for (const [specifier, path] of Object.entries(OURSELVES))
    modules[specifier] = await import(pathToFileURL(path).href);
  return modules;
}

function scenarioIn(path: string, value: unknown): Scenario {
  const isScenario = typeof value === 'object' && value !== null && 'create' in value && 'calls' in value;
  if (isScenario) return value as Scenario;
  throw new UsageError(
    `the default export of ${path} is no scenario; expected \`export default scenario({ create, calls })\` (docs/guide/exploring.md)`,
  );
}
