/**
 * Every relative link of a Markdown page leads to a file that exists, and to a heading that it has. The pages for
 * contributors name only source files that exist.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(ROOT, page)));
const textOf = new Map(pages.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]));

/** The anchors of a page, made from its headings as GitHub does. */
function anchorsOf(page: string): string[] {
  const prose = (textOf.get(page) ?? '').replace(/^```[\s\S]*?^```$/gm, '');
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** The relative links of a page. */
function linksOf(page: string): string[] {
  const prose = (textOf.get(page) ?? '').replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]*)\)/g), ([, link]) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  );
}

function brokenLinksOf(page: string): string[] {
  return linksOf(page).filter((link) => {
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

test('pages are found', () => {
  expect(pages).toContain('README.md');
  expect(pages.length).toBeGreaterThan(10);
});

test.each(pages)('the links of %s are valid', (page) => {
  expect(brokenLinksOf(page), 'correct the path or the heading').toEqual([]);
});

/** Paths and folders that `files` of package.json ships, and what npm always adds. */
const isShipped = (path: string): boolean =>
  /^(?:(?:docs|examples)(?:\/|$)|papers\/(?:[^/]+\/)?README\.md$|(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|LICENSE$)/.test(
    path,
  );

test('pages that the package ships link to no file that it leaves out', () => {
  const left = pages.filter(isShipped).flatMap((page) =>
    linksOf(page)
      .map((link) => posix.join(posix.dirname(page), link.split('#')[0]))
      .filter((target) => target !== posix.dirname(page) && !isShipped(target))
      .map((target) => `${page}: ${target}`),
  );
  expect(left, 'name the path in code quotes instead').toEqual([]);
});

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));

test.each([...pages.filter((page) => page.startsWith('docs/internals/')), 'CONTRIBUTING.md'])(
  'source files that %s names in code quotes exist',
  (page) => {
    const named = Array.from((textOf.get(page) ?? '').matchAll(/`([\w./*-]+\.tsx?)`/g), ([, path]) => path);
    const isThere = (path: string): boolean => {
      const pattern = new RegExp(`(^|/)${path.replaceAll('.', '\\.').replace(/\*+(?:\/\*+)*/g, '.+')}$`);
      return files.some((file) => pattern.test(file));
    };
    // names of files that a reader creates
    const created = /^(?:online|queue|queue.test|straightedge.config)\.ts$/;
    expect(named.filter((path) => !created.test(path) && !isThere(path))).toEqual([]);
  },
);
