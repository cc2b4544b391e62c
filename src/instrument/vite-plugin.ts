/**
 * A Vite plugin that instruments code, so that tests in vitest can explore it:
 *
 *     // vitest.config.ts
 *     export default defineConfig({ plugins: [instrument({ globs: ['src/**'] })] });
 *
 * It runs before all other plugins, so that positions are those of the source files. Packages that a glob reaches into are inlined,
 * because vitest leaves packages to Node otherwise.
 */
import { packageFile } from '../base/package-file.js';
import { rewriteAsCoroutines } from './coroutines/rewrite.js';
import { globPattern, packagesIn } from './load.js';

export interface InstrumentOptions {
  /** Globs of files to instrument, relative to the root of the project. */
  readonly globs: readonly string[];
}

/** The part of Vite's plugin interface that this plugin implements. */
export interface InstrumentPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): object;
  configResolved(config: { readonly root: string }): void;
  transform(code: string, id: string): { code: string; map: string } | undefined;
}

const RUNTIME = packageFile('#runtime');

/**
 * A Vite plugin that instruments the files that match the globs, for explorations in vitest.
 *
 * @example
 * const config = { plugins: [instrument({ globs: ['src/*.ts'] })] };
 */
export function instrument({ globs }: InstrumentOptions): InstrumentPlugin {
  let patterns: readonly RegExp[] = [];
  return {
    name: 'straightedge',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { inline: packagesIn(globs) } } } }),
    configResolved({ root }) {
      patterns = globs.map((glob) => globPattern(glob, root));
    },
    transform(code, id) {
      const file = id.replace(/[?#].*$/, '');
      if (!/\.[cm]?[jt]sx?$/.test(file) || !patterns.some((pattern) => pattern.test(file))) return undefined;
      const result = rewriteAsCoroutines(file, code, { runtime: RUNTIME });
      return { code: result.code, map: result.map.toString() };
    },
  };
}
