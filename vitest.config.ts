import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: process.env.AGREE === 'all' ? 3_600_000 : 120_000,
  },
});
export default config;
