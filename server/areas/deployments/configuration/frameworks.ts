/** One framework: how it is recognised, built, and where its output lies. Data only; what is shared stands in resolve.ts. */
export interface Framework {
  slug: string;
  name: string;
  /** The dependency that gives it away. */
  package: string;
  /** A project with several of them is the one with the highest. */
  priority: number;
  /** Behind the installation. */
  commands: readonly string[];
  /** Behind the build, whoever wrote its commands. */
  finish?: readonly string[];
  buildEnv?: Readonly<Record<string, string>>;
  /** What its server is told besides; the configuration file wins. */
  env?: Readonly<Record<string, string>>;
  /** In order: the first whose files are there after the build. */
  outputs: readonly Output[];
  /** What to do when none is there. */
  remedy: string;
}

export interface Output {
  /**
   * The server's file. In a monorepo it may lie deeper in the `packageFolder`, as deep as the project does. `main` stands for
   * package.json's `main`, its start script, then the usual names.
   */
  entry?: string;
  assets?: readonly AssetFolder[];
  memory?: number;
  /** The build has gathered all that the server needs in this folder: it is packed whole, and nothing else. */
  packageFolder?: string;
}

export interface AssetFolder {
  folder: string;
  /** Where it is published; the root where absent. */
  prefix?: string;
  /** Names in it hold a hash of the content. */
  immutable?: boolean;
}

const main: readonly Output[] = [{ entry: 'main', assets: [{ folder: 'public' }] }];
const noEntry =
  'Set "main" in package.json to the file that starts the server, or name it under "functions" in mainstay.yaml.';

export const frameworks: readonly Framework[] = [
  {
    slug: 'next',
    name: 'Next.js',
    package: 'next',
    priority: 100,
    commands: ['next build'],
    finish: ['mainstay-finish-next'],
    buildEnv: { NEXT_PRIVATE_STANDALONE: '1', NEXT_TELEMETRY_DISABLED: '1' },
    outputs: [
      {
        entry: '.next/standalone/server.js',
        packageFolder: '.next/standalone',
        assets: [{ folder: '.next/static', prefix: '_next/static', immutable: true }, { folder: 'public' }],
        memory: 1024,
      },
      {
        assets: [{ folder: 'out/_next/static', prefix: '_next/static', immutable: true }, { folder: 'out' }],
      },
    ],
    remedy: 'Set output: "standalone" (or "export") in next.config.js.',
  },
  {
    slug: 'nuxt',
    name: 'Nuxt',
    package: 'nuxt',
    priority: 95,
    commands: ['nuxt build'],
    buildEnv: { NITRO_PRESET: 'node-server', NUXT_TELEMETRY_DISABLED: '1' },
    outputs: [
      {
        entry: '.output/server/index.mjs',
        packageFolder: '.output/server',
        assets: [
          { folder: '.output/public/_nuxt', prefix: '_nuxt', immutable: true },
          { folder: '.output/public' },
        ],
        memory: 256,
      },
      {
        assets: [
          { folder: '.output/public/_nuxt', prefix: '_nuxt', immutable: true },
          { folder: '.output/public' },
        ],
      },
    ],
    remedy: 'Build with the node-server preset of Nitro: it writes .output/server/index.mjs.',
  },
  {
    slug: 'nestjs',
    name: 'NestJS',
    package: '@nestjs/core',
    priority: 90,
    commands: ['nest build'],
    outputs: [{ entry: 'dist/main.js' }, { entry: 'dist/src/main.js' }],
    remedy: 'The build must write dist/main.js.',
  },
  {
    slug: 'remix',
    name: 'Remix',
    package: '@remix-run/dev',
    priority: 90,
    commands: ['remix vite:build'],
    outputs: [
      {
        entry: 'build/server/index.js',
        assets: [
          { folder: 'build/client/assets', prefix: 'assets', immutable: true },
          { folder: 'build/client' },
        ],
        memory: 256,
      },
    ],
    remedy: 'The build must write build/server/index.js.',
  },
  {
    slug: 'sveltekit',
    name: 'SvelteKit',
    package: '@sveltejs/kit',
    priority: 90,
    commands: ['vite build'],
    // Its server takes itself to be asked over TLS, and refuses forms that come from elsewhere.
    env: {
      PROTOCOL_HEADER: 'x-forwarded-proto',
      HOST_HEADER: 'x-forwarded-host',
      ADDRESS_HEADER: 'x-forwarded-for',
    },
    outputs: [
      {
        entry: 'build/index.js',
        assets: [
          { folder: 'build/client/_app/immutable', prefix: '_app/immutable', immutable: true },
          { folder: 'build/client' },
        ],
        memory: 256,
      },
      {
        assets: [
          { folder: 'build/_app/immutable', prefix: '_app/immutable', immutable: true },
          { folder: 'build' },
        ],
      },
    ],
    remedy: 'Use @sveltejs/adapter-node, or @sveltejs/adapter-static.',
  },
  {
    slug: 'astro',
    name: 'Astro',
    package: 'astro',
    priority: 85,
    commands: ['astro build'],
    buildEnv: { ASTRO_TELEMETRY_DISABLED: '1' },
    outputs: [
      {
        entry: 'dist/server/entry.mjs',
        assets: [
          { folder: 'dist/client/_astro', prefix: '_astro', immutable: true },
          { folder: 'dist/client' },
        ],
        memory: 256,
      },
      { assets: [{ folder: 'dist/_astro', prefix: '_astro', immutable: true }, { folder: 'dist' }] },
    ],
    remedy: 'A server needs @astrojs/node in standalone mode; without an adapter the pages are static.',
  },
  { slug: 'hono', name: 'Hono', package: 'hono', priority: 50, commands: [], outputs: main, remedy: noEntry },
  {
    slug: 'elysia',
    name: 'Elysia',
    package: 'elysia',
    priority: 45,
    commands: [],
    outputs: main,
    remedy: noEntry,
  },
  {
    slug: 'fastify',
    name: 'Fastify',
    package: 'fastify',
    priority: 40,
    commands: [],
    outputs: main,
    remedy: noEntry,
  },
  {
    slug: 'express',
    name: 'Express',
    package: 'express',
    priority: 10,
    commands: [],
    outputs: main,
    remedy: noEntry,
  },
  {
    slug: 'vite',
    name: 'Vite',
    package: 'vite',
    priority: 5,
    commands: ['vite build'],
    outputs: [{ assets: [{ folder: 'dist/assets', prefix: 'assets', immutable: true }, { folder: 'dist' }] }],
    remedy: 'The build must write its files to dist.',
  },
];

/** The file of a server, where neither package.json nor a configuration names it. */
export const usualEntries: readonly string[] = ['index', 'app', 'server'].flatMap((stem) =>
  ['.js', '.ts', '.mjs'].flatMap((ending) => [`${stem}${ending}`, `src/${stem}${ending}`]),
);
