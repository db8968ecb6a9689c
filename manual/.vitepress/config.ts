import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };
import { compressBuild } from '../../scripts/compress.ts';

const docs = path.join(import.meta.dirname, '../../docs');

/** Every page of `docs/` stands in one of these; a page that stands in none fails the build. */
const groups: Record<string, string[]> = {
  'Getting started': ['quick-start', 'dashboard', 'cli', 'sdk', 'compatibility'],
  'Accounts and access': ['tokens', 'people', 'organizations', 'products', 'audit-log', 'security'],
  Applications: [
    'applications',
    'deployments',
    'frameworks',
    'storage',
    's3',
    'request-logs',
    'env-vars',
    'cache',
  ],
  'AI gateway': ['ai-gateway'],
  Lookups: ['whois', 'web-reputation'],
  Operations: ['operations', 'settings'],
};

/** Colours of code as classes: style attributes would need an open door in the content policy. */
const colours = transformerStyleToClass({ classPrefix: 'c-' });

export default defineConfig({
  title: 'Mainstay',
  description: 'The manual of Mainstay, for the version that serves it.',
  lang: 'en',
  base: '/manual/',
  srcDir: '../docs',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  // The quick start is the front page.
  rewrites: { 'quick-start.md': 'index.md' },
  cleanUrls: true,
  // The names of pages as a file rather than as a script inside each page.
  metaChunk: true,
  ignoreDeadLinks: [/^https?:\/\/localhost/, /^\.\.\/\.\.\/|^\.\/?\.\.\//, /products\.schema/],
  // Switching it off would put a style element into the page, which the content policy refuses.
  appearance: { disableTransition: false },
  head: [
    ['link', { rel: 'icon', href: '/favicon.svg' }],
    ['link', { rel: 'stylesheet', href: '/manual/code.css' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [colours],
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Pages of the manual, not the reasons behind them.
        _render: (source, env, renderer) =>
          env.relativePath.startsWith('decisions/') ? '' : renderer.render(source, env),
      },
    },
    outline: 'deep',
    notFound: {
      title: 'There is no such page',
      quote: 'The manual of this version has no page at this address.',
      linkText: 'Go to the quick start',
      linkLabel: 'Go to the quick start',
    },
    sidebar: sidebar(),
    nav: [
      { component: 'ServerLink', props: { text: 'Dashboard', href: '/' } },
      { component: 'ServerLink', props: { text: 'API reference', href: '/docs' } },
      { text: 'Decisions', link: '/decisions/0001-sqlite-writes-in-a-thread' },
      { text: `Version ${manifest.version}`, link: '/' },
    ],
  },
  async buildEnd({ outDir }) {
    await writeFile(path.join(outDir, 'code.css'), colours.getCSS());
    await copyFile(path.join(docs, 'products.schema.json'), path.join(outDir, 'products.schema.json'));
    await compressBuild(outDir);
  },
});

/** The manual has one list of pages, the decisions another. */
function sidebar() {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
  const decisions = pages.filter((name) => name.startsWith('decisions/'));
  const listed = new Set([...Object.values(groups).flat(), ...decisions]);
  const unlisted = pages.filter((name) => !listed.has(name));
  if (unlisted.length > 0)
    throw new Error(`Give ${unlisted.join(', ')} a place in the groups of manual/.vitepress/config.ts.`);
  return {
    '/': Object.entries(groups).map(([text, names]) => ({ text, items: names.map(entry) })),
    '/decisions/': [{ text: 'Decisions', items: decisions.map(entry) }],
  };
}

/** A page by its first heading. */
function entry(name: string) {
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(path.join(docs, `${name}.md`), 'utf8')) ?? [];
  return { text: title, link: name === 'quick-start' ? '/' : `/${name}` };
}
