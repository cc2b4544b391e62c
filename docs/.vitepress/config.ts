/**
 * The documentation site: `npm run docs` builds it in `.site/dist`. It loads nothing from other hosts; its search runs
 * in the browser.
 */
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress';
import { PAGES, type SitePage, UNSEARCHED, writePages } from './pages.js';

const pages = writePages();
const addressOf = ({ path }: SitePage): string =>
  `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
const itemOf = (page: SitePage, text = page.title): DefaultTheme.SidebarItem => ({
  text,
  link: addressOf(page),
});

/** READMEs below the folder of a README are its children, and so are the pages in a folder with the name of a page. */
function childrenOf(source: string): SitePage[] {
  const own = source.replace(/\.md$/, '/');
  const pagesOfFolder = [...pages.values()].filter((page) => page.source.startsWith(own));
  if (pagesOfFolder.length > 0) return pagesOfFolder.sort((a, b) => (a.title < b.title ? -1 : 1));
  if (!source.endsWith('/README.md')) return [];
  const folder = source.slice(0, -'README.md'.length);
  return [...pages.values()]
    .filter(
      (page) => page.source !== source && page.source.startsWith(folder) && page.source.endsWith('README.md'),
    )
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

/** The sections of docs/index.md with the pages that they list, in that order. */
function sectionsOf(index: SitePage): DefaultTheme.SidebarItem[] {
  const byPath = new Map([...pages.values()].map((page) => [`./${page.path}`, page]));
  return index.text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: /^[^:\n]+/.exec(section)?.[0] ?? '',
      items: Array.from(section.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g), ([, text, link]) => {
        const page = byPath.get(link);
        if (!page) return { text, link };
        const children = childrenOf(page.source);
        if (children.length === 0) return itemOf(page, text);
        return { ...itemOf(page, text), collapsed: true, items: children.map((child) => itemOf(child)) };
      }),
    }));
}

function pageAt(source: string): SitePage {
  const page = pages.get(source);
  if (!page) throw new Error(`the site has no page for ${source}`);
  return page;
}

const sections = sectionsOf(pageAt('docs/index.md'));
const api = pageAt('docs/reference/api/index.md');
const apiSection: DefaultTheme.SidebarItem = {
  text: 'API',
  items: [
    itemOf(api, 'Overview'),
    ...[...pages.values()]
      .filter((page) => page !== api && page.source.startsWith('docs/reference/api/'))
      .map((page) => itemOf(page)),
  ],
};
const sidebar = sections.flatMap((section) =>
  section.text === 'Reference' ? [section, apiSection] : [section],
);

function navItemOf({ text = '', items = [] }: DefaultTheme.SidebarItem): DefaultTheme.NavItemWithLink {
  const links = items.map(({ link = '/' }) => link);
  return { text, link: links[0], activeMatch: `^(${links.join('|').replaceAll('.html', '')})` };
}

/** The anchor of a heading, as GitHub makes it. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Leaves out pages of source files. Code is not highlighted here, which halves the time of a build. */
const renderForSearch: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (text, env, md) => {
  if (text.startsWith(UNSEARCHED)) return '';
  const { highlight } = md.options;
  md.options.highlight = null;
  try {
    return md.render(text, env);
  } finally {
    md.options.highlight = highlight;
  }
};

/** Two overlapping operations; in the page itself, because nothing is loaded from elsewhere. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3451b2" d="M1 3h9v4H1zm5 6h9v4H6z"/></svg>',
)}`;

/** Reports are up to 120 characters wide: wide pages, and close lines that hold drawings together. */
const STYLE = `
:root:root { --vp-code-line-height: 1.45; --vp-code-font-size: 0.84em; }
.VPDoc.has-aside .content-container.content-container.content-container { max-width: 920px; }
`;

const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: 'straightedge',
  description: 'Find concurrency bugs in TypeScript and JavaScript.',
  lang: 'en-GB',
  head: [
    ['link', { rel: 'icon', href: ICON }],
    ['style', {}, STYLE],
  ],
  srcDir: PAGES,
  outDir: '../.site/dist',
  cacheDir: '../.site/cache',
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    anchor: { slugify },
    languageAlias: { edn: 'clojure', console: 'text' },
  },
  themeConfig: {
    nav: [...sidebar.map(navItemOf), { text: 'Playground', link: '/playground.html', target: '_self' }],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: renderForSearch,
        miniSearch: {
          searchOptions: {
            boostDocument: (id) => (/^\/guide\//.test(id) ? 2 : /^\/(papers|CHANGELOG)/.test(id) ? 0.5 : 1),
          },
        },
      },
    },
  },
});
export default config;
