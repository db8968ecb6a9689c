import { readFile } from 'node:fs/promises';

/**
 * A process and all that it has started, as far as they have not been orphaned. The first comes first. Each is visited
 * before its children are read.
 */
export async function withDescendants(pid: number, visit?: (pid: number) => void): Promise<number[]> {
  const found = [pid];
  for (const id of found) {
    visit?.(id);
    found.push(...(await childrenOf(id)));
  }
  return found;
}

/**
 * Ends a process, all that it has started and the others of its process group. Each is stopped before its children are
 * read: a process that runs on could start one more between the two, which nobody would end.
 */
export async function killTree(pid: number): Promise<void> {
  const found = await withDescendants(pid, (id) => signalProcess(id, 'SIGSTOP'));
  signalProcess(-pid, 'SIGKILL');
  for (const id of found) signalProcess(id, 'SIGKILL');
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** A negative id means a process group, as in kill(2). */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone meanwhile.
  }
}

/** Whether the process has a handler for the signal with this number: an unexpected one would end it. */
export async function catches(pid: number, signal: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
}
