/** What `straightedge.config.ts` may say: what flags are unless the command line says otherwise, and what tests do that do not say. */
export interface Config {
  /** `--spec`: a ready-made object, the path of a spec, or one of these for each object. */
  readonly spec?: string | Readonly<Record<string, string>>;
  /** `--timeout`: `500ms`, `60s`, `5m`. */
  readonly timeout?: string;
  /** `--max-memory`: `512mb`, `4gb`. */
  readonly maxMemory?: string;
  /** `--jobs`: how many threads. */
  readonly jobs?: number;
  /** `--seed`: which tests, or which calls, are chosen. */
  readonly seed?: number;
  /** `--reporter`: `junit=report.xml`, or several. */
  readonly reporter?: string | readonly string[];
  /** `transform` of scenarios that do not say themselves: globs of the files whose accesses are seen. */
  readonly transform?: readonly string[];
}

/** For its type. */
export const defineConfig = (config: Config): Config => config;
