import { choice, duration, integer, list, size, text, url } from '#core/settings.ts';

export const deploymentSettings = {
  archiveBytes: size({
    name: 'MAINSTAY_ARCHIVE_SIZE',
    meaning: 'Largest archive of a deployment, all parts together.',
    fallback: '512MiB',
    minBytes: 1024,
  }),
  archivePartBytes: size({
    name: 'MAINSTAY_ARCHIVE_PART_SIZE',
    meaning: 'Largest part of an archive.',
    fallback: '64MiB',
    minBytes: 1024,
  }),
  archiveEntries: integer({
    name: 'MAINSTAY_ARCHIVE_ENTRIES',
    meaning: 'Most entries of an archive.',
    fallback: 50_000,
    min: 1,
    max: 1_000_000,
  }),
  archiveUnpackedBytes: size({
    name: 'MAINSTAY_ARCHIVE_UNPACKED_SIZE',
    meaning: 'Most bytes that an archive may unpack to.',
    fallback: '2GiB',
    minBytes: 1024,
  }),
  runnerKind: choice({
    name: 'MAINSTAY_RUNNER',
    meaning:
      'What runs builds and functions: auto (process where bubblewrap works, else none), process (sandboxed processes), ' +
      'trusted (plain processes: for your own code on your own machine only), none (static files and proxies).',
    fallback: 'auto',
    values: ['auto', 'process', 'trusted', 'none'],
  }),
  builds: integer({
    name: 'MAINSTAY_BUILDS',
    meaning: 'Builds at once on this machine. 0: half of its cores.',
    fallback: 0,
    min: 0,
    max: 1000,
  }),
  buildMemory: size({
    name: 'MAINSTAY_BUILD_MEMORY',
    meaning: 'Memory that a build may use.',
    fallback: '4GiB',
    minBytes: 64 * 1024 * 1024,
  }),
  buildCpu: integer({
    name: 'MAINSTAY_BUILD_CPU',
    meaning: 'Hundredths of a core that a build may use. 0: whatever is free.',
    fallback: 0,
    min: 0,
    max: 100_000,
  }),
  buildDisk: size({
    name: 'MAINSTAY_BUILD_DISK',
    meaning: 'Room on the disk that the folder of a build may take, with what it installs.',
    fallback: '8GiB',
    minBytes: 64 * 1024 * 1024,
  }),
  buildCache: size({
    name: 'MAINSTAY_BUILD_CACHE',
    meaning:
      'Packages that builds of one application have downloaded and find again in the next, on this node. A cache that grew ' +
      'larger is emptied. 0B: none.',
    fallback: '1GiB',
  }),
  buildCaches: size({
    name: 'MAINSTAY_BUILD_CACHES',
    meaning:
      'Total size of the package caches of all applications. When exceeded, the least recently used are deleted.',
    fallback: '10GiB',
  }),
  buildNpmRegistry: url({
    name: 'MAINSTAY_BUILD_NPM_REGISTRY',
    meaning:
      'The registry that npm, pnpm, Yarn and Bun ask in builds. Builds reach its host and port though the address is private; ' +
      'functions do not. An application asks another one by a variable named npm_config_registry.',
    protocols: ['http:', 'https:'],
    shown: 'that of the package manager',
  }),
  runtimesFolder: text({
    name: 'MAINSTAY_RUNTIMES',
    meaning:
      'A folder with further runtimes for functions, by name: node-22/bin/node, bun-1/bin/bun, php-84/bin/php. Node is there ' +
      'anyway, and PHP where the system has it.',
    expected: 'the path of a folder',
  }),
  buildMinutes: integer({
    name: 'MAINSTAY_BUILD_MINUTES_PER_ORGANIZATION',
    meaning:
      'Minutes that the builds of an organization may take together in a month (UTC). Builds that begin after that fail; one that ' +
      'has begun goes on. 0: no limit.',
    fallback: 0,
    min: 0,
    max: 100_000_000,
  }),
  buildSeconds: duration({
    name: 'MAINSTAY_BUILD_SECONDS',
    meaning: 'How long the commands of a build may take together.',
    fallback: '30m',
    minSeconds: 1,
  }),
  deploymentWait: duration({
    name: 'MAINSTAY_UPLOAD_WAIT',
    meaning: 'How long a deployment waits for its archive before it fails.',
    fallback: '24h',
    minSeconds: 60,
  }),
  deploymentsKept: integer({
    name: 'MAINSTAY_DEPLOYMENTS_KEPT',
    meaning: 'Deployments of each environment that are kept besides the live one, to go back to.',
    fallback: 10,
    min: 1,
    max: 10_000,
  }),
  deploymentRetention: duration({
    name: 'MAINSTAY_DEPLOYMENT_RETENTION',
    meaning: 'How long every deployment is kept, however many there are.',
    fallback: '30d',
    minSeconds: 3600,
  }),
  egressCaFile: text({
    name: 'MAINSTAY_EGRESS_CA_FILE',
    meaning:
      'Certificates (PEM) that builds and functions trust besides the public ones: of a proxy that inspects TLS, say.',
    expected: 'the path of a file',
  }),
  egressAllow: list({
    name: 'MAINSTAY_EGRESS_ALLOW',
    meaning:
      'Private networks (CIDR blocks) that builds, functions and proxy routes may reach all the same. Public addresses they ' +
      'always may.',
  }),
};
