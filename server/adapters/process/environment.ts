import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { workloadVariables } from '#core/compatibility.ts';
import { loopbackAddress, registrySocket } from './box.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';

export const guestFolder = fileURLToPath(new URL('guest', import.meta.url));
export const npmFolder = path.dirname(fileURLToPath(import.meta.resolve('npm/package.json')));
export const caFileInside = '/run/ca.pem';

/** Ports of the sandbox's own loopback: the way out, and the platform's API. */
const proxyPort = 3128;
const apiPort = 4000;
/** What code is told to listen on. Only other languages than JavaScript really do. */
export const functionPort = 3000;

const proxyAddress = `http://127.0.0.1:${proxyPort}`;
const noProxy = 'localhost,127.0.0.1,::1';
const proxyVariables = {
  ...{ HTTP_PROXY: proxyAddress, HTTPS_PROXY: proxyAddress, NO_PROXY: noProxy },
  ...{ http_proxy: proxyAddress, https_proxy: proxyAddress, no_proxy: noProxy },
};
/** Where code in a sandbox finds the platform's API. */
const apiAddressInside = `http://127.0.0.1:${apiPort}`;

/** Where things are, as the code sees them: the same for every sandbox, and their real places without one. */
export interface Places {
  isSandboxed: boolean;
  folder: string;
  run: string;
  guest: string;
  npm: string;
  /** Our own Node. */
  node: string;
  home: string;
  caFile: string | undefined;
  /** Ports of loopback that lead to sockets: `port=socket,…`. */
  relays: { build: string; function: string };
}

export function placesInside(caFile: string | undefined): Places {
  const egress = `${proxyPort}=/run/instance/egress.sock`;
  return {
    isSandboxed: true,
    folder: '/app',
    run: '/run/instance',
    guest: '/guest',
    npm: '/npm',
    home: '/tmp',
    node: '/runtime/bin/node',
    caFile: caFile && caFileInside,
    relays: { build: egress, function: `${egress},${apiPort}=/run/instance/api.sock` },
  };
}

/** Outside of a sandbox ports may be taken, and there is nothing to keep from the network. */
export function placesOutside(folder: string, runFolder: string, caFile: string | undefined): Places {
  return {
    ...{ isSandboxed: false, folder, run: runFolder, guest: guestFolder, npm: npmFolder, home: runFolder },
    node: ownRuntime.program,
    caFile: caFile && path.resolve(caFile),
    relays: { build: '', function: '' },
  };
}

/** What is ours in every environment: programs are found, certificates trusted. */
function base(places: Places, workingFolder: string, runtimes: readonly Runtime[]): Record<string, string> {
  const { folder, isSandboxed, guest, caFile } = places;
  const parents = workingFolder.split('/').filter(Boolean);
  const bins = [
    ...parents.map((_, at) => path.posix.join(folder, ...parents.slice(0, parents.length - at))),
    folder,
  ].map((parent) => path.posix.join(parent, 'node_modules/.bin'));
  const own = runtimes.flatMap(({ name, folder: outside }) =>
    outside === null ? [] : [isSandboxed ? `/runtimes/${name}/bin` : path.join(outside, 'bin')],
  );
  return {
    PATH: [...bins, path.join(guest, 'bin'), ...own, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    MAINSTAY_NPM: places.npm,
    HOME: places.home,
    ...(isSandboxed ? proxyVariables : {}),
    ...(caFile ? { NODE_EXTRA_CA_CERTS: caFile } : {}),
  };
}

export function buildEnvironment(
  places: Places,
  workingFolder: string,
  runtimes: readonly Runtime[],
  cacheFolder: string | undefined,
): Record<string, string> {
  const cache = cacheFolder === undefined ? undefined : places.isSandboxed ? '/cache' : cacheFolder;
  return {
    ...base(places, workingFolder, runtimes),
    ...(cache
      ? {
          ...{ npm_config_cache: `${cache}/npm`, YARN_CACHE_FOLDER: `${cache}/yarn` },
          ...{ MAINSTAY_PNPM_STORE: `${cache}/pnpm`, BUN_INSTALL_CACHE_DIR: `${cache}/bun` },
        }
      : {}),
  };
}

/** Ports of loopback that lead out of a build: a registry of this machine's own loopback has one, too. */
export function relaysOfBuild({ isSandboxed, relays, run }: Places, registry: URL | undefined): string {
  const besideUs = isSandboxed ? loopbackAddress(registry) : null;
  return besideUs ? `${relays.build},${besideUs.port}=${run}/${registrySocket}` : relays.build;
}

/** Tells package managers which registry to ask, unless the project's variables do. */
export function registryEnvironment(
  { isSandboxed }: Places,
  registry: URL | undefined,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  if (!registry || Object.keys(own).some((name) => /^npm_config_registry$/i.test(name))) return {};
  const url = new URL(registry);
  // Inside there is no file of hosts.
  if (isSandboxed && loopbackAddress(url)) url.hostname = '127.0.0.1';
  return {
    ...{ npm_config_registry: url.href, YARN_REGISTRY: url.href, YARN_NPM_REGISTRY_SERVER: url.href },
    ...(url.protocol === 'http:' ? { YARN_UNSAFE_HTTP_WHITELIST: url.hostname } : {}),
  };
}

export function functionEnvironment(
  places: Places,
  workingFolder: string,
  runtime: Runtime,
): Record<string, string> {
  const address = { API_URL: apiAddressInside, API_BASE_URL: apiAddressInside };
  return {
    ...base(places, workingFolder, [runtime]),
    ...(places.isSandboxed ? { NODE_USE_ENV_PROXY: '1', ...workloadVariables(address) } : {}),
    ...{ HOST: '127.0.0.1', PORT: String(functionPort), PHP_CLI_SERVER_WORKERS: '4' },
  };
}
