import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { caFileInside, guestFolder, npmFolder } from './environment.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';

/** Arguments of bubblewrap for one sandbox. They go to it by a descriptor: variables in them are secrets. */
export interface SandboxOptions {
  /** The program's folder on this machine. */
  folder: string;
  writable: boolean;
  cacheFolder?: string | undefined;
  /** A folder of ours with the sockets of this sandbox. */
  runFolder: string;
  runtimes: readonly Runtime[];
  workingFolder: string;
  env: Readonly<Record<string, string>>;
  caFile: string | undefined;
  /** The descriptor with the filter of system calls; null where there is none. */
  seccompDescriptor: number | null;
}

const tmpBytes = 512 * 1024 * 1024;

/** Of the system, read-only: what shells, compilers and certificates need. Nothing under /home, /root, /var or /srv. */
const systemFolders = [
  '/usr',
  '/etc/ssl',
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/php',
];
/**
 * Settings of the kernel, which belong to root whatever namespace it is in: where this server runs as root, so does what it
 * starts, and would be let in. The others tell of the machine.
 */
const readOnlyInProc = ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`);
const hiddenInProc = ['kcore', 'keys', 'kmsg', 'mtrr', 'latency_stats', 'sched_debug', 'timer_list'].map(
  (name) => `/proc/${name}`,
);
const links = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** Every namespace, no way to make another one, an empty environment, and nothing of the machine but programs. */
export function sandboxArguments(options: SandboxOptions): string[] {
  const { folder, writable, cacheFolder, runFolder, runtimes, workingFolder, env, caFile } = options;
  const system = systemFolders
    .filter((place) => existsSync(place))
    .flatMap((place) => ['--ro-bind', place, place]);
  const linked = links
    .filter((place) => existsSync(place))
    .flatMap((place) => ['--symlink', `usr${place}`, place]);
  const mounted = runtimes.flatMap(({ name, folder: outside }) =>
    outside === null ? [] : ['--ro-bind', outside, `/runtimes/${name}`],
  );
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', '1000', '--gid', '1000'],
    ...['--die-with-parent', '--new-session', '--clearenv', '--hostname', 'mainstay'],
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(tmpBytes), '--tmpfs', '/tmp'],
    ...readOnlyInProc.filter((place) => existsSync(place)).flatMap((place) => ['--ro-bind', place, place]),
    ...hiddenInProc
      .filter((place) => existsSync(place))
      .flatMap((place) => ['--ro-bind', '/dev/null', place]),
    ...system,
    ...linked,
    ...['--ro-bind', ownRuntime.folder ?? '', '/runtime', '--ro-bind', guestFolder, '/guest'],
    ...mounted,
    ...['--dir', '/home/app', '--bind', runFolder, '/run/instance', '--ro-bind', npmFolder, '/npm'],
    ...(caFile ? ['--ro-bind', path.resolve(caFile), caFileInside] : []),
    ...[writable ? '--bind' : '--ro-bind', folder, '/app'],
    ...(cacheFolder ? ['--bind', cacheFolder, '/cache'] : []),
    ...['--chdir', path.posix.join('/app', workingFolder)],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(options.seccompDescriptor === null ? [] : ['--seccomp', String(options.seccompDescriptor)]),
  ];
}

let known: Promise<string | null> | undefined;

/** Null where bubblewrap works, else what keeps it from working and what to do. */
export function sandboxProblem(): Promise<string | null> {
  known ??= trySandbox();
  return known;
}

async function trySandbox(): Promise<string | null> {
  const args = ['--unshare-all', '--unshare-user', '--disable-userns', '--ro-bind', '/', '/', '/bin/true'];
  try {
    await promisify(execFile)('bwrap', args, { timeout: 10_000 });
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string };
    if (code === 'ENOENT') return 'bubblewrap is not installed: apt-get install bubblewrap (0.8 or later).';
    return `bubblewrap cannot make namespaces here (${stderr.trim()}). On Ubuntu 24.04 allow it: sysctl kernel.apparmor_restrict_unprivileged_userns=0.`;
  }
}
