import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { deployer, Seen } from '#testing/deploying.ts';
import type { ZipPart } from '#testing/zip.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/frameworks.md'), 'utf8');

/** The project that a section of docs/frameworks.md shows: files whose names stand above their content. */
function projectOf(section: string): ZipPart[] {
  const text = guide.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  const found = (text ?? '').matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms);
  const files = [...found].map(([, name = '', content = '']) => ({ name, content }));
  if (files.length === 0) throw new Error(`docs/frameworks.md shows no project under "${section}".`);
  return files;
}

/** What a project of the guide has to answer. */
export interface FrameworkTrial {
  /** In the first page, as the server sends it. */
  page: string;
  /** A file that is published as it is. */
  file: string;
  /** An address in the first page whose file is kept by browsers permanently. */
  hashed?: RegExp;
  api?: { path: string; answer: unknown };
  /** Files besides those of the guide. */
  more?: ZipPart[];
  further?: (visit: (path: string, options?: Asked) => Promise<Seen>, host: string) => Promise<void>;
}

type Asked = Parameters<ReturnType<typeof deployer>['visit']>[2];

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const frameworkTrials: Readonly<Record<string, FrameworkTrial>> = {
  'Static folder': {
    page: 'Hello from a folder',
    file: '/style.css',
    async further(visit) {
      assert.match((await visit('/about')).body, /About/);
      const missing = await visit('/nothing/here');
      assert.deepEqual([missing.status, /Nothing here/.test(missing.body)], [404, true]);
    },
  },
  Vite: {
    page: '<div id="app">',
    file: '/robots.txt',
    hashed: /src="(\/assets\/[^"]+\.js)"/,
    async further(visit) {
      assert.match((await visit('/some/page', { headers: { accept: 'text/html' } })).body, /<div id="app">/);
    },
  },
  Astro: {
    page: 'Hello from Astro',
    file: '/robots.txt',
    api: { path: '/api/hello.json', answer: { hello: 'Astro' } },
  },
  Express: {
    page: 'Hello from Express',
    file: '/style.css',
    api: { path: '/api/hello', answer: { hello: 'Express' } },
  },
  Fastify: {
    page: 'Hello from Fastify',
    file: '/style.css',
    api: { path: '/api/hello', answer: { hello: 'Fastify' } },
  },
  Hono: {
    page: 'Hello from Hono',
    file: '/style.css',
    api: { path: '/api/hello', answer: { hello: 'Hono' } },
  },
  'Next.js': {
    page: 'Hello from Next.js',
    file: '/robots.txt',
    hashed: /src="(\/_next\/static\/[^"]+\.js)[^"]*"/,
    api: { path: '/api/hello', answer: { hello: 'Next.js' } },
    more: [{ name: 'public/dot.png', content: onePixel }],
    async further(visit) {
      // The server's own image optimizer looks for the file beside the server.
      const image = await visit('/_next/image?url=%2Fdot.png&w=640&q=75');
      assert.deepEqual([image.status, String(image.headers['content-type'])], [200, 'image/png']);
    },
  },
  SvelteKit: {
    page: 'Hello from SvelteKit',
    file: '/robots.txt',
    hashed: /import\("[^"]*(\/_app\/immutable\/[^"]+\.js)"\)/,
    api: { path: '/api/hello', answer: { hello: 'SvelteKit' } },
    async further(visit, host) {
      const form = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://${host}`,
        accept: 'text/html',
      };
      const answer = await visit('/', { method: 'POST', headers: form, body: 'name=form' });
      assert.deepEqual([answer.status, /Hello from form/.test(answer.body)], [200, true], answer.body);
      const foreign = await visit('/', {
        ...{ method: 'POST', body: 'name=form' },
        headers: { ...form, origin: 'http://elsewhere.test' },
      });
      assert.equal(foreign.status, 403);
    },
  },
  Nuxt: {
    page: 'Hello from Nuxt',
    file: '/robots.txt',
    hashed: /src="(\/_nuxt\/[^"]+\.js)"/,
    api: { path: '/api/hello', answer: { hello: 'Nuxt' } },
  },
};

/** Deploys the guide's project as a user would, and asks it as visitors would. */
export async function tryFramework(
  tools: ReturnType<typeof deployer>,
  name: string,
  { page, file, hashed, api, more = [], further }: FrameworkTrial,
): Promise<void> {
  const project = projectOf(name);
  const { host } = await tools.deployed([...project, ...more]);
  const visit = (asked: string, options?: Asked) => tools.visit(host, asked, options);
  const first = await visit('/', { headers: { accept: 'text/html' } });
  // React puts comments between pieces of text.
  const text = first.body.replaceAll('<!-- -->', '');
  assert.ok(first.status === 200 && text.includes(page), `/: ${first.status} ${text.slice(0, 2000)}`);
  const shown = project.find((one) => `/${one.name}`.endsWith(file));
  const seen = await visit(file);
  assert.deepEqual([seen.status, seen.body], [200, String(shown?.content)]);
  if (hashed) {
    const address = hashed.exec(text)?.[1] ?? '';
    const asset = await visit(address);
    assert.equal(asset.status, 200, `${address} in ${text.slice(0, 2000)}`);
    assert.match(String(asset.headers['cache-control']), /immutable/, address);
    assert.match(String(asset.headers['content-type']), /javascript/);
  }
  if (api) {
    const answer = await visit(api.path);
    assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, api.answer]);
  }
  await further?.(visit, host);
}

const npm = path.join(path.dirname(fileURLToPath(import.meta.resolve('npm/package.json'))), 'bin/npm-cli.js');

/** Settings by which builds reach the registry that this machine uses; `missing`: why they cannot. */
export async function registrySettings(): Promise<{
  settings: Record<string, string>;
  missing: string | null;
}> {
  const ask = async (key: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [npm, 'config', 'get', key]);
    return ['', 'null', 'undefined'].includes(stdout.trim()) ? undefined : stdout.trim();
  };
  const registry = await ask('registry');
  const authorities = (await ask('cafile')) ?? process.env['NODE_EXTRA_CA_CERTS'];
  const answer = await fetch(`${registry}vite/latest`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  const missing = answer?.ok ? null : `the registry ${registry} does not answer`;
  if (missing && process.env['CI']) throw new Error(missing);
  return {
    settings: {
      MAINSTAY_BUILD_NPM_REGISTRY: registry ?? '',
      ...(authorities ? { MAINSTAY_EGRESS_CA_FILE: authorities } : {}),
    },
    missing,
  };
}
