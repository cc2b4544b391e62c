// Only the rules that need types; everything else is biome's.
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', '.bench', '.docs', '.site', '.npm-packages', 'corpus', 'test/system/package'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': 'error',
    },
  },
);
