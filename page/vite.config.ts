/**
 * Builds the page of a report: one file without data, dist/report/html/page.html.
 *
 * Its policy allows the script and the style that are in it, identified by their hashes, and nothing else: no network, no
 * inline handlers, whatever a history may contain.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const OUT = fileURLToPath(new URL('../dist/report/html/', import.meta.url));
const CHARSET = '<meta charset="utf-8" />';

const hashes = (html: string, element: RegExp): string =>
  Array.from(
    html.matchAll(element),
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  ).join(' ');

function policyOf(html: string): string {
  const scripts = hashes(html, /<script type="module"[^>]*>([\s\S]*?)<\/script>/g);
  const styles = hashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
  return `default-src 'none'; script-src ${scripts}; style-src ${styles}; base-uri 'none'; form-action 'none'`;
}

/** Runs last, when everything is in one file. */
const policy: Plugin = {
  name: 'policy',
  closeBundle() {
    const html = readFileSync(`${OUT}index.html`, 'utf8');
    const tag = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}" />`;
    writeFileSync(
      `${OUT}page.html`,
      html.replace(CHARSET, () => `${CHARSET}\n    ${tag}`),
    );
    rmSync(`${OUT}index.html`);
  },
};

/** A browser has no module of Node: one in the page would leave it blank. */
const noNode: Plugin = {
  name: 'no-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.startsWith('node:')) throw new Error(`${importer} imports ${source}, which no browser has`);
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  plugins: [noNode, viteSingleFile({ removeViteModuleLoader: true }), policy],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: OUT,
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
  },
});
