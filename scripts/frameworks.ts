import { deployer, runnerSettings } from '../server/testing/deploying.ts';
import { startInstance } from '../server/testing/instance.ts';
import type { ZipPart } from '../server/testing/zip.ts';

/**
 * `node scripts/frameworks.ts [NAME ...]`: deploys a small project of each framework from the npm registry, builds it as a
 * user's would be, and asks for its pages. Takes minutes; for releases, and after changes of configuration/frameworks.ts.
 */

interface Starter {
  files: Record<string, string>;
  /** Paths and what their answers have to contain. */
  asks: Record<string, string>;
}

const manifest = (dependencies: Record<string, string>, more: object = {}) =>
  JSON.stringify({ name: 'starter', private: true, type: 'module', dependencies, ...more });

const starters: Record<string, Starter> = {
  static: {
    files: { 'index.html': '<h1>static</h1>', 'about.html': 'about' },
    asks: { '/': 'static', '/about': 'about' },
  },
  vite: {
    files: {
      'package.json': manifest({}, { devDependencies: { vite: '^7.0.0' } }),
      'index.html':
        '<!doctype html><title>vite</title><div id="app"></div><script type="module" src="/main.js"></script>',
      'main.js': "document.querySelector('#app').textContent = 'vite runs';",
    },
    asks: { '/': 'assets/index-', '/some/page': 'assets/index-' },
  },
  astro: {
    files: {
      'package.json': manifest({ astro: '^5.0.0' }),
      'astro.config.mjs': 'export default {};',
      'src/pages/index.astro': '<h1>{`astro ${1 + 1}`}</h1>',
      'src/pages/about.astro': '<h1>about astro</h1>',
    },
    asks: { '/': 'astro 2', '/about/': 'about astro' },
  },
  express: {
    files: {
      'package.json': manifest({ express: '^5.0.0' }, { main: 'server.js' }),
      'server.js':
        "import express from 'express';\nconst app = express();\napp.get('/', (q, s) => s.send('express'));\napp.listen(process.env.PORT ?? 3000);",
    },
    asks: { '/': 'express' },
  },
  fastify: {
    files: {
      'package.json': manifest({ fastify: '^5.0.0' }, { scripts: { start: 'node src/server.js' } }),
      'src/server.js':
        "import fastify from 'fastify';\nconst app = fastify();\napp.get('/', () => ({ hello: 'fastify' }));\nawait app.listen({ port: 3000 });",
    },
    asks: { '/': 'fastify' },
  },
  hono: {
    files: {
      'package.json': manifest({ hono: '^4.0.0' }, { main: 'src/index.ts' }),
      'src/index.ts':
        "import { Hono } from 'hono';\nconst app = new Hono();\napp.get('/', (c) => c.text('hono'));\nexport default app;",
    },
    asks: { '/': 'hono' },
  },
  next: {
    files: {
      'package.json': manifest({ next: '^15.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' }),
      'next.config.js': "export default { output: 'standalone' };",
      'app/layout.js':
        'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
      'app/page.js':
        "export const dynamic = 'force-dynamic';\nexport default function Page() { return <h1>next {1 + 1}</h1>; }",
      'public/robots.txt': 'User-agent: *',
    },
    asks: { '/': 'next', '/robots.txt': 'User-agent' },
  },
  sveltekit: {
    files: {
      'package.json': manifest(
        {},
        {
          devDependencies: {
            '@sveltejs/kit': '^2.0.0',
            '@sveltejs/adapter-node': '^5.0.0',
            '@sveltejs/vite-plugin-svelte': '^6.0.0',
            svelte: '^5.0.0',
            vite: '^7.0.0',
          },
        },
      ),
      'svelte.config.js':
        "import adapter from '@sveltejs/adapter-node';\nexport default { kit: { adapter: adapter() } };",
      'vite.config.js':
        "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };",
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<h1>svelte {1 + 1}</h1>',
    },
    asks: { '/': 'svelte' },
  },
  nuxt: {
    files: {
      'package.json': manifest({ nuxt: '^4.0.0' }),
      'nuxt.config.ts': 'export default defineNuxtConfig({});',
      'app/app.vue': '<template><h1>nuxt {{ 1 + 1 }}</h1></template>',
    },
    asks: { '/': 'nuxt 2' },
  },
};

const wanted = process.argv.slice(2);
await using instance = await startInstance('sqlite', { settings: runnerSettings });
const tools = deployer(instance);
let failures = 0;
for (const [name, { files, asks }] of Object.entries(starters)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = performance.now();
  const parts: ZipPart[] = Object.entries(files).map(([file, content]) => ({ name: file, content }));
  const deployment = await tools.deploy(parts);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const problems: string[] = [];
  if (deployment.status === 'ACTIVE') {
    const host = await tools.hostOf(deployment.id);
    for (const [path, text] of Object.entries(asks)) {
      const seen = await tools.visit(host, path, { headers: { accept: 'text/html' } });
      if (seen.status !== 200 || !seen.body.replaceAll('<!-- -->', '').includes(text))
        problems.push(`${path}: ${seen.status} ${seen.body.slice(0, 200)}`);
    }
  } else problems.push(deployment.log.split('\n').slice(-15).join('\n'));
  if (problems.length > 0) failures += 1;
  process.stdout.write(
    `${problems.length === 0 ? 'ok  ' : 'BAD '} ${name} ${seconds} s\n${problems.join('\n')}${problems.length ? '\n' : ''}`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;
