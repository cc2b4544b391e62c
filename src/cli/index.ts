/** The command line is run, not imported; but for what its configuration is written with. */
export { type Config, defineConfig } from './define-config.js';
