/** What users say once for commands and tests: `straightedge.config.ts`, and how their modules are loaded. */
export { type Config, defineConfig } from './define-config.js';
export { expectFile } from './expect-file.js';
export { type LoadedConfig, loadConfig } from './load-config.js';
export { loadModule, OURSELVES } from './load-module.js';
export { parseSize, parseTime } from './quantities.js';
export { readSetting } from './read-setting.js';
export { UsageError } from './usage-error.js';
