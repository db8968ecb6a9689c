import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '#core/is-alive.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { Runner, RunnerLimits } from '#core/runner.ts';
import type { ServiceAddress, ServiceKind } from '#core/service-engine.ts';
import { removeLeftFolders } from './box.ts';
import { findGroups, type Groups, removeLeftGroups } from './cgroup.ts';
import { ProcessRunner } from './runner.ts';
import { findRuntimes } from './runtimes.ts';
import { hasSeccomp } from './spawn.ts';

export interface ProcessRunnerOptions {
  /** `trusted`: no sandbox, for one's own code on one's own machine. */
  kind: 'process' | 'trusted';
  /** Certificates that code trusts besides the public ones; PEM. */
  caFile?: string | undefined;
  /** Networks that are reachable though they are private. */
  allow: readonly string[];
  /** Where the platform's API listens on this machine; asked when something is started. */
  api: () => { host: string; port: number };
  /** Where engines of the operator's listen, for functions that have a part of them. */
  services?: ReadonlyMap<ServiceKind, ServiceAddress>;
  /** A folder with runtimes that the operator has installed. */
  runtimesFolder?: string | undefined;
  /** Processes that wait for a function, and where their code is put. */
  blanks?: { count: number; folder: string };
}

export async function openProcessRunner(options: ProcessRunnerOptions): Promise<Runner> {
  const { kind, blanks, caFile, api, allow } = options;
  const isSandboxed = kind === 'process';
  const groups = isSandboxed ? await findGroups() : null;
  if (isSandboxed) await removeLeftGroups();
  await removeLeftFolders();
  return new ProcessRunner({
    ...{ isSandboxed, groups, caFile, api },
    limits: limitsOf(isSandboxed, groups),
    runtimes: await findRuntimes(options.runtimesFolder),
    services: options.services ?? new Map(),
    outgoing: new Outgoing({ allowed: allow }),
    blanks: blanks?.count ?? 0,
    workFolder: blanks ? await ownFolder(blanks.folder) : '',
  });
}

/** Of this process; what others have left that were killed goes. */
async function ownFolder(parent: string): Promise<string> {
  for (const name of await readdir(parent).catch(() => []))
    if (!isAlive(Number(name.split('-')[0])))
      await rm(path.join(parent, name), { recursive: true, force: true });
  const folder = path.join(parent, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** What is enforced here, for `doctor`. */
export async function processLimits(): Promise<RunnerLimits> {
  return limitsOf(true, await findGroups());
}

function limitsOf(isSandboxed: boolean, groups: Groups | null): RunnerLimits {
  if (!isSandboxed)
    return { name: 'trusted', isolated: false, missing: ['isolation: code runs as this server does'] };
  const withoutGroups =
    'memory, processes and CPU: no writable cgroup; run as root, or let systemd delegate one (Delegate=yes)';
  const missing = [
    ...(groups ? groups.missing : [withoutGroups]),
    ...(hasSeccomp ? [] : [`system calls: there is no filter for ${process.arch}`]),
  ];
  return { name: 'process', isolated: true, missing };
}

export { sandboxProblem } from './sandbox.ts';
