/**
 * Writes the pages of the documentation site to `.site/pages`.
 *
 * The pages are the Markdown files of `docs/`, those that they link to, and the API reference in `.site/api`. Links
 * lead where they lead on GitHub: a link to a source file leads to a page that shows the file, and a link to a folder
 * leads to its README or to a page that shows its files.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const API = join(ROOT, '.site/api');
export const PAGES: string = join(ROOT, '.site/pages');
/** The playground, which is a page of the package too. */
const PLAYGROUND = join(ROOT, 'dist/report/html/playground.html');
/** Where the site has the API reference, as if it stood in the repository. */
const API_FOLDER = 'docs/reference/api';
/** The first lines of a page that the search leaves out. */
export const UNSEARCHED = '---\nsearch: false\n---\n';
/** Code, which has no links, or the target of a link or a picture. */
const CODE_OR_LINK = /^(`{3,})[\s\S]*?^\1$|`[^`\n]*`|(?<=\]\()[^)\s]+(?=\))/gm;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const tracked = new Set(files);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export interface SitePage {
  /** The file or folder in the repository. */
  readonly source: string;
  /** Its path below `PAGES`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The page of a file or folder. `docs/` is the root of the site, and a README is the index of its folder. */
function pathOf(source: string): string {
  if (source === 'README.md') return 'readme.md';
  const path = source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return path.endsWith('.md') ? path : `${path}.md`;
}

/** What a link means: GitHub shows the README of a folder. */
function targetOf(page: string, link: string): string {
  const target = posix.join(posix.dirname(page), link).replace(/\/$/, '');
  return tracked.has(`${target}/README.md`) ? `${target}/README.md` : target;
}

const fence = (source: string): string => {
  const text = read(source);
  return `\`\`\`\`${posix.extname(source).slice(1)}\n${text}${text.endsWith('\n') ? '' : '\n'}\`\`\`\``;
};

/** Shows a file, or the files of a folder and links to its folders. The search leaves it out. */
function sourcePage(source: string): string {
  const names = files
    .filter((file) => file.startsWith(`${source}/`))
    .map((file) => file.slice(source.length + 1));
  const folders = new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0]));
  const parts = tracked.has(source)
    ? [fence(source)]
    : [
        ...Array.from(folders, (name) => `- [${name}](${posix.basename(source)}/${name})`),
        ...names
          .filter((name) => !name.includes('/'))
          .map((name) => `## ${name}\n\n${fence(`${source}/${name}`)}`),
      ];
  if (parts.length === 0) throw new Error(`a page links to ${source}, which does not exist`);
  return `${UNSEARCHED}\n# ${source}\n\n${parts.join('\n\n')}\n`;
}

/** Reads a page and lets its links lead to other pages. Reports the files and folders that it links to. */
function readPage(source: string, isNeeded: (target: string) => void): SitePage {
  const text = source.endsWith('.md') ? read(source) : sourcePage(source);
  const path = pathOf(source);
  const linked = text.replace(CODE_OR_LINK, (match) => {
    if (/^(`|#|[a-z]+:)/.test(match) || match.endsWith('.png')) return match;
    const [link, anchor] = match.split('#');
    const target = targetOf(source, link);
    isNeeded(target);
    const relative = posix.relative(posix.dirname(path), pathOf(target));
    return `${relative.startsWith('.') ? '' : './'}${relative}${anchor === undefined ? '' : `#${anchor}`}`;
  });
  return { source, path, title: titleOf(linked), text: linked };
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? '';

function apiPages(): SitePage[] {
  return readdirSync(API, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const source = `${API_FOLDER}/${name.replaceAll('\\', '/')}`;
      const text = readFileSync(join(API, name), 'utf8').replace(
        /`(docs\/[\w/-]+\.md)`/g,
        (match, page: string) => `[${match}](${posix.relative(posix.dirname(source), page)})`,
      );
      return { source, path: pathOf(source), title: titleOf(text), text };
    });
}

/** Writes all pages; returns them by source. */
export function writePages(): Map<string, SitePage> {
  const pages = new Map(apiPages().map((page) => [page.source, page]));
  const waiting = files.filter((file) => /^docs\/.*\.md$/.test(file));
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop())
    if (!pages.has(source))
      pages.set(
        source,
        readPage(source, (target) => waiting.push(target)),
      );
  rmSync(PAGES, { recursive: true, force: true });
  for (const { path, text } of pages.values()) {
    mkdirSync(dirname(join(PAGES, path)), { recursive: true });
    writeFileSync(join(PAGES, path), text);
  }
  cpSync(join(ROOT, 'docs/pictures'), join(PAGES, 'pictures'), { recursive: true });
  // checks histories in the browser itself
  if (!existsSync(PLAYGROUND)) throw new Error(`${PLAYGROUND} is missing; run npm run build first`);
  cpSync(PLAYGROUND, join(PAGES, 'public/playground.html'));
  return pages;
}
