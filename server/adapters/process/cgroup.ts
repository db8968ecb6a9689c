import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = '/sys/fs/cgroup';

/** What a group of processes may use. */
interface GroupLimits {
  memoryBytes: number;
  processes: number;
}

export interface Group extends AsyncDisposable {
  /** A process that writes its id into each of these joins. */
  readonly joinFiles: readonly string[];
  /** Whether the kernel ended a process of it for its memory. */
  ranOutOfMemory(): Promise<boolean>;
  killAll(): Promise<void>;
}

/** Makes groups; null where this machine does not let us. */
export interface Groups {
  readonly version: 1 | 2;
  open(limits: GroupLimits): Promise<Group>;
}

async function isWritable(file: string): Promise<boolean> {
  return access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Version 2 where its controllers are there for us, else version 1. */
export async function findGroups(): Promise<Groups | null> {
  const controllers = await readFile(path.join(root, 'cgroup.controllers'), 'utf8').catch(() => '');
  if (controllers.includes('memory') && (await isWritable(path.join(root, 'cgroup.subtree_control')))) {
    const enabled = await writeFile(path.join(root, 'cgroup.subtree_control'), '+memory +pids').then(
      () => true,
      () => false,
    );
    if (enabled) return { version: 2, open: openVersion2 };
  }
  const hasMemory = await isWritable(path.join(root, 'memory/cgroup.procs'));
  const hasPids = await isWritable(path.join(root, 'pids/cgroup.procs'));
  return hasMemory && hasPids ? { version: 1, open: openVersion1 } : null;
}

function newName(): string {
  return `mainstay-${process.pid}-${randomBytes(6).toString('hex')}`;
}

async function openVersion1({ memoryBytes, processes }: GroupLimits): Promise<Group> {
  const name = newName();
  const memory = path.join(root, 'memory', name);
  const pids = path.join(root, 'pids', name);
  await mkdir(memory);
  await mkdir(pids);
  await writeFile(path.join(memory, 'memory.limit_in_bytes'), String(memoryBytes));
  // Not there without swap accounting; then there is no swap to keep out of either.
  await writeFile(path.join(memory, 'memory.memsw.limit_in_bytes'), String(memoryBytes)).catch(() => {});
  await writeFile(path.join(pids, 'pids.max'), String(processes));
  return group([memory, pids], async () => {
    const text = await readFile(path.join(memory, 'memory.oom_control'), 'utf8').catch(() => '');
    return /^oom_kill [1-9]/m.test(text);
  });
}

async function openVersion2({ memoryBytes, processes }: GroupLimits): Promise<Group> {
  const folder = path.join(root, newName());
  await mkdir(folder);
  await writeFile(path.join(folder, 'memory.max'), String(memoryBytes));
  await writeFile(path.join(folder, 'memory.swap.max'), '0').catch(() => {});
  await writeFile(path.join(folder, 'pids.max'), String(processes));
  return group([folder], async () => {
    const text = await readFile(path.join(folder, 'memory.events'), 'utf8').catch(() => '');
    return /^oom_kill [1-9]/m.test(text);
  });
}

function group(folders: readonly string[], ranOutOfMemory: () => Promise<boolean>): Group {
  const killAll = async () => {
    for (const folder of folders) {
      const text = await readFile(path.join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
      for (const pid of text.split('\n').filter(Boolean).map(Number)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has gone meanwhile.
        }
      }
    }
  };
  return {
    joinFiles: folders.map((folder) => path.join(folder, 'cgroup.procs')),
    ranOutOfMemory,
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
