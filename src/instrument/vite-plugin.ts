/**
 * A plugin of Vite's, so that tests in vitest explore transformed code:
 *
 *     // vitest.config.ts
 *     export default defineConfig({ plugins: [instrument({ globs: ['src/**'] })] });
 *
 * It comes before all others, so that places are those of the user's files. Packages that a glob
 * goes into are given to Vite too, which leaves packages to Node otherwise.
 */
import { ownFile } from '../base/package-file.js';
import { rewriteAsCoroutines } from './coroutines/rewrite.js';
import { globPattern, packagesIn } from './load.js';

export interface InstrumentOptions {
  /** Files to transform; relative globs to the root of the project. */
  readonly globs: readonly string[];
}

/** As much of a plugin as this one is. */
export interface InstrumentPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): object;
  configResolved(config: { readonly root: string }): void;
  transform(code: string, id: string): { code: string; map: string } | undefined;
}

const RUNTIME = ownFile('#runtime');

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
