import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, realpath, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '#core/is-alive.ts';
import type { Usage } from '#core/runner.ts';

/** What a group of processes may use. */
export interface GroupLimits {
  memoryBytes: number;
  processes: number;
  /** In hundredths of a core; 0: whatever is free. */
  cpuPercent: number;
  /** Against other groups that want the same core or disk; 100 is the usual. */
  weight: number;
}

export interface Group extends AsyncDisposable {
  /** A process that writes its id into each of these joins. */
  readonly joinFiles: readonly string[];
  set(limits: GroupLimits): Promise<void>;
  /** Ids of its processes. */
  processes(): Promise<number[]>;
  /** Null where the kernel cannot freeze. */
  freeze: ((isFrozen: boolean) => Promise<void>) | null;
  usage(): Promise<Usage>;
  /** Whether the kernel ended a process of it for its memory. */
  ranOutOfMemory(): Promise<boolean>;
  killAll(): Promise<void>;
}

/** Makes groups. */
export interface Groups {
  /** Limits that do not hold here, and why. */
  readonly missing: readonly string[];
  open(limits: GroupLimits): Promise<Group>;
}

const mountPoint = '/sys/fs/cgroup';
const periodMicroseconds = 100_000;
const remedy = 'run as root, or let systemd delegate a cgroup (Delegate=yes)';

/** Version 2 where its controllers are there for us, else version 1; null where neither can be written. */
export async function findGroups(root = mountPoint): Promise<Groups | null> {
  return (await findVersion2(root)) ?? (await findVersion1(root));
}

/** Removes what a process that was killed has left. The processes in them ended with it, but for frozen ones of version 1. */
export async function removeLeftGroups(root = mountPoint): Promise<void> {
  const base = (await unifiedFolder(root)) ?? root;
  const folders = [base, ...controllers1.map((name) => path.join(root, name))];
  const left = new Set<string>();
  for (const folder of folders)
    for (const name of await readdir(folder).catch(() => [])) {
      const [, owner] = /^mainstay-(\d+)-[0-9a-f]{12}$/.exec(name) ?? [];
      if (owner && !isAlive(Number(owner))) left.add(await realpath(path.join(folder, name)));
    }
  for (const folder of left) await writeFile(path.join(folder, 'freezer.state'), 'THAWED').catch(() => {});
  await Promise.all([...left].map((folder) => common([folder])[Symbol.asyncDispose]()));
}

function newName(): string {
  return `mainstay-${process.pid}-${randomBytes(6).toString('hex')}`;
}

async function isWritable(file: string): Promise<boolean> {
  return access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function read(...place: string[]): Promise<string> {
  return readFile(path.join(...place), 'utf8').catch(() => '');
}

/** The group of version 2 that this process is in, or the one above a leaf that we have made for it. */
async function unifiedFolder(root: string): Promise<string | null> {
  if ((await read(root, 'cgroup.controllers')) === '') return null;
  const own = /^0::(.*)$/m.exec(await read('/proc/self/cgroup'))?.[1] ?? '/';
  return path.join(root, path.basename(own) === leaf ? path.dirname(own) : own);
}

const leaf = 'mainstay-server';

async function findVersion2(root: string): Promise<Groups | null> {
  const base = await unifiedFolder(root);
  if (base === null) return null;
  const offered = (await read(base, 'cgroup.controllers')).split(/\s+/);
  const wanted = ['memory', 'pids', 'cpu', 'io'].filter((name) => offered.includes(name));
  if (!wanted.includes('memory') || !(await isWritable(path.join(base, 'cgroup.subtree_control'))))
    return null;
  try {
    if (base !== root) {
      // A group that hands its controllers on may hold no process itself.
      await mkdir(path.join(base, leaf), { recursive: true });
      for (const pid of (await read(base, 'cgroup.procs')).split('\n').filter(Boolean))
        await writeFile(path.join(base, leaf, 'cgroup.procs'), pid);
    }
    await writeFile(path.join(base, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '));
  } catch {
    return null;
  }
  const missing = [
    ...(wanted.includes('pids') ? [] : [`processes: the cgroup has no pids controller; ${remedy}`]),
    ...(wanted.includes('cpu') ? [] : [`CPU: the cgroup has no cpu controller; ${remedy}`]),
  ];
  return { missing, open: (limits) => openVersion2(path.join(base, newName()), limits) };
}

async function openVersion2(folder: string, limits: GroupLimits): Promise<Group> {
  await mkdir(folder);
  const set = async ({ memoryBytes, processes, cpuPercent, weight }: GroupLimits) => {
    const put = (file: string, value: string | number) => writeFile(path.join(folder, file), String(value));
    await put('memory.max', memoryBytes);
    // The last ones are not there on every machine; `missing` has said so.
    await put('memory.swap.max', 0).catch(() => {});
    await put('memory.oom.group', 1).catch(() => {});
    await put('pids.max', processes).catch(() => {});
    const quota = cpuPercent === 0 ? 'max' : (cpuPercent / 100) * periodMicroseconds;
    await put('cpu.max', `${quota} ${periodMicroseconds}`).catch(() => {});
    await put('cpu.weight', weight).catch(() => {});
    await put('io.weight', weight).catch(() => {});
  };
  await set(limits);
  return {
    ...common([folder]),
    set,
    freeze: (isFrozen) => writeFile(path.join(folder, 'cgroup.freeze'), isFrozen ? '1' : '0'),
    usage: async () => ({
      memoryBytes: number(await read(folder, 'memory.current')),
      cpuMicroseconds: number(/^usage_usec (\d+)/m.exec(await read(folder, 'cpu.stat'))?.[1] ?? ''),
    }),
    ranOutOfMemory: async () => /^oom_kill [1-9]/m.test(await read(folder, 'memory.events')),
  };
}

function number(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

const controllers1 = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer', 'blkio'] as const;

async function findVersion1(root: string): Promise<Groups | null> {
  const usable = new Map<string, string>();
  // Two controllers may be one folder, under two names.
  for (const name of controllers1)
    if (await isWritable(path.join(root, name, 'cgroup.procs')))
      usable.set(name, await realpath(path.join(root, name)));
  if (!usable.has('memory') || !usable.has('pids')) return null;
  const missing = [
    ...(usable.has('cpu') ? [] : [`CPU: no writable cgroup; ${remedy}`]),
    ...(usable.has('freezer') ? [] : ['freezing: no cgroup for it; idle functions get stop signals instead']),
  ];
  return { missing, open: (limits) => openVersion1(usable, newName(), limits) };
}

async function openVersion1(
  usable: ReadonlyMap<string, string>,
  name: string,
  limits: GroupLimits,
): Promise<Group> {
  const folders = [...new Set(usable.values())].map((folder) => path.join(folder, name));
  for (const folder of folders) await mkdir(folder);
  const at = (controller: string) => path.join(usable.get(controller) ?? '', name);
  const memory = at('memory');
  const set = async ({ memoryBytes, processes, cpuPercent, weight }: GroupLimits) => {
    const put = (controller: string, file: string, value: number) =>
      usable.has(controller) ? writeFile(path.join(at(controller), file), String(value)) : undefined;
    // Swap counts on top of memory and may never be less: which of the two is written first depends on the direction.
    for (let attempt = 0; attempt < 2; attempt++) {
      await put('memory', 'memory.limit_in_bytes', memoryBytes)?.catch(() => {});
      await put('memory', 'memory.memsw.limit_in_bytes', memoryBytes)?.catch(() => {});
    }
    if (Number(await read(memory, 'memory.limit_in_bytes')) > memoryBytes)
      throw new Error('The memory of a group could not be limited.');
    await put('pids', 'pids.max', processes);
    await put('cpu', 'cpu.cfs_period_us', periodMicroseconds);
    await put('cpu', 'cpu.cfs_quota_us', cpuPercent === 0 ? -1 : (cpuPercent / 100) * periodMicroseconds);
    await put('cpu', 'cpu.shares', Math.round(weight * 10.24));
    await put('blkio', 'blkio.bfq.weight', weight)?.catch(() => {});
  };
  await set(limits);
  const isFreezable = usable.has('freezer');
  return {
    ...common(folders),
    set,
    freeze: isFreezable
      ? (isFrozen) => writeFile(path.join(at('freezer'), 'freezer.state'), isFrozen ? 'FROZEN' : 'THAWED')
      : null,
    usage: async () => {
      const nanoseconds = usable.has('cpuacct') ? number(await read(at('cpuacct'), 'cpuacct.usage')) : null;
      return {
        memoryBytes: number(await read(memory, 'memory.usage_in_bytes')),
        cpuMicroseconds: nanoseconds === null ? null : Math.round(nanoseconds / 1000),
      };
    },
    ranOutOfMemory: async () => /^oom_kill [1-9]/m.test(await read(memory, 'memory.oom_control')),
  };
}

function common(folders: readonly string[]) {
  const processes = async () => {
    const [folder = ''] = folders;
    return (await read(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
  };
  const killAll = async () => {
    for (const pid of await processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has gone meanwhile.
      }
    }
  };
  return {
    joinFiles: folders.map((folder) => path.join(folder, 'cgroup.procs')),
    processes,
    killAll,
    async [Symbol.asyncDispose]() {
      // A group can be removed once the kernel has buried its processes, which takes it some milliseconds.
      for (const folder of folders)
        for (let attempt = 0; attempt < 100; attempt++) {
          const done = await rmdir(folder).then(
            () => true,
            (error) => (error as NodeJS.ErrnoException).code === 'ENOENT',
          );
          if (done) break;
          await killAll();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
    },
  };
}
