import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '#core/is-alive.ts';
import type { Outgoing } from '#core/outgoing.ts';
import type { ServiceAddress, ServiceKind } from '#core/service-engine.ts';
import type { Group, GroupLimits, Groups } from './cgroup.ts';
import { openEgress, openRelay, portOf } from './egress.ts';
import { killTree, signalProcess, withDescendants } from './processes.ts';

/** What one sandbox has on this side: its folder of sockets, its limits, its ways out. */
export interface Box extends AsyncDisposable {
  readonly runFolder: string;
  readonly group: Group | null;
  /** Ends all its processes. */
  kill(pid: number | undefined): Promise<void>;
  /** Of the program inside, not of the sandbox around it. */
  signal(pid: number | undefined, signal: NodeJS.Signals): Promise<void>;
}

/** Name of the socket that leads to a service. */
export function serviceSocket(kind: ServiceKind): string {
  return `${kind}.sock`;
}

export interface BoxDeps {
  groups: Groups | null;
  outgoing: Outgoing;
  api: () => { host: string; port: number };
  isSandboxed: boolean;
}

/** What one sandbox reaches besides public addresses and the platform's API. */
interface WaysOut {
  services?: readonly { kind: ServiceKind; address: ServiceAddress }[];
  registry?: URL | undefined;
  /** Told of hosts that the proxy has refused for their addresses. */
  onRefused?: (host: string) => void;
}

/** The registry's address where it is this machine's loopback: code in the sandbox has one of its own. */
export function loopbackAddress(registry: URL | undefined): { host: string; port: number } | null {
  const isLoopback = registry && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(registry.hostname);
  return isLoopback ? { host: registry.hostname.replace(/[[\]]/g, ''), port: portOf(registry) } : null;
}

export const registrySocket = 'registry.sock';

/** Paths of unix sockets are at most 107 bytes long: they are in the system's folder, whatever the data folder is called. */
const parent = tmpdir();

export async function openBox(
  { groups, outgoing, api, isSandboxed }: BoxDeps,
  limits: GroupLimits,
  { services = [], registry, onRefused }: WaysOut = {},
): Promise<Box> {
  await using opening = new AsyncDisposableStack();
  const runFolder = path.join(parent, `mainstay-run-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(runFolder, { mode: 0o700 });
  opening.defer(() => rm(runFolder, { recursive: true, force: true, maxRetries: 3 }));
  const group = groups ? opening.use(await groups.open(limits)) : null;
  if (isSandboxed) {
    opening.use(
      await openEgress(path.join(runFolder, 'egress.sock'), outgoing, { named: registry, onRefused }),
    );
    const besideUs = loopbackAddress(registry);
    if (besideUs) opening.use(await openRelay(path.join(runFolder, registrySocket), besideUs));
    opening.use(await openRelay(path.join(runFolder, 'api.sock'), api()));
    for (const { kind, address } of services)
      opening.use(await openRelay(path.join(runFolder, serviceSocket(kind)), address));
  }
  const stack = opening.move();
  return {
    ...{ runFolder, group },
    async kill(pid) {
      if (pid !== undefined) await killTree(pid);
      // The group knows those too whose parent has gone.
      await group?.killAll();
    },
    async signal(pid, signal) {
      if (pid === undefined) return;
      const all = await withDescendants(pid);
      // Two processes of bubblewrap come first: one waits outside, one is the first process of the namespace.
      for (const id of isSandboxed ? all.slice(2) : all) signalProcess(id, signal);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Removes folders that a process which was killed has left. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, owner] = /^mainstay-run-(\d+)-[0-9a-f]{12}$/.exec(name) ?? [];
    if (owner && !isAlive(Number(owner)))
      await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}
