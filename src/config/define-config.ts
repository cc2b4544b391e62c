/** The settings of `straightedge.config.ts`: defaults for flags and for options of tests. */
export interface Config {
  /** `--spec`: an object name, the path of a spec module, or one of these for each object. */
  readonly spec?: string | Readonly<Record<string, string>>;
  /** `--timeout`, the time limit: `500ms`, `60s`, `5m`. */
  readonly timeout?: string;
  /** `--max-memory`, the memory limit: `512mb`, `4gb`. */
  readonly maxMemory?: string;
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
