/**
 * The documentation site: it builds, every link is valid, and in a browser it opens, searches and loads nothing
 * from other hosts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, open, seriousProblems } from '../support/processes/browser.js';
import { isMissing } from '../support/processes/requirements.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = join(ROOT, '.site/pages');
/** The first lines of a page of source files (docs/.vitepress/pages.ts). */
const UNSEARCHED = '---\nsearch: false\n---\n';
const DIST = join(ROOT, '.site/dist');
/** In milliseconds. */
const BUILDING = 300_000;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
};

/** Files below a folder with this ending, with `/`. */
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending));

/** The file that a static host sends for a path. */
const fileOf = (pathname: string): string => decodeURIComponent(pathname).replace(/\/$/, '/index.html');

let server: Server;
let site = '';
/** HTML by path: `/guide/tutorial.html`. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'docs'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: undefined, NO_COLOR: '1' },
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  for (const path of filesIn(DIST, '.html')) pages.set(`/${path}`, readFileSync(join(DIST, path), 'utf8'));
  pages.delete('/404.html');
  pages.delete('/playground.html');
  server = createServer(({ url = '/' }, response) => {
    const file = join(DIST, fileOf(new URL(url, 'http://localhost').pathname));
    const isThere = existsSync(file);
    response.writeHead(isThere ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(isThere ? readFileSync(file) : '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}, BUILDING);
afterAll(() => server.close());

const decoded = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
/** The values of an attribute of all elements. */
const valuesOf = (html: string, attribute: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<[a-z][^>]*? ${attribute}="([^"]*)"`, 'g')), ([, value]) =>
    decoded(value),
  );
const isExternal = (link: string): boolean => /^(https?:|mailto:)/.test(link);

/** The addresses that a page links to or shows, on this host. */
const linksOf = (path: string): URL[] => {
  const html = pages.get(path) ?? '';
  return [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]
    .filter((link) => !isExternal(link) && !link.startsWith('data:'))
    .map((link) => new URL(link, new URL(path, site)));
};

test('every internal link leads to a page or file of the site, and to a heading that it has', () => {
  const idsOf = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf(html, 'id'))]));
  const broken = new Set<string>();
  let followed = 0;
  for (const path of pages.keys())
    for (const { pathname, hash } of linksOf(path)) {
      followed++;
      const file = fileOf(pathname);
      const ids = hash === '' ? undefined : idsOf.get(file);
      const leads = ids
        ? ids.has(decodeURIComponent(hash.slice(1)))
        : extname(file) !== '' && existsSync(join(DIST, file));
      if (!leads) broken.add(`${path}: ${pathname}${hash}`);
    }
  expect([...broken].slice(0, 20)).toEqual([]);
  expect(followed).toBeGreaterThan(1000);
});

test('the API reference links each kit to its page of the guide', () => {
  const html = pages.get('/reference/api/straightedge/kits.html') ?? '';
  const linked = Array.from(
    html.matchAll(/kits\/([\w-]+)\.html"[^>]*><code>docs\/guide/g),
    ([, page]) => page,
  );
  const folder = readdirSync(join(ROOT, 'docs/guide/kits')).map((name) => name.replace('.md', ''));
  expect([...new Set(linked)].sort()).toEqual(folder.sort());
});

test('every page of docs/ and of the API is there, and links lead from the first page to every page', () => {
  const folders = [
    ['docs', '/'],
    ['.site/api', '/reference/api/'],
  ];
  const expected = folders.flatMap(([folder, place]) =>
    filesIn(join(ROOT, folder), '.md').map((path) => place + path.replace(/md$/, 'html')),
  );
  expect(expected.filter((path) => !pages.has(path))).toEqual([]);
  const reached = new Set(['/index.html']);
  for (const path of reached) for (const { pathname } of linksOf(path)) reached.add(fileOf(pathname));
  expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([]);
});

/** The page of the survey leads to these pages. */
const DEFECTS = 'papers/npm-packages/defects/';

test('the sidebar has every page that shows no source file', () => {
  const html = pages.get('/index.html') ?? '';
  const from = html.indexOf('id="VPSidebarNav"');
  const listed = new Set(valuesOf(html.slice(from, html.indexOf('</nav>', from)), 'href').map(fileOf));
  const missing = filesIn(PAGES, '.md')
    .filter((path) => !readFileSync(join(PAGES, path), 'utf8').startsWith(UNSEARCHED))
    .filter((path) => !path.startsWith(DEFECTS))
    .map((path) => `/${path.replace(/md$/, 'html')}`)
    .filter((path) => path !== '/index.html' && !listed.has(path));
  expect(missing, 'list it in docs/index.md').toEqual([]);
  expect(listed.size).toBeGreaterThan(40);
});

test('no page loads anything from another host', () => {
  const loaded = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/<(?:link|script|img|iframe)\b[^>]*>/g)]
      .flatMap(([tag]) => [...valuesOf(tag, 'href'), ...valuesOf(tag, 'src')])
      .filter((link) => isExternal(link) || link.startsWith('//'))
      .map((link) => `${path}: ${link}`),
  );
  expect(loaded).toEqual([]);
});

describe.skipIf(isMissing('chromium'))('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** Searches for a text and follows the first hit with this title. */
  async function search(page: Page, text: string, title: string): Promise<void> {
    await page.locator('.VPNavBarSearch button').first().click();
    await page.locator('#localsearch-input').fill(text);
    await page.locator('.results .result', { hasText: title }).first().click();
    await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
  }

  test('the playground checks histories without a server', async () => {
    const { page, complaints } = await open(browser, site);
    await page.locator('.VPNav').getByRole('link', { name: 'Playground' }).first().click();
    await page.waitForURL(/playground\.html/);
    await page.locator('h1', { hasText: 'not linearizable' }).waitFor();
    expect(await page.locator('option').allTextContents()).not.toContain('Torn read');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('a reader opens it, searches and follows a hit (%s, %i pixels)', async (colorScheme, width) => {
    const { page, complaints } = await open(browser, site, { colorScheme, viewport: { width, height: 900 } });
    expect(await page.locator('h1').textContent()).toContain('Documentation');
    expect(await seriousProblems(page)).toEqual([]);
    await search(page, 'preemption', 'Glossary');
    await page.waitForURL(/internals\/glossary\.html/);
    await page.locator('main', { hasText: 'preemption' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await search(page, 'assertLinearizable', 'assertLinearizable()');
    await page.waitForURL(/reference\/api\/straightedge\.html/);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
