/**
 * Builds a page as one file without data: a report, dist/report/html/page.html, or with `--mode playground` the
 * playground, dist/report/html/playground.html.
 *
 * The policy of a page allows the script and the style that are in it, identified by their hashes, and nothing else: no
 * network, no inline handlers, whatever a history may contain. The playground also runs modules of its user, in a thread
 * that has the same policy.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

function policyOf(html: string, isPlayground: boolean): string {
  const scripts = hashes(html, /<script type="module"[^>]*>([\s\S]*?)<\/script>/g);
  const styles = hashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
  const always = `default-src 'none'; base-uri 'none'; form-action 'none'`;
  // the editor adds styles that carry this nonce; browsers style what is typed over coloured text
  return isPlayground
    ? `${always}; script-src ${scripts} blob:; worker-src blob:; style-src ${styles} 'nonce-straightedge'; style-src-attr 'unsafe-inline'; img-src data:; connect-src 'none'`
    : `${always}; script-src ${scripts}; style-src ${styles}`;
}

/** Runs last, when everything is in one file. */
const policy = (isPlayground: boolean): Plugin => ({
  name: 'policy',
  closeBundle() {
    // a build that failed says so itself
    if (!existsSync(`${OUT}index.html`)) return;
    const html = readFileSync(`${OUT}index.html`, 'utf8');
    const tag = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html, isPlayground)}" />`;
    writeFileSync(
      `${OUT}${isPlayground ? 'playground' : 'page'}.html`,
      html.replace(CHARSET, () => `${CHARSET}\n    ${tag}`),
    );
    rmSync(`${OUT}index.html`);
  },
});

/** A browser has no module of Node: one in the page would leave it blank. */
const noNode: Plugin = {
  name: 'no-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.startsWith('node:')) throw new Error(`${importer} imports ${source}, which no browser has`);
  },
};

/** In the thread of the playground: leaves out the helpers of a search, which are threads of Node. It asks for none. */
const withoutHelpers: Plugin = {
  name: 'without-helpers',
  enforce: 'pre',
  load: (id) => (id.endsWith('/decide/search-helpers.ts') ? 'export const SearchHelpers = undefined;' : null),
};

export default defineConfig(({ mode }) => {
  const isPlayground = mode === 'playground';
  return {
    root: fileURLToPath(new URL(isPlayground ? './playground/' : '.', import.meta.url)),
    mode: 'production',
    logLevel: 'error',
    plugins: [noNode, viteSingleFile({ removeViteModuleLoader: true }), policy(isPlayground)],
    worker: { plugins: () => [noNode, withoutHelpers] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
    },
  };
});
