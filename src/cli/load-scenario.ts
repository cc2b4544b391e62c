/**
 * A scenario by the path of its module, ready to be explored: it and what it imports are transformed.
 *
 * It is loaded twice: as it is, to see which files it names, and then with these transformed.
 */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadTransformed, type Scenario } from '../explore/index.js';
import { loadModule, OURSELVES } from './load-module.js';
import { UsageError } from './usage-error.js';

/** `onFile` is told each file that it is loaded from, but for packages. */
export async function loadScenario(path: string, onFile?: (file: string) => void): Promise<Scenario> {
  const { transform } = scenarioIn(path, await loadModule(path, 'scenario'));
  const file = resolve(path);
  const module = loadTransformed(file, {
    globs: transform,
    from: dirname(file),
    modules: await ourselves(),
    onFile,
  });
  return scenarioIn(path, (module as { default?: unknown }).default);
}

/** What a scenario imports of us is what runs. */
async function ourselves(): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {};
  for (const [specifier, path] of Object.entries(OURSELVES))
    modules[specifier] = await import(pathToFileURL(path).href);
  return modules;
}

function scenarioIn(path: string, value: unknown): Scenario {
  const isScenario = typeof value === 'object' && value !== null && 'create' in value && 'calls' in value;
  if (isScenario) return value as Scenario;
  throw new UsageError(
    `the default export of ${path} is no scenario; expected \`export default scenario({ create, calls })\` (docs/exploring.md)`,
  );
}
